import { hash } from 'node:crypto';
import type { AddressKind } from '../../contract/addresses.ts';
import { membersText, pageSize } from '../../contract/pages.ts';
import { formatPath, type PathParameters } from '../../contract/paths.ts';
import { type ChangeEvent, changeSemantics } from '../../contract/schemas/change.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import type { EventProductRow, EventReader, EventRow, EventStoreRow } from '../database/events.ts';
import type { Publication } from '../database/publications.ts';
import { changing, type Document, type Site, warningList } from './document.ts';
import { type Feed, pagedFeed, spanOfEvents, wholeLog } from './page-sealing.ts';
import { generalWarningsIn, type State } from './state.ts';

export function changeEvent(row: EventRow, publicationAt: (sequence: number) => Publication): ChangeEvent {
  const { id, type, product, store, retrieved_at, source_updated_at } = row;
  return {
    id,
    type,
    product: eventProduct(product),
    store: store && eventStore(store),
    change: JSON.parse(row.change),
    semantics: changeSemantics[type],
    times: { source_updated_at, retrieved_at, published_at: publicationAt(row.publication).published_at },
    upstream_age_known: source_updated_at !== null,
  } as ChangeEvent;
}

/**
 * The JSON of {@link changeEvent}, without making the value: the log stores its payload as JSON, and the texts of
 * products and stores are shared by many events.
 */
export function eventText(row: EventRow, publicationAt: (sequence: number) => Publication): string {
  const { id, type, product, store, change, retrieved_at, source_updated_at } = row;
  const times = { source_updated_at, retrieved_at, published_at: publicationAt(row.publication).published_at };
  return (
    `{"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"product":${textOf(product, eventProduct)},` +
    `"store":${store === null ? 'null' : textOf(store, eventStore)},"change":${change},` +
    `"semantics":${JSON.stringify(changeSemantics[type])},"times":${JSON.stringify(times)},` +
    `"upstream_age_known":${source_updated_at !== null}}`
  );
}

/** The JSON of products and stores that events share. */
const texts = new WeakMap<object, string>();

function textOf<Row extends object>(row: Row, partOf: (row: Row) => object): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = JSON.stringify(partOf(row));
  texts.set(row, text);
  return text;
}

export function eventProduct({ product_id, sku, product_name, brand_name }: EventProductRow): ChangeEvent['product'] {
  return { id: product_id, source_ids: { agency_sku: sku }, name: product_name, brand: brand_name };
}

function eventStore({ store_id, inventory_store_code, store_name }: EventStoreRow) {
  return { id: store_id, source_ids: { inventory_store_code }, name: store_name };
}

/** `events` reads a run of events by position, oldest first. */
export type ChangeList = {
  readonly listPaths: ChangeListPaths;
  readonly feed: Feed;
  readonly events: (first: number, last: number) => readonly EventRow[];
};

/** The list of all changes, which reads its events when they are needed. */
export function allChanges({ publications, publicationAt }: State, reader: EventReader): ChangeList {
  const log = wholeLog(publications, (first, last) => reader.span(first, last));
  const events: ChangeList['events'] = (first, last) => reader.range(first, last);
  return { listPaths: allChangesPaths, feed: pagedFeed(log, publicationAt), events };
}

/** `products` are keys. The events are in memory. */
export function changesFor(
  { publication, publicationAt }: State,
  reader: EventReader,
  listPaths: ChangeListPaths,
  products: readonly number[],
): ChangeList {
  const all = products.flatMap((product) => reader.ofProduct(product, 1, publication.last_event));
  if (products.length > 1) all.sort((a, b) => a.number - b.number);
  const events: ChangeList['events'] = (first, last) => all.slice(first - 1, last);
  const batches = all.flatMap((event, index) =>
    event.publication === all[index + 1]?.publication ? [] : { publication: event.publication, last: index + 1 },
  );
  const span = (first: number, last: number) => spanOfEvents(events(first, last));
  return { listPaths, feed: pagedFeed({ batches, span }, publicationAt), events };
}

const lastPage = { has_more: false, next_cursor: null, cursor_expires_at: null };

