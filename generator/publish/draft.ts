import { v5 } from 'uuid';
import type { ChangeOf, ChangeType } from '../../contract/documents/change.ts';
import type { ObservationTimes } from '../../contract/primitives.ts';
import type { Profile } from '../../contract/profile.ts';
import type { Connection } from '../database/connection.ts';
import type { EventLog } from '../database/events.ts';
import type { Publication } from '../database/publications.ts';
import type { SnapshotFolder } from '../snapshot/folder.ts';
import type { RowFaults } from '../snapshot/row-faults.ts';
import { type Correction, correctionName } from './correction.ts';
import type { Moves } from './moves.ts';

/** Is told the stage of a publication, and how many of `total` rows of it are done. */
export type PublishProgress = (stage: string, done: number, total: number) => void;

/** The publication in progress: its identity, its snapshot, and the collectors of its events, faults and moves. */
export type Draft = {
  readonly connection: Connection;
  readonly databaseId: string;
  /** What is the agency's own. */
  readonly profile: Profile;
  readonly sequence: number;
  readonly revision: string;
  readonly snapshot: SnapshotFolder;
  readonly previous: Publication | null;
  readonly log: EventLog;
  readonly faults: RowFaults;
  /** What the publication corrects; null when it corrects nothing. */
  readonly correction: Correction | null;
  /** Prices of products that stay listed, and positive quantities of pairs that stay positive. */
  readonly prices: Moves;
  readonly quantities: Moves;
  readonly progress: PublishProgress;
};

const rowsBetween = 500;

/** A function to call with every row of a part, which tells how far the part is. */
export function rowCounter({ faults, progress }: Draft, part: 'products' | 'inventory'): () => void {
  const total = faults.goodRows(`${part}.ndjson`);
  let done = 0;
  return () => {
    if (done % rowsBetween === 0) progress(part, done, total);
    done += 1;
  };
}

/**
 * The product and the store that an event is about. `version` and `store.version` are the keys of their current
 * versions.
 */
export type Subject = {
  readonly product: number;
  readonly productId: string;
  readonly version: number;
  readonly store?: { readonly id: string; readonly version: number };
};

export type EventTimes = Pick<ObservationTimes, 'retrieved_at' | 'source_updated_at'>;

/** Records a change event of the publication in progress. */
export function recordEvent<Type extends ChangeType>(
  { log, revision }: Draft,
  type: Type,
  { product, productId, version, store }: Subject,
  times: EventTimes,
  change: ChangeOf<Type>,
): void {
  log.add({
    // The id of an event is made from its publication, type, product and store (contract.md 7).
    id: idOf(`${type}:${productId}:${store?.id ?? ''}`, revision),
    type,
    product,
    product_version: version,
    store_version: store?.version ?? null,
    retrieved_at: times.retrieved_at,
    source_updated_at: times.source_updated_at,
    change: JSON.stringify(change),
  });
}

/** The project's own UUID namespace for the ids of databases (RFC 9562 5.5). */
const shelfpressNamespace = 'b0f5d2a1-6c1e-5d57-9a43-4b1f7c9e2d10';

/** A database is named after its first snapshot, so that the same snapshots give the same ids anywhere. */
export function databaseId(firstContentHash: string): string {
  return idOf(`database:${firstContentHash}`, shelfpressNamespace);
}

/**
 * The id of a publication, in the namespace of the one before, so that a revision stands for the whole history up to it: what
 * a snapshot leaves out is what earlier ones said. It also depends on what the publication corrects, and why, because it
 * says so. The first publication is in the namespace of the database.
 */
export function revisionId({
  databaseId: database,
  sequence,
  snapshot: { contentHash },
  previous,
  correction,
}: Pick<Draft, 'databaseId' | 'sequence' | 'snapshot' | 'previous' | 'correction'>): string {
  const name = `publication:${sequence}:${contentHash}`;
  return idOf(correction ? `${name}:${correctionName(correction)}` : name, previous?.revision ?? database);
}

export function entityId(database: string, kind: 'product' | 'store' | 'brand' | 'family', key: string): string {
  return idOf(`${kind}:${key}`, database);
}

/** The UUIDv5 of a name. It is given as bytes, because the package takes twice as long for text. */
function idOf(name: string, namespace: string): string {
  return v5(Buffer.from(name), namespace);
}
