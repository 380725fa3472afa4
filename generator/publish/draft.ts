import type { ChangeOf, ChangeType } from '../contract/change.ts';
import type { ObservationTimes } from '../contract/observation.ts';
import type { Connection } from '../database/connection.ts';
import type { EventLog } from '../database/event-log.ts';
import type { Publication } from '../database/publications.ts';
import { eventId } from './identifiers.ts';
import type { RowFaults } from './row-faults.ts';
import type { SnapshotFolder } from './snapshot-folder.ts';

/** The publication in progress: what it is called, what it is made of, and where its events and faults go. */
export type Draft = {
  readonly connection: Connection;
  readonly databaseId: string;
  readonly sequence: number;
  readonly revision: string;
  readonly snapshot: SnapshotFolder;
  readonly previous: Publication | null;
  readonly log: EventLog;
  readonly faults: RowFaults;
};

/** What an event is about. `version` and `storeVersion`: the product and store as they are called now. */
export type Subject = {
  readonly product: number;
  readonly productId: string;
  readonly version: number;
  readonly store?: { readonly id: string; readonly version: number };
};

/** Records a change event of the publication in progress. */
export function recordEvent<Type extends ChangeType>(
  { log, revision }: Draft,
  type: Type,
  { product, productId, version, store }: Subject,
  times: Pick<ObservationTimes, 'retrieved_at' | 'source_updated_at'>,
  change: ChangeOf<Type>,
): void {
  log.add({
    id: eventId(revision, type, productId, store?.id ?? null),
    type,
    product,
    product_version: version,
    store_version: store?.version ?? null,
    retrieved_at: times.retrieved_at,
    source_updated_at: times.source_updated_at,
    change: JSON.stringify(change),
  });
}
