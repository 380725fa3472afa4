import { basename, resolve } from 'node:path';
import { compareInstants, epochSeconds, secondText } from '../../contract/instant.ts';
import { type Profile, usualProfile } from '../../contract/profile.ts';
import { warningCode } from '../../contract/schemas/primitives.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import { type Connection, explainDatabase } from '../database/connection.ts';
import { eventLog, type PublishedEvents } from '../database/events.ts';
import { allFieldCounts, countAt } from '../database/field-moves.ts';
import { blameDamage } from '../database/integrity.ts';
import {
  countFacts,
  databaseIdentity,
  databaseProfile,
  insertIdentity,
  insertPublication,
  insertQuarantinedRows,
  latestPublication,
  type Publication,
  type PublicationFacts,
  publicationAt,
  publicationOfContent,
} from '../database/publications.ts';
import { addRowDigests } from '../database/row-digests.ts';
import { breakSeal, seal } from '../database/seal.ts';
import { insertTotals, lastTotals, type Totals } from '../database/totals.ts';
import { Failure } from '../files/failure.ts';
import { FaultyInput } from '../files/faults.ts';
import { openSnapshot, refuseChanged, type SnapshotFolder } from '../snapshot/folder.ts';
import { profileIn, type SnapshotHeader } from '../snapshot/format.ts';
import { faultySnapshot, rowFaults } from '../snapshot/row-faults.ts';
import { type CheckedSnapshot, checkSnapshot, faultsOfFolder } from './checked-snapshot.ts';
import { type CorrectionRequest, findCorrected, recordCorrection } from './correction.ts';
import { applyCuration } from './curation-tables.ts';
import { type GuardName, stoppedByGuards, type TrippedGuard, trippedGuards } from './guards/guards.ts';
import { applyInventory, type InventoryChange } from './inventory.ts';
import { Moves } from './moves.ts';
import { databaseId, type NextPublication, type PublishProgress, revisionId } from './next-publication.ts';
import { applyProducts } from './products.ts';
import { applyStores } from './stores.ts';

export type PublishOptions = {
  /** Whether to set faulty rows aside, up to 1 % of a file, instead of refusing the snapshot. */
  readonly quarantine: boolean;
  readonly correction?: CorrectionRequest | null;
  readonly accept?: readonly GuardName[];
  /** Gets the guards that would stop the snapshot, which is published anyway. For temporary databases. */
  readonly onGuards?: (tripped: readonly TrippedGuard[]) => void;
  /** The latest `published_at` that is not in the future, UTC. Without it, any time is accepted. */
  readonly notAfter?: string | null;
  readonly progress?: PublishProgress;
};

/**
 * Publishes a snapshot in one transaction. Throws a FaultyInput with every fault, or another Failure; the database
 * stays as it was.
 */
export async function publishSnapshot(
  connection: Connection,
  folder: string,
  options: PublishOptions,
): Promise<Publication> {
  try {
    const snapshot = await openWhole(connection, folder, options.quarantine);
    for (;;) {
      const published = await explainDatabase(connection.name, () => publishOver(connection, snapshot, options));
      if (published !== null) return published;
    }
  } catch (error) {
    throw error instanceof Failure ? error : blameDamage(connection, error);
  }
}

/** If the header or a part is faulty, the error also has every fault of the rest. */
async function openWhole(connection: Connection, folder: string, quarantine: boolean): Promise<SnapshotFolder> {
  try {
    return await openSnapshot(folder);
  } catch (error) {
    if (!(error instanceof FaultyInput)) throw error;
    const found = await explainDatabase(connection.name, () => faultsOfFolder(folder, connection, quarantine));
    throw found.total > 0 ? faultySnapshot(basename(resolve(folder)), found) : error;
  }
}

/**
 * Checks a snapshot, then takes the write lock and publishes it. Returns null if another process published in the
 * meantime, because the check was against an older state.
 */
async function publishOver(
  connection: Connection,
  snapshot: SnapshotFolder,
  options: PublishOptions,
): Promise<Publication | null> {
  const progress = options.progress ?? (() => {});
  progress('reading', 0, 1);
  const previous = latestPublication(connection);
  const correction = options.correction ? findCorrected(connection, options.correction) : null;
  refuseOutOfOrder(connection, snapshot, options.notAfter ?? null);
  refuseOtherProfile(connection, snapshot);
  const faults = rowFaults(snapshot.name, options.quarantine);
  const checked = await checkSnapshot(connection, snapshot.parts, faults, profileIn(snapshot.header));
  faults.settle();
  connection.exec('BEGIN IMMEDIATE');
  try {
    if (latestPublication(connection)?.revision !== previous?.revision) return null;
    const next = beginPublication(connection, { snapshot, previous, faults, correction, progress });
    const publication = await applySnapshot(next, checked, options);
    progress('committing', 0, 1);
    await refuseChanged(snapshot);
    breakSeal(connection);
    addRowDigests(connection);
    connection.exec('COMMIT');
    seal(connection);
    return publication;
  } finally {
    if (connection.inTransaction) connection.exec('ROLLBACK');
  }
}

