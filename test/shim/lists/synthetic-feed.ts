import { pageSize, segmentSize } from '../../../contract/pages.ts';
import { changeType } from '../../../contract/schemas/change.ts';
import { type ChangeType, storeChangeTypes } from '../../../contract/vocabulary.ts';
import { seededRandom } from '../../support/random.ts';
import { type TinyDocument, type TinySite, tinySite } from '../tiny-site.ts';

/** The fields of an event that lists read, and a number to identify it. */
export type FeedEvent = {
  readonly id: number;
  readonly type: string;
  readonly store: { readonly id: string } | null;
  readonly times: { readonly retrieved_at: string };
};

export const stores = [1, 2, 3, 4].map((n) => `0000000${n}-0000-4000-8000-000000000000`);
export const types = changeType.options;

/** A time for synthetic events. Times are whole hours, so that many are equal. */
export function hour(n: number): string {
  return `${new Date(Date.UTC(2025, 0, 1, n)).toISOString().slice(0, 19)}Z`;
}

/** Makes events, oldest first. Stores, types and times come in runs, so that summaries can rule out pages. */
export function syntheticEvents(count: number, seed: number): FeedEvent[] {
  const next = seededRandom(seed);
  const pick = (n: number) => Math.floor(next() * n);
  let [type, store] = [0, 0];
  return Array.from({ length: count }, (_, index) => {
    if (pick(60) === 0) type = pick(types.length);
    if (pick(60) === 0) store = pick(stores.length);
    const own = types[pick(10) === 0 ? pick(types.length) : type] as ChangeType;
    return {
      id: index + 1,
      type: own,
      store: storeChangeTypes.includes(own) ? { id: stores[store] as string } : null,
      times: { retrieved_at: hour(Math.floor(index / 7) + pick(30)) },
    };
  });
}

export function revisionNumber(sequence: number): string {
  return `${String(sequence).padStart(8, '0')}-1111-4111-8111-111111111111`;
}

export type FeedPlace = {
  readonly firstPage?: number;
  readonly list?: string;
  readonly cut?: string;
  readonly members?: readonly string[];
  readonly others?: Readonly<Record<string, TinyDocument>>;
};

/**
 * A site whose list of all changes has these events. It divides them into pages like the generator, but in separate and
 * plain code. `firstPage`: the oldest retained page. `list`, `cut`: the addresses of the list and of its pages.
 * `members`: those of the family, if the list belongs to one. `others`: further documents.
 */
export function feedSite(
  events: readonly FeedEvent[],
  sequence: number,
  { firstPage = 1, list = '/v1/changes', cut = '/v1/changes', members = [], others = {} }: FeedPlace = {},
): TinySite {
  const sealed = Math.floor(Math.max(0, events.length - 1) / pageSize);
  const meta = {
    page: {},
    history: {
      tracking_started_at: hour(0),
      earliest_available_at: hour(0),
      latest_available_at: hour(sequence),
      retention_days: 365,
      retained_event_count: events.length,
      source_update_time_known: false,
    },
    warnings: [{ code: 'FIXTURE_DATA' }],
  };
  const page = (path: string, rows: readonly FeedEvent[], next: string | null = null) => ({
    body: JSON.stringify({ data: [...rows].reverse(), meta, links: { self: path, next } }),
  });
  const newest = sealed < firstPage ? null : `${cut}/pages/${sealed}.json`;
  const documents: Record<string, TinyDocument> = { [list]: page(list, events.slice(sealed * pageSize), newest) };
  for (let number = firstPage; number <= sealed; number += 1) {
    const path = `${cut}/pages/${number}.json`;
    documents[path] = page(path, pageEvents(events, number));
  }
  const numbers = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  const segments = numbers(1, Math.floor(sealed / segmentSize)).filter((n) => n * segmentSize >= firstPage);
  for (const number of segments) {
    const pages = numbers((number - 1) * segmentSize + 1, number * segmentSize);
    documents[`${cut}/segments/${number}.json`] = {
      body: JSON.stringify({
        number,
        pages: pages.map((one) => ({ number: one, ...summary(pageEvents(events, one)), products: [] })),
        stores,
        products: [],
      }),
    };
  }
  const loose = numbers(Math.max(firstPage, Math.floor(sealed / segmentSize) * segmentSize + 1), sealed);
  const index = {
    body: JSON.stringify({
      page_size: pageSize,
      page_path: `${cut}/pages/{number}.json`,
      first_page: firstPage,
      segments: segments.map((number) => ({
        number,
        path: `${cut}/segments/${number}.json`,
        ...summary(events.slice((number - 1) * segmentSize * pageSize, number * segmentSize * pageSize)),
      })),
      pages: loose.map((number) => ({ number, ...summary(pageEvents(events, number)), products: [] })),
      stores,
      products: [],
    }),
  };
  if (sealed > 0) documents[`${list}/pages.json`] = index;
  if (members.length > 0) {
    const family = { data: { members: members.map((id) => ({ id })) } };
    documents[list.replace(/\/changes$/, '')] = { body: JSON.stringify(family) };
  }
  for (const id of stores) documents[`/v1/stores/${id}`] = { body: '{}' };
  return tinySite({ revision: revisionNumber(sequence), sequence, documents: { ...others, ...documents } });
}

function pageEvents(events: readonly FeedEvent[], number: number): readonly FeedEvent[] {
  return events.slice((number - 1) * pageSize, number * pageSize);
}

function summary(events: readonly FeedEvent[]) {
  const times = events.map(({ times: { retrieved_at } }) => retrieved_at).sort();
  const span = [times[0], times[times.length - 1]];
  return {
    count: events.length,
    retrieved: span,
    published: span,
    types: types.filter((type) => events.some((event) => event.type === type)),
    stores: stores.flatMap((id, position) => (events.some(({ store }) => store?.id === id) ? [position] : [])),
  };
}
