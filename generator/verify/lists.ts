import { hash } from 'node:crypto';
import type { AddressKind } from '../../contract/addresses.ts';
import { compareInstants } from '../../contract/instant.ts';
import { membersText } from '../../contract/pages.ts';
import { formatPath, parsePath } from '../../contract/paths.ts';
import type { ChangeEvent, ChangeHistory } from '../../contract/schemas/change.ts';
import { shown } from '../../contract/schemas/checked-value.ts';
import type { PageIndex } from '../../contract/schemas/pages.ts';
import type { ObservationTimes } from '../../contract/schemas/primitives.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { isChangePage } from '../site/checked-table.ts';
import type { FaultList } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import { eventFacts, PageIndexCheck, type Span, toSpan } from './page-index.ts';
import type { Addresses } from './references.ts';

/**
 * The result of a walk. `isWhole` false: the walk did not reach the end, so the number of rows means nothing. A list
 * that an earlier verification proved is not walked.
 */
export type ListResult = { readonly rows: number; readonly isWhole: boolean };

/**
 * Walks a list to its end. For a change list, also checks its history, its page index, and that its events belong to
 * its own products.
 */
export function checkList(site: SiteUnderCheck, head: Route): ListResult {
  const kind = parsePath(head.path)?.kind;
  if (kind !== undefined && isChangeList(kind)) return checkChangeList(site, head);
  let rows = 0;
  const isWhole = walkList(site, head, (page) => {
    rows += page.data.length;
    return 'go on';
  });
  return { rows, isWhole };
}

function checkChangeList(site: SiteUnderCheck, head: Route): ListResult {
  const members = readMembers(site, head.path);
  const indexCheck = openIndexCheck(site, head, members);
  const isMember = memberTest(head.path, members);
  const isOfFamily = parsePath(head.path)?.parameters.family_id !== undefined;
  let history: ChangeHistory | undefined;
  let retrieved: Span | null = null;
  let rows = 0;
  const isWhole = walkList(site, head, (page, route) => {
    if (route === head) history = page.meta.history;
    rows += page.data.length;
    const events = page.data as readonly ChangeEvent[];
    const foreign = events.find(({ product }) => !isMember(product.id));
    if (foreign) {
      site.faults.add('list_foreign_row', route.path, `events of products of ${head.path}`, foreign.product.id);
    }
    if (events.length === 0) return 'go on';
    const facts = eventFacts(events);
    retrieved = toSpan([...(retrieved ?? []), ...facts.retrieved]);
    const number = parsePath(route.path)?.parameters.number;
    if (number === undefined) return 'go on';
    indexCheck?.meet(Number(number), route.path, facts);
    // Former members of a family may have events in its pages, which only the events themselves show.
    const older = !isOfFamily && site.known.isSame(route) ? indexCheck?.olderPages(Number(number)) : null;
    if (!older) return 'go on';
    rows += older.count;
    retrieved = toSpan([...retrieved, ...older.retrieved]);
    return 'the rest is known';
  });
  if (isWhole) indexCheck?.finish();
  if (isWhole && history) checkHistory(site, head.path, history, { rows, retrieved });
  return { rows, isWhole };
}

/**
 * The check of a list's index; null if the list has no index. A list has an index as soon as its first sealed page has
 * an address, which never goes away.
 */
function openIndexCheck(
  site: SiteUnderCheck,
  head: Route,
  members: readonly string[] | undefined,
): PageIndexCheck | null {
  const { kind, parameters } = parsePath(head.path) ?? {};
  const pathOfPart = formatPath as (kind: string, parameters: object) => string;
  const digest = hash('sha256', membersText(members ?? [])).slice(0, 16);
  const path = pathOfPart(`${kind}_index`, { ...parameters });
  const firstPage = pathOfPart(`${kind}_page`, { ...parameters, digest, number: '1' });
  const [route, first] = [site.table.find(path), site.table.find(firstPage)];
  if (route === 'absent' && typeof first !== 'string') {
    site.faults.add('route_missing', path, `an index, as ${firstPage} has an answer`, 'no route');
  }
  // The index of a family's former members stays for readers.
  const isOfFormerMembers =
    typeof route !== 'string' && route.last_sequence !== undefined && head.last_sequence === undefined;
  const index = isOfFormerMembers ? null : documentAt<PageIndex>(site, path);
  return index && new PageIndexCheck(site, path, index);
}

