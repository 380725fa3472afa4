import { documentedPublications, type Pointer } from '../contract/formats/site.ts';
import { ObjectLedger, SiteFiles } from '../site/checked-files.ts';
import { checkPointer, checkSignature } from '../site/checked-pointer.ts';
import { type CheckedTable, checkTable } from '../site/checked-table.ts';
import { type Fault, FaultList } from '../site/fault.ts';
import type { SigningKey } from '../site/keys.ts';
import {
  checkCheckout,
  checkObjectNames,
  checkSiteLink,
  checkSpare,
  countLeftovers,
  type Leftovers,
} from './checkout.ts';
import { checkCurrent } from './current-publication.ts';
import type { CheckContext, CurrentCounts, VerifyProgress } from './documents.ts';
import {
  checkCarried,
  checkKept,
  checkPartial,
  checkReadersUnderWay,
  type PartialHolding,
  readPartialHolding,
} from './stored-bytes.ts';

/**
 * `routes`, `lists`, `rows` and `export_records` count the current publication. `objects` and `bytes` count everything
 * that any route table names.
 */
export type VerificationCounts = CurrentCounts &
  Leftovers & { readonly objects: number; readonly bytes: number; readonly faults: number };

/**
 * `faults`: the first 1,000 by path; `counts.faults` is the number of all. `partial`: null for a site and for a whole
 * mirror.
 */
export type Verification = {
  readonly counts: VerificationCounts;
  readonly faults: readonly Fault[];
  readonly partial: PartialHolding | null;
};

/**
 * Checks a built site against itself and the contract: the chain of hashes from the pointer to every object, the
 * content and references of documents, the walk of every list, the exports, and the checkouts. Changes nothing. Reports
 * damage and continues with the rest. `key`: the key whose signature the pointer must have; null: the site need not be
 * signed, but an existing signature must be of its pointer.
 */
export async function verifySite(
  directory: string,
  progress: VerifyProgress = () => {},
  key: SigningKey | null = null,
): Promise<Verification> {
  const files = new SiteFiles(directory);
  const faults = new FaultList();
  const ledger = new ObjectLedger(files, faults);
  const context = { files, ledger, faults, progress };
  const pointer = checkPointer(files, faults);
  checkSignature(files, key, faults);
  const partial = pointer && readPartialHolding(context);
  const counts =
    pointer && (partial ? checkPartial(context, pointer, partial) : await checkPublications(context, pointer));
  if (counts === null) checkObjectNames(files, ledger);
  const leftovers = countLeftovers(
    files,
    ledger,
    new Set(pointer ? heldRevisions(pointer, partial) : []),
    pointer?.routes ?? null,
  );
  return {
    counts: {
      ...(counts ?? { routes: 0, lists: 0, rows: 0, export_records: 0 }),
      objects: ledger.objectCount,
      bytes: ledger.byteCount,
      ...leftovers,
      faults: faults.total,
    },
    faults: faults.first(),
    partial,
  };
}

function heldRevisions(pointer: Pointer, partial: PartialHolding | null): string[] {
  return partial ? [pointer.revision] : documentedPublications(pointer).map(({ revision }) => revision);
}

/**
 * Checks all kept publications. Null when the current publication's route table cannot be read; the others are checked
 * even then.
 */
async function checkPublications(context: CheckContext, pointer: Pointer): Promise<CurrentCounts | null> {
  let counts: CurrentCounts | null = null;
  let current: CheckedTable | null = null;
  for (const publication of documentedPublications(pointer)) {
    const { revision } = publication;
    context.progress(`reading the route table of publication ${publication.sequence}`, 0, 1);
    const table = checkTable(context, publication, current);
    if (table === null) continue;
    if (revision === pointer.revision) {
      current = table;
      checkCarried(context.faults, pointer, table);
      counts = await checkCurrent(context, pointer, table);
      checkSpare(context, pointer.routes, table);
    } else {
      checkKept(context, publication, table);
      if (current) checkReadersUnderWay(context.faults, publication, table, current);
    }
    context.progress(`checking the checkout of publication ${publication.sequence}`, 0, 1);
    checkCheckout(context, revision, table);
  }
  checkSiteLink(context.files, pointer.revision, context.faults);
  return counts;
}