export class AlreadyPublished extends Failure {
  override readonly name = 'AlreadyPublished';
  readonly publication: Publication;

  constructor(snapshot: string, publication: Publication) {
    const { sequence, revision } = publication;
    super('snapshot_order', `snapshot ${snapshot} was published before, as publication ${sequence} (${revision})`);
    this.publication = publication;
  }
}

/**
 * Refuses a snapshot that is already published, not newer than the last publication, or the first and incomplete.
 * `notAfter`: a later time is in the future.
 */
export function refuseOutOfOrder(
  connection: Connection,
  { name, header, parts, contentHash }: SnapshotFolder,
  notAfter: string | null,
): void {
  const same = publicationOfContent(connection, contentHash);
  if (same) throw new AlreadyPublished(name, same);
  const latest = latestPublication(connection);
  if (latest === null) {
    const hasStores = profileIn(header).inventory === 'stores';
    const needed = hasStores ? (['products', 'stores', 'curation'] as const) : (['products', 'curation'] as const);
    const missing = needed.filter((part) => parts[part] === null);
    if (missing.length === 0) return;
    throw new Failure(
      'snapshot_order',
      `snapshot ${name} is the first: expected ${hasStores ? 'products, stores and curation' : 'products and curation'}, got no ${missing.join(', no ')}`,
    );
  }
  if (compareInstants(header.published_at, latest.published_at) > 0) return;
  const dated = publicationAt(connection, header.published_at);
  const wayOut =
    notAfter !== null && compareInstants(latest.published_at, notAfter) > 0
      ? `; publication ${latest.sequence} is dated in the future: publish the snapshots again without it, into a new database`
      : dated !== null
        ? `; publication ${dated.sequence} has this time: if these are corrected files, date them later than publication ${latest.sequence}, for update in the name of their folder, such as incoming/${secondText(Date.parse(latest.published_at) + 60_000)}Z, and pass --corrects ${dated.revision} and --reason`
        : '';
  throw new Failure(
    'snapshot_order',
    `snapshot ${name} is not newer: expected published_at after ${latest.published_at} (publication ${latest.sequence}), got ${header.published_at}${wayOut}`,
  );
}

/**
 * Refuses a snapshot with another profile than the database, because its codes and amounts would mean something else.
 */
function refuseOtherProfile(connection: Connection, { name, header }: SnapshotFolder): void {
  const before = databaseProfile(connection);
  if (before === null) return;
  const now = profileIn(header);
  for (const member of Object.keys(usualProfile) as (keyof Profile)[]) {
    const [expected, got] = [before[member], now[member]].map((value) => JSON.stringify(value));
    if (expected === got) continue;
    throw new Failure(
      'profile',
      `snapshot ${name}: snapshot.json profile.${member}: expected ${expected} as in all publications before, got ${got}${header.profile ? '' : ', as it has no profile'}`,
    );
  }
}

async function applySnapshot(
  next: NextPublication,
  { curation, stores, products, inventory }: CheckedSnapshot,
  { accept = [], notAfter = null, onGuards }: PublishOptions,
): Promise<Publication> {
  const { connection, snapshot, sequence, previous, prices, quantities } = next;
  applyCuration(next, curation);
  const locations = applyStores(next, stores);
  await applyProducts(next, products);
  const { header, name } = snapshot;
  const retrieved = await applyInventory(next, inventory);
  const setAside = next.faults.settle();
  const counts = allFieldCounts(connection, sequence);
  const [totalsBefore = null] = lastTotals(connection, sequence, 1);
  const totals = newTotals(next, retrieved, totalsBefore);
  const applied = { counts, locations, inventory: retrieved, prices, quantities, totals, totalsBefore };
  const tripped = trippedGuards({ connection, sequence, header, previous, notAfter, ...applied });
  const refused = tripped.filter(({ guard }) => !accept.includes(guard));
  if (refused.length > 0 && !onGuards) throw stoppedByGuards(name, refused);
  onGuards?.(refused);
  insertTotals(
    connection,
    sequence,
    totals,
    tripped.map(({ guard }) => guard),
  );
  insertQuarantinedRows(connection, next.sequence, setAside);
  const events = next.log.append(next.sequence, next.previous?.last_event ?? 0);
  const publication = describe(next, new Set(setAside.map(({ file }) => file)), events);
  insertPublication(connection, publication);
  if (next.correction) recordCorrection(connection, next.sequence, next.correction);
  return publication;
}