/** The ids of the current members of a list's family; undefined if it has no family, or the family cannot be read. */
function readMembers(site: SiteUnderCheck, path: string): readonly string[] | undefined {
  const { family_id } = parsePath(path)?.parameters ?? {};
  if (family_id === undefined) return undefined;
  const document = documentAt<{ data: { members: { id: string }[] } }>(site, formatPath('family', { family_id }));
  return document?.data.members.map(({ id }) => id);
}

/**
 * Returns a function that tells whether a list may have events of a product. A list is about all products, about one,
 * or about the current members of a family.
 */
function memberTest(path: string, members: readonly string[] | undefined): (productId: string) => boolean {
  const { product_id } = parsePath(path)?.parameters ?? {};
  if (product_id !== undefined) return (id) => id === product_id;
  const current = members && new Set(members);
  return (id) => current?.has(id) ?? true;
}

/** Compares `meta.history` of a head with the events of a walk from it (contract.md 2). */
function checkHistory(
  { faults }: SiteUnderCheck,
  path: string,
  history: ChangeHistory,
  { rows, retrieved }: { rows: number; retrieved: Span | null },
): void {
  if (history.retained_event_count !== rows) {
    const expected = `retained_event_count ${rows}, the events of a walk`;
    faults.add('list_count', path, expected, String(history.retained_event_count));
  }
  const times = [history.earliest_available_at, history.latest_available_at];
  for (const [i, name] of ['earliest_available_at', 'latest_available_at'].entries()) {
    const [expected, got] = [retrieved?.[i] ?? null, times[i] ?? null];
    const isEqual = expected === null || got === null ? expected === got : compareInstants(expected, got) === 0;
    if (!isEqual) faults.add('list_count', path, `${name} ${shown(expected)}, as in its events`, shown(got));
  }
}

/**
 * Follows a list from its head along `links.next`, as a client does, and passes each page to `visit` until the end or
 * the first page past retention, or until `visit` says that the rest is known. True when it reached the end. False when
 * it met an unreadable page or a wrong link, so that the pages say nothing about the whole.
 */
function walkList(
  site: SiteUnderCheck,
  head: Route,
  visit: (page: ListPage, route: Route) => 'go on' | 'the rest is known',
): boolean {
  const seen = new Set<string>();
  let lastRow: ListPage['data'][number] | undefined;
  let route = head;
  for (;;) {
    seen.add(route.path);
    const page = site.documents.read(route) as ListPage | null;
    const kind = parsePath(route.path)?.kind;
    if (page === null || kind === undefined) return false;
    if (isExpired(page, kind)) return true;
    const [firstRow] = page.data;
    if (lastRow && firstRow && compareRows(kind, lastRow, firstRow) >= 0) {
      const expected = `first row after ${lastRow.id}, the last one of the page before`;
      site.faults.add('list_order', route.path, expected, firstRow.id);
    }
    lastRow = page.data.at(-1) ?? lastRow;
    if (visit(page, route) === 'the rest is known' || page.links.next === null) return true;
    const next = nextRoute(site, head, route, page.links.next);
    if (next === null) return false;
    if (seen.has(next.path)) {
      site.faults.add('list_continuation', route.path, 'a next page not met before', next.path);
      return false;
    }
    route = next;
  }
}

/**
 * The next page of a list; null when the link does not lead to a page of this list, or when that page has no route. The
 * check of all addresses reports a missing route.
 */
function nextRoute(
  { table, addresses, faults }: SiteUnderCheck,
  head: Route,
  holder: Route,
  next: string,
): Route | null {
  const path = addresses.pathIn(next);
  const list = parsePath(head.path);
  const page = parsePath(path);
  const ids = ['product_id', 'family_id'] as const;
  const isOfList =
    page?.kind === `${list?.kind}_page` && ids.every((id) => page.parameters[id] === list?.parameters[id]);
  if (!isOfList) {
    faults.add('list_continuation', holder.path, `links.next to a page of ${head.path}`, shown(next));
    return null;
  }
  const route = table.find(path);
  return typeof route === 'string' ? null : route;
}

