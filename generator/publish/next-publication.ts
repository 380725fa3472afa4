import { v5 } from 'uuid';
import type { Profile } from '../../contract/profile.ts';
import type { ChangeOf } from '../../contract/schemas/change.ts';
import type { ObservationTimes } from '../../contract/schemas/primitives.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import type { Connection } from '../database/connection.ts';
import type { EventLog } from '../database/events.ts';
import type { Publication } from '../database/publications.ts';
import type { SnapshotFolder } from '../snapshot/folder.ts';
import type { RowFaults } from '../snapshot/row-faults.ts';
import { type Correction, correctionName } from './correction.ts';
import type { Moves } from './moves.ts';

/** `done` and `total` count the rows of a stage. */
export type PublishProgress = (stage: string, done: number, total: number) => void;

/** The publication in progress: its identity, its snapshot, and the collectors of its events, faults and moves. */
export type NextPublication = {
  readonly connection: Connection;
  readonly databaseId: string;
  readonly profile: Profile;
  readonly sequence: number;
  readonly revision: string;
  readonly snapshot: SnapshotFolder;
  readonly previous: Publication | null;
  readonly log: EventLog;
  readonly faults: RowFaults;
  /** The correction that the publication makes; null if it corrects nothing. */
  readonly correction: Correction | null;
  /** Prices of products that stay listed, and positive quantities of pairs that stay positive. */
  readonly prices: Moves;
  readonly quantities: Moves;
  readonly progress: PublishProgress;
};

const rowsBetween = 500;

/** Call the result for every row of a part to report progress. */
export function rowCounter({ faults, progress }: NextPublication, part: 'products' | 'inventory'): () => void {
  const total = faults.goodRows(`${part}.ndjson`);
  let done = 0;
  return () => {
    if (done % rowsBetween === 0) progress(part, done, total);
    done += 1;
  };
}

/** `version` and `store.version`: the keys of the current versions. */
export type Subject = {
  readonly product: number;
  readonly productId: string;
  readonly version: number;
  readonly store?: { readonly id: string; readonly version: number };
};

export type EventTimes = Pick<ObservationTimes, 'retrieved_at' | 'source_updated_at'>;

export function recordEvent<Type extends ChangeType>(
  { log, revision }: NextPublication,
  type: Type,
  { product, productId, version, store }: Subject,
  times: EventTimes,
  change: ChangeOf<Type>,
): void {
  log.add({
    // The id of an event is made from its publication, type, product and store (contract.md 7).
    id: uuidOfName(`${type}:${productId}:${store?.id ?? ''}`, revision),
    type,
    product,
    product_version: version,
    store_version: store?.version ?? null,
    retrieved_at: times.retrieved_at,
    source_updated_at: times.source_updated_at,
    change: JSON.stringify(change),
  });
}

/** Shelfpress's UUID namespace for the ids of databases (RFC 9562 5.5). */
const shelfpressNamespace = 'b0f5d2a1-6c1e-5d57-9a43-4b1f7c9e2d10';

/** The first snapshot decides the id, so the same snapshots give the same ids anywhere. */
export function databaseId(firstContentHash: string): string {
  return uuidOfName(`database:${firstContentHash}`, shelfpressNamespace);
}

/**
 * The id of a publication, in the namespace of the one before. A revision thus stands for the whole history up to it:
 * parts that a snapshot leaves out come from earlier ones. The id also depends on what the publication corrects and
 * why, because documents say so. The first publication is in the namespace of the database.
 */
export function revisionId({
  databaseId: database,
  sequence,
  snapshot: { contentHash },
  previous,
  correction,
}: Pick<NextPublication, 'databaseId' | 'sequence' | 'snapshot' | 'previous' | 'correction'>): string {
  const name = `publication:${sequence}:${contentHash}`;
  return uuidOfName(correction ? `${name}:${correctionName(correction)}` : name, previous?.revision ?? database);
}

export function entityId(database: string, kind: 'product' | 'store' | 'brand' | 'family', key: string): string {
  return uuidOfName(`${kind}:${key}`, database);
}

/** A UUIDv5. The package takes twice as long for text as for bytes. */
function uuidOfName(name: string, namespace: string): string {
  return v5(Buffer.from(name), namespace);
}