/** The events after the last sealed page, newest first. */
export function headDocument(
  state: State,
  { listPaths, feed, events }: ChangeList,
  { address }: Site,
  warnings: readonly WarningCode[],
): Document {
  const at = state.publication.sequence;
  const sealed = feed.sealedPages(at);
  const isRetained = feed.isHeadRetained(at);
  const hasNext = isRetained && sealed >= feed.firstRetainedPage(at);
  const newest = isRetained ? events(sealed * pageSize + 1, feed.total(at)) : [];
  const value = {
    data: [],
    meta: {
      page: { ...lastPage, has_more: hasNext },
      history: feed.history(at),
      warnings: warningList(warnings),
      ...listPaths.meta,
    },
    links: { self: address(listPaths.list), next: hasNext ? address(listPaths.page(sealed)) : null },
  };
  return { ...changing(listPaths.list, value), ...rowsOf(state, listPaths, newest) };
}

/** The content depends only on the log up to the page's sealing, so it is the same whenever it is written. */
export function sealedPageDocument(
  state: State,
  { listPaths, feed, events }: ChangeList,
  { address }: Site,
  number: number,
): Document {
  const sealing = state.publicationAt(feed.sealedBy(number));
  const hasNext = number > feed.firstRetainedPage(sealing.sequence);
  const path = listPaths.page(number);
  return {
    path,
    cache: 'immutable',
    since: sealing.published_at,
    ...rowsOf(state, listPaths, events((number - 1) * pageSize + 1, number * pageSize)),
    value: {
      data: [],
      meta: {
        page: { ...lastPage, has_more: hasNext },
        history: feed.history(sealing.sequence),
        warnings: warningList(generalWarningsIn(sealing)),
        ...listPaths.meta,
      },
      links: { self: address(path), next: hasNext ? address(listPaths.page(number - 1)) : null },
    },
  };
}

/** The answer of all expired pages: an empty last page. Null if no page has expired. */
export function expiredPagesDocument(state: State, { listPaths, feed }: ChangeList): Document | null {
  const at = state.publication.sequence;
  const paths = Array.from({ length: feed.firstRetainedPage(at) - 1 }, (_, index) => listPaths.page(index + 1));
  const [path, ...aliases] = paths;
  if (path === undefined) return null;
  const history = {
    tracking_started_at: state.tracking_started_at,
    earliest_available_at: null,
    latest_available_at: null,
    retention_days: state.publication.history_days,
    retained_event_count: 0,
    source_update_time_known: false,
  };
  const value = { data: [], meta: { page: lastPage, history, warnings: [] }, links: { self: null, next: null } };
  return { path, aliases, cache: 'revalidate', since: null, value };
}

/** The events of a page, newest first. Each event is in the list of one product, and checked there. */
function rowsOf({ publicationAt }: State, { isOfProduct }: ChangeListPaths, events: readonly EventRow[]) {
  const newestFirst = events.toReversed();
  const rows = newestFirst.map((event) => eventText(event, publicationAt));
  return isOfProduct
    ? { rows, rowValues: () => newestFirst.map((event) => changeEvent(event, publicationAt)) }
    : { rows };
}

/** The paths of a list, its index, pages and segments, and the extra members of its `meta`. */
export type ChangeListPaths = {
  readonly list: string;
  readonly index: string;
  readonly isOfProduct: boolean;
  readonly meta: { readonly family?: { id: string; member_scope: 'members_visible_at_publication_revision' } };
  readonly page: (number: number) => string;
  readonly segment: (number: number) => string;
};

/** `pageOwner`: the parameters of page and segment addresses, except for their number. */
function changePaths<Kind extends 'changes' | 'product_changes' | 'family_changes'>(
  kind: Kind,
  owner: PathParameters<Kind>,
  pageOwner: Omit<PathParameters<`${Kind}_page`>, 'number'>,
  meta: ChangeListPaths['meta'] = {},
): ChangeListPaths {
  const at = formatPath as (kind: AddressKind, parameters: object) => string;
  return {
    list: at(kind, owner),
    index: at(`${kind}_index`, owner),
    isOfProduct: kind === 'product_changes',
    meta,
    page: (number) => at(`${kind}_page`, { ...pageOwner, number: String(number) }),
    segment: (number) => at(`${kind}_segment`, { ...pageOwner, number: String(number) }),
  };
}

export const allChangesPaths = changePaths('changes', {}, {});

export function productChangesPaths(product_id: string): ChangeListPaths {
  return changePaths('product_changes', { product_id }, { product_id });
}

/** When the members of a family change, so do its pages. Page addresses therefore contain a digest of the members. */
export function familyChangesPaths(family_id: string, memberIds: readonly string[]): ChangeListPaths {
  const digest = hash('sha256', membersText(memberIds)).slice(0, 16);
  const family = { id: family_id, member_scope: 'members_visible_at_publication_revision' } as const;
  return changePaths('family_changes', { family_id }, { family_id, digest }, { family });
}