/** Totals after everything is applied. Totals of rows are the previous publication's plus what retrievals changed. */
function newTotals(
  { connection, sequence, prices }: NextPublication,
  { attempts, failed, covered, lost, largest, sums, compared, moved }: InventoryChange,
  before: Totals | null,
): Totals {
  const level = (last: number | undefined, sum: { readonly before: number; readonly now: number }) =>
    (last ?? 1) * (sum.before > 0 && sum.now > 0 ? sum.now / sum.before : 1);
  return {
    listed_products: countAt(connection, 'products', sequence),
    directory_stores: countAt(connection, 'stores', sequence),
    scope_stores: attempts > failed ? (covered?.size ?? null) : null,
    positive_rows: (before?.positive_rows ?? 0) - lost,
    largest_quantity: Math.max(before?.largest_quantity ?? 0, largest.quantity),
    compared_rows: compared,
    changed_rows: moved,
    price_level: level(before?.price_level, { before: prices.sumBefore, now: prices.sumNow }),
    quantity_level: level(before?.quantity_level, sums),
  };
}

function beginPublication(
  connection: Connection,
  given: Pick<NextPublication, 'snapshot' | 'previous' | 'faults' | 'correction' | 'progress'>,
): NextPublication {
  const { snapshot, previous } = given;
  const identity = databaseIdentity(connection) ?? databaseId(snapshot.contentHash);
  const profile = profileIn(snapshot.header);
  if (!previous) insertIdentity(connection, identity, profile);
  const begun = { ...given, connection, databaseId: identity, profile, sequence: (previous?.sequence ?? 0) + 1 };
  return {
    ...begun,
    revision: revisionId(begun),
    log: eventLog(connection),
    prices: new Moves(),
    quantities: new Moves(),
  };
}

function describe(next: NextPublication, quarantinedFiles: ReadonlySet<string>, events: PublishedEvents): Publication {
  const { sequence, revision, previous, snapshot } = next;
  const { header, contentHash } = snapshot;
  const facts = countFacts(next.connection, next.profile.inventory);
  const catalog = inForce(next, header.catalog, 'catalog');
  // A site without stores may have no directory. Then the times of the catalog count.
  const ownDirectory = header.directory ?? (previous ? null : header.catalog);
  const quarantinedParts = partsQuarantined(snapshot, previous, quarantinedFiles);
  return {
    sequence,
    revision,
    content_sha256: contentHash,
    published_at: header.published_at,
    ...catalog,
    ...inForce(next, ownDirectory, 'directory'),
    policy_id: header.policy.id,
    policy_max_age_seconds: header.policy.max_age_seconds,
    history_days: header.retention.history_days,
    publication_days: header.retention.publication_days,
    warnings: activeWarnings({ header, catalogRetrievedAt: catalog.catalog_retrieved_at, facts, quarantinedParts }),
    own_warnings: header.warnings,
    quarantined_parts: quarantinedParts,
    product_count: facts.product_count,
    store_count: facts.store_count,
    inventory_pair_count: facts.inventory_pair_count,
    ...events,
  };
}

const timesInForce = ['publication', 'source_updated_at', 'retrieved_at'] as const;

/** A part comes from the snapshot or from the previous publication. */
function inForce<Part extends 'catalog' | 'directory'>(
  { sequence, previous }: NextPublication,
  own: SnapshotHeader['catalog'],
  part: Part,
) {
  if (!own && !previous) throw new Error(`the first publication has no ${part}`);
  const found = timesInForce.map((time) => {
    const column = `${part}_${time}` as const;
    return [column, own ? { ...own, publication: sequence }[time] : previous?.[column]];
  });
  return Object.fromEntries(found) as Pick<Publication, `${Part}_${(typeof timesInForce)[number]}`>;
}

/** A part stays quarantined until a snapshot has it without faults. */
function partsQuarantined(
  { parts }: SnapshotFolder,
  previous: Publication | null,
  files: ReadonlySet<string>,
): string[] {
  return (Object.keys(parts) as (keyof typeof parts)[]).filter((part) => {
    if (parts[part] === null) return previous?.quarantined_parts.includes(part) ?? false;
    return [...files].some((file) => file.split('.')[0] === part);
  });
}

const oldCatalogSeconds = 45 * 86_400;

type State = {
  readonly header: SnapshotHeader;
  readonly catalogRetrievedAt: string;
  readonly facts: PublicationFacts;
  readonly quarantinedParts: readonly string[];
};

export function activeWarnings({ header, catalogRetrievedAt, facts, quarantinedParts }: State): WarningCode[] {
  const age = (instant: string) => epochSeconds(header.published_at) - epochSeconds(instant);
  const holds: Readonly<Record<WarningCode, boolean>> = {
    FIXTURE_DATA: false,
    INVENTORY_COVERAGE_PARTIAL: facts.observed_pair_count < facts.expected_pair_count,
    SOURCE_REFRESH_DELAYED:
      facts.newest_retrieval !== null && age(facts.newest_retrieval) > header.policy.max_age_seconds,
    UPSTREAM_PRODUCT_UNAVAILABLE: facts.failed_product_count > 0,
    SOURCE_SCHEMA_QUARANTINED: quarantinedParts.length > 0,
    CATALOG_BATCH_OLD: age(catalogRetrievedAt) > oldCatalogSeconds,
  };
  return warningCode.options.filter((code) => holds[code] || header.warnings.includes(code));
}
