import { addresses } from '../contract/addresses.ts';
import type { Metadata } from '../contract/documents/metadata.ts';
import type { Pointer } from '../contract/formats/site.ts';
import { pathOf, staysForReaders } from '../contract/paths.ts';
import { parseJson, schemaProblems } from '../site/checked-json.ts';
import { checkRoute, checkValidators } from '../site/checked-route.ts';
import type { RouteTable } from '../site/checked-table.ts';
import type { FaultList } from '../site/fault.ts';
import { checkPointed } from './agreement.ts';
import type { CheckContext } from './check-context.ts';
import { VariantCheck } from './variants.ts';

type Kept = Pointer['publications'][number];

/**
 * Checks a superseded publication that is kept for readers under way: its routes and the bytes that they name. Its
 * documents could be checked when they were current, and their hashes show that they have not changed since.
 */
export function checkKept(context: CheckContext, publication: Kept, table: RouteTable): void {
  const { ledger, faults, progress } = context;
  const variants = new VariantCheck(ledger, faults);
  let done = 0;
  for (const route of table.routes.values()) {
    if (done % 1000 === 0) progress(`publication ${publication.sequence}: ${done} of ${table.routes.size} routes`);
    done += 1;
    checkRoute(route, publication.published_at, faults);
    const object = ledger.check(route.sha256, `${route.path} of revision ${publication.revision}`);
    if (object) checkValidators(route, object, faults);
    variants.check(route);
  }
  checkOwnIdentity(context, publication, table);
}

/**
 * Checks that a reader who began with a kept publication can go on in the current one (contract.md 11): each address of
 * the kept one must have an answer. When the current publication carries a route only for that reader, its bytes must
 * be the same.
 */
export function checkReadersUnderWay(
  faults: FaultList,
  { revision, sequence }: Kept,
  kept: RouteTable,
  current: RouteTable,
): void {
  for (const { path, sha256, last_sequence } of kept.routes.values()) {
    if (last_sequence !== undefined || !staysForReaders(path)) continue;
    const route = current.find(path);
    if (route === 'unknown') continue;
    if (route === 'absent') {
      faults.add('route_missing', path, `an answer, as revision ${revision} is kept and has one`, 'no route');
    } else if (route.last_sequence === sequence && route.sha256 !== sha256) {
      faults.add('document_misplaced', path, `the bytes that it has in revision ${revision}`, 'other bytes');
    }
  }
}

/** Checks that routes which the current publication only carries belong to a kept publication. */
export function checkCarried(faults: FaultList, { publications }: Pointer, current: RouteTable): void {
  const kept = new Set(publications.flatMap(({ routes, sequence }) => (routes === null ? [] : [sequence])));
  for (const { path, last_sequence } of current.routes.values()) {
    if (last_sequence === undefined || kept.has(last_sequence)) continue;
    faults.add(
      'route_unknown',
      path,
      'an address of the current publication or of a kept one',
      `last_sequence ${last_sequence}`,
    );
  }
}

/**
 * Compares the pointer's entry of a kept publication with that publication's own metadata. Documents of the current
 * publication may no longer name it.
 */
function checkOwnIdentity({ ledger, faults }: CheckContext, publication: Kept, table: RouteTable): void {
  const route = table.routes.get(pathOf('metadata'));
  const bytes = route && ledger.read(route.sha256, route.path);
  const parsed = bytes && parseJson(bytes);
  if (!parsed || 'problem' in parsed || schemaProblems(addresses.metadata.schema, parsed.value).length > 0) return;
  checkPointed(faults, (parsed.value as { data: Metadata }).data.publication, publication);
}
