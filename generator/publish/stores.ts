import { type OpenStore, openStores, type StoreWriter, storeWriter } from '../database/entity-writers.ts';
import type { VersionOf } from '../database/table-writers.ts';
import type { StoreLine } from '../snapshot/format.ts';
import { entityId, type NextPublication } from './next-publication.ts';

export type StoreNames = Pick<StoreLine, 'inventory_store_code' | 'directory_id'>;

/** `setAside`: the readable keys of stores in faulty lines. */
export type CheckedStores = { readonly lines: readonly StoreLine[]; readonly setAside: readonly StoreNames[] };

/** Where a store is, in degrees. `isNew`: whether the previous directory had it elsewhere, or not at all. */
export type StoreLocation = { readonly store: string; readonly isNew: boolean } & NonNullable<StoreLine['location']>;

/** Puts the snapshot's directory in force and returns its locations. Stores that it lacks stay known. */
export function applyStores(next: NextPublication, stores: CheckedStores | null): StoreLocation[] {
  if (stores === null) return [];
  const { lines, setAside } = stores;
  const writer = storeWriter(next.connection);
  const before = openStores(next.connection);
  const matched = matchStores(lines, before);
  const seen = new Set<number>();
  for (const line of lines) {
    const store = matched.get(line)?.store ?? insertStore(next, writer, line);
    seen.add(store);
    writer.versions.put(next.sequence, { store, ...storeVersion(line) });
  }
  for (const store of before) {
    if (seen.has(store.store)) continue;
    if (setAside.some((line) => names(line, store))) keepAsItWas(next, writer, store);
    else markMissing(next, writer, store);
  }
  return lines.flatMap((line) => storeLocation(line, matched.get(line)));
}

function storeLocation({ location, ...line }: StoreLine, before: OpenStore | undefined): StoreLocation[] {
  if (location === null) return [];
  const isNew = before?.latitude !== location.latitude || before.longitude !== location.longitude;
  return [{ store: line.inventory_store_code ?? line.directory_id ?? '', isNew, ...location }];
}

/** Whether a row names a store. A row that is set aside still shows that its store is in the directory. */
function names({ inventory_store_code: code, directory_id: id }: StoreNames, store: OpenStore): boolean {
  return (code !== null && code === store.inventory_store_code) || (id !== null && id === store.directory_id);
}

/** The known store of each line, if any: by inventory code, or by directory id if the code is new or null. */
export function matchStores(
  lines: readonly StoreLine[],
  before: readonly OpenStore[],
): ReadonlyMap<StoreLine, OpenStore> {
  const byCode = new Map(before.map((store) => [store.inventory_store_code, store]));
  // If two stores share a directory id, the one that the directory still has comes last and wins.
  const missingFirst = [...before].sort((a, b) => Number(isPresent(a)) - Number(isPresent(b)));
  const byDirectory = new Map(missingFirst.map((store) => [store.directory_id, store]));
  const matched = new Map<StoreLine, OpenStore>();
  const used = new Set<OpenStore>();
  const match = (line: StoreLine, store: OpenStore | undefined) => {
    if (store === undefined || used.has(store)) return;
    matched.set(line, store);
    used.add(store);
  };
  for (const line of lines) if (line.inventory_store_code !== null) match(line, byCode.get(line.inventory_store_code));
  for (const line of lines)
    if (!matched.has(line) && line.directory_id !== null) match(line, byDirectory.get(line.directory_id));
  return matched;
}

function insertStore(next: NextPublication, writer: StoreWriter, line: StoreLine): number {
  const key =
    line.inventory_store_code === null ? `directory:${line.directory_id}` : `code:${line.inventory_store_code}`;
  const id = entityId(next.databaseId, 'store', key);
  // If a store takes over a code, the first store keeps the id that was made from it.
  const free = writer.hasId(id) ? entityId(next.databaseId, 'store', `${next.sequence}:${key}`) : id;
  return writer.insert({ id: free, first_publication: next.sequence });
}

function storeVersion(line: StoreLine): Omit<VersionOf<'store_version'>, 'store'> {
  const { address, location, operational_status: status, services, directory_presence: presence, ...same } = line;
  return {
    ...same,
    ...address,
    observed_publication: null,
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
    operational_state: status.state,
    operational_note: status.note,
    operational_source: status.source,
    services: JSON.stringify(services),
    presence_state: presence?.state ?? null,
    presence_last_seen_at: presence?.last_seen_at ?? null,
  };
}

function isPresent({ observed_publication }: OpenStore): boolean {
  return observed_publication === null;
}

/** Keeps a store as it was: its details come from the last directory with a good row for it. */
function keepAsItWas({ previous, sequence }: NextPublication, writer: StoreWriter, store: OpenStore): void {
  if (!isPresent(store) || previous === null) return;
  writer.versions.put(sequence, { ...store, observed_publication: previous.directory_publication });
}

/** Marks a store as suspected missing, unless it was reviewed as retired. */
function markMissing({ previous, sequence }: NextPublication, writer: StoreWriter, store: OpenStore): void {
  const isMarked = store.presence_state === 'suspect_missing' || store.presence_state === 'reviewed_retired';
  if ((!isPresent(store) && isMarked) || previous === null) return;
  writer.versions.put(sequence, {
    ...store,
    observed_publication: store.observed_publication ?? previous.directory_publication,
    presence_state: store.presence_state === 'reviewed_retired' ? 'reviewed_retired' : 'suspect_missing',
    presence_last_seen_at: previous.directory_retrieved_at,
  });
}