/** The fields of every list and of every page of one. */
export type ListPage = {
  readonly data: readonly { readonly id: string }[];
  readonly meta: {
    readonly page: {
      readonly has_more: boolean;
      readonly next_cursor: string | null;
      readonly cursor_expires_at: string | null;
    };
    readonly history?: ChangeHistory;
    readonly family?: { readonly id: string };
  };
  readonly links: { readonly self: string | null; readonly next: string | null };
};

/** Whether a page is the answer of an address past retention (contract.md 4). */
function isExpired({ data, links }: ListPage, kind: AddressKind): boolean {
  return isChangePage(kind) && data.length === 0 && links.self === null;
}

/** Checks one page by itself: its paging fields, its own address, the order of its rows, its cache policy. */
export function checkListPage(
  page: ListPage,
  kind: AddressKind,
  { path, cache }: Route,
  addresses: Addresses,
  faults: FaultList,
): void {
  const { meta, links } = page;
  const { has_more, next_cursor, cursor_expires_at } = meta.page;
  const expired = isExpired(page, kind);
  if (has_more !== (links.next !== null)) {
    faults.add('list_continuation', path, `has_more ${links.next !== null}, as links.next says`, String(has_more));
  }
  if (next_cursor !== null || cursor_expires_at !== null) {
    faults.add('list_continuation', path, 'a file without cursors', shown(next_cursor ?? cursor_expires_at));
  }
  if (!expired && (links.self === null || addresses.pathIn(links.self) !== path)) {
    faults.add('document_misplaced', path, `links.self ${path}`, shown(links.self));
  }
  if (isChangePage(kind) && (cache === 'revalidate') !== expired) {
    const expected = expired
      ? 'cache policy "revalidate" of a page past retention'
      : 'cache policy "immutable" of a page';
    faults.add('route_delivery', path, expected, shown(cache));
  }
  for (const [index, row] of page.data.entries()) {
    const before = page.data[index - 1];
    if (before && compareRows(kind, before, row) >= 0) {
      faults.add('list_order', path, `row ${index} after row ${before.id}, each once and in order`, row.id);
    }
  }
}

type NamedRow = { readonly id: string; readonly name: string };
type EventRow = { readonly id: string; readonly times: ObservationTimes };

/**
 * The order of rows in a list (contract.md 3): negative when `a` comes before `b`, never zero for two rows of one list.
 * A walk in strict order meets each row once, so rows need not be remembered. This is not the builder's code, because
 * it checks the builder's order.
 */
function compareRows(kind: AddressKind, a: unknown, b: unknown): number {
  return isChangeList(kind) ? compareEvents(a as EventRow, b as EventRow) : compareNames(a as NamedRow, b as NamedRow);
}

function isChangeList(kind: AddressKind): boolean {
  return /^(product_|family_)?changes(_page)?$/.test(kind);
}

/** Compares rows by name, then by id. */
export function compareNames(a: NamedRow, b: NamedRow): number {
  return compareCodePoints(nameKey(a.name), nameKey(b.name)) || compareTexts(a.id, b.id);
}

/**
 * Compares events, newest first. Events carry `published_at`, which grows with the publication's sequence and stands in
 * for it.
 */
export function compareEvents(a: EventRow, b: EventRow): number {
  return (
    compareInstants(b.times.published_at, a.times.published_at) ||
    compareInstants(b.times.retrieved_at, a.times.retrieved_at) ||
    compareTexts(b.id, a.id)
  );
}

function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** `<` compares UTF-16 units and sorts U+1F377 before U+FF21. Code points sort it after. */
function compareCodePoints(a: string, b: string): number {
  for (let index = 0; index < a.length && index < b.length; index += 1) {
    const left = a.codePointAt(index) as number;
    const right = b.codePointAt(index) as number;
    if (left !== right) return left - right;
  }
  return a.length - b.length;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
