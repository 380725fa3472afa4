import { isDeepStrictEqual } from 'node:util';
import type { ChangeEvent } from '../contract/documents/change.ts';
import {
  emptyIndex,
  lastSealedPage,
  type PageIndex,
  type PageSegment,
  type PageSummary,
  type SegmentSummary,
  segmentSize,
} from '../contract/formats/page-index.ts';
import { compareInstants } from '../contract/instant.ts';
import { parsePath, pathOf } from '../contract/paths.ts';
import { shownApart } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';

type Tables = { readonly stores: readonly string[]; readonly products: readonly string[] };
type LoadedSegment = { readonly number: number; readonly pages: readonly PageFacts[] | null };

/**
 * Compares the page index of a change list with the pages of a walk, newest first. A client may use either and must
 * find the same. Keeps the facts of one segment in memory at a time.
 */
export class PageIndexCheck {
  readonly #site: SiteUnderCheck;
  readonly #path: string;
  readonly #index: PageIndex;
  readonly #loosePages: ReadonlyMap<number, PageSummary>;
  readonly #met: number[] = [];
  #segment: LoadedSegment | null = null;

  constructor(site: SiteUnderCheck, path: string, index: PageIndex) {
    this.#site = site;
    this.#path = path;
    this.#index = index;
    this.#loosePages = new Map(index.pages.map((summary) => [summary.number, summary]));
    checkLayout(site, path, index);
  }

  /** Checks a sealed page that the walk met. */
  meet(number: number, path: string, facts: PageFacts): void {
    this.#met.push(number);
    const address = pagePath(this.#site, this.#index, number);
    if (address !== path) this.#report(this.#path, `page ${number} at ${path}, as the list has it`, address);
    const loose = this.#loosePages.get(number);
    if (loose) this.#compare(this.#path, `page ${number}`, facts, resolve(loose, this.#index));
    else this.#meetInSegment(number, facts);
  }

  /** Ends a complete walk. It must have met each retained page, from the last sealed one down to the first. */
  finish(): void {
    const { first, last } = retainedPages(this.#index);
    const count = Math.max(0, last - first + 1);
    if (this.#met.length === count && this.#met.every((number, i) => number === last - i)) return;
    const met = this.#met.length === 0 ? 'none' : `${this.#met[0]} down to ${this.#met.at(-1)}`;
    this.#report(
      this.#path,
      `the pages that the list leads to, ${met}`,
      count === 0 ? 'none' : `${last} down to ${first}`,
    );
  }

  #meetInSegment(number: number, facts: PageFacts): void {
    const wanted = segmentOf(number);
    const entry = this.#index.segments.find((segment) => segment.number === wanted);
    // A page without a summary is a gap, which `checkCoverage` reports, or a page out of order, which `finish` reports.
    if (!entry) return;
    if (this.#segment?.number !== wanted) this.#segment = { number: wanted, pages: this.#load(entry) };
    const summary = this.#segment.pages?.[(number - 1) % segmentSize];
    if (summary) this.#compare(this.#segmentPath(entry), `page ${number}`, facts, summary);
  }

  #load(entry: SegmentSummary): PageFacts[] | null {
    const path = this.#segmentPath(entry);
    const segment = documentAt<PageSegment>(this.#site, path);
    if (segment === null) return null;
    const first = (entry.number - 1) * segmentSize + 1;
    const misnumbered = segment.pages.find(({ number }, i) => number !== first + i);
    if (segment.number !== entry.number || misnumbered) {
      const expected = `segment ${entry.number} with pages ${first} to ${first + segmentSize - 1}`;
      this.#report(path, expected, `segment ${segment.number} with page ${misnumbered?.number ?? first}`);
      return null;
    }
    const pages = segment.pages.map((summary) => resolve(summary, segment));
    const { products: _, ...whole } = joinFacts(pages);
    const { products: __, ...said } = resolve({ ...entry, products: [] }, this.#index);
    this.#compare(this.#path, `segment ${entry.number}`, whole, said);
    return pages;
  }

  #segmentPath({ path }: SegmentSummary): string {
    return this.#site.addresses.pathOf(path);
  }

  #compare(path: string, what: string, actual: Partial<PageFacts>, said: Partial<PageFacts>): void {
    for (const key of Object.keys(actual) as (keyof PageFacts)[]) {
      if (isDeepStrictEqual(actual[key], said[key])) continue;
      const [expected, got] = shownApart(actual[key], said[key]);
      this.#report(path, `${what} with ${key} ${expected}`, got);
    }
  }

  #report(path: string, expected: string, got: string): void {
    this.#site.faults.add('index_mismatch', path, expected, got);
  }
}

/** The index of all changes, an empty one where the site has none; null when it cannot be read. */
export function indexOfAllChanges(site: SiteUnderCheck): PageIndex | null {
  const path = pathOf('changes_index');
  return site.table.find(path) === 'absent' ? emptyIndex : documentAt<PageIndex>(site, path);
}

/** A summary with ids instead of positions in its document's tables. A position outside them becomes `nothing`. */
function resolve(summary: Omit<PageSummary, 'number'>, { stores, products }: Tables): PageFacts {
  const { count, retrieved, published, types } = summary;
  return {
    count,
    retrieved,
    published,
    types: [...types].sort(),
    stores: summary.stores.map((position) => stores[position] ?? 'nothing').sort(),
    products: summary.products.map((position) => products[position] ?? 'nothing').sort(),
  };
}

/** Numbers of the oldest retained page and the newest sealed one. No page is retained when `last` is below `first`. */
function retainedPages(index: PageIndex): { first: number; last: number } {
  return { first: index.first_page, last: lastSealedPage(index) };
}

/** The path of a page. */
function pagePath({ addresses }: SiteUnderCheck, { page_path }: PageIndex, number: number): string {
  return addresses.pathOf(page_path).replace('{number}', String(number));
}

/**
 * Checks which pages an index covers, and that each page has its address, even those past retention (contract.md 4).
 */
function checkLayout(site: SiteUnderCheck, path: string, index: PageIndex): void {
  const add = (expected: string, got: string) => site.faults.add('index_mismatch', path, expected, got);
  if (!site.addresses.isOwn(index.page_path) || !isPartOf(path, pagePath(site, index, 1), 'page', 1)) {
    add('page_path of its own list', index.page_path);
  }
  if (retainedPages(index).last === 0) add('a sealed page, or no index', 'none');
  for (const segment of index.segments) {
    if (!isPartOf(path, site.addresses.pathOf(segment.path), 'segment', segment.number)) {
      add(`an address of its segment ${segment.number}`, segment.path);
    }
  }
  for (const part of ['segments', 'pages'] as const) {
    const numbers = index[part].map(({ number }) => number);
    const gap = numbers.findIndex((number, i) => i > 0 && number !== (numbers[i - 1] as number) + 1);
    if (gap > 0) add(`${part} numbered one after the other`, `${numbers[gap]} after ${numbers[gap - 1]}`);
  }
  const { first, last } = retainedPages(index);
  // Every page has an address, so a larger number is wrong. The bound keeps the loops below short.
  const bound = site.table.routes.size;
  if (Math.max(first - 1, last) > bound) {
    if (site.table.isComplete) add(`page numbers up to ${bound}, the routes of the site`, `${first} to ${last}`);
    return;
  }
  checkCoverage(index, add);
  checkAddresses(site, path, index);
}

/** Checks that each retained page has a summary, its own or one in a segment. */
function checkCoverage(index: PageIndex, add: (expected: string, got: string) => void): void {
  const { first, last } = retainedPages(index);
  const segments = new Set(index.segments.map(({ number }) => number));
  const pages = new Set(index.pages.map(({ number }) => number));
  for (let number = first; number <= last; number += 1) {
    if (!pages.has(number) && !segments.has(segmentOf(number))) add(`a summary of page ${number}`, 'none');
  }
}

function checkAddresses(site: SiteUnderCheck, path: string, index: PageIndex): void {
  const { table, faults } = site;
  const { first, last } = retainedPages(index);
  for (let number = 1; number <= Math.max(last, first - 1); number += 1) {
    const address = pagePath(site, index, number);
    const route = table.find(address);
    if (route === 'absent') {
      const expected = `an answer at ${address}, a page ${number < first ? 'past retention' : 'that it summarises'}`;
      faults.add('address_unresolved', path, expected, 'none');
    } else if (route !== 'unknown' && number < first && route.cache !== 'revalidate') {
      faults.add(
        'index_mismatch',
        path,
        `page ${number} past retention, before first_page ${first}`,
        'a retained page',
      );
    }
  }
}

function segmentOf(page: number): number {
  return Math.ceil(page / segmentSize);
}

/** Whether an address belongs to a page or segment of the list whose index is at `indexPath`. */
function isPartOf(indexPath: string, address: string, part: 'page' | 'segment', number: number): boolean {
  const index = parsePath(indexPath);
  const other = parsePath(address);
  return (
    other?.kind === index?.kind.replace(/index$/, part) &&
    other?.parameters.number === String(number) &&
    other.parameters.product_id === index?.parameters.product_id &&
    other.parameters.family_id === index?.parameters.family_id
  );
}

export type Span = readonly [oldest: string, newest: string];

/** The fields of a page summary, computed from the page's events. */
export type PageFacts = {
  readonly count: number;
  readonly retrieved: Span;
  readonly published: Span;
  readonly types: readonly string[];
  readonly stores: readonly string[];
  readonly products: readonly string[];
};

/** The facts of one or more events. Texts are sorted, each once. */
export function factsOf(events: readonly ChangeEvent[]): PageFacts {
  return {
    count: events.length,
    retrieved: spanOf(events.map(({ times }) => times.retrieved_at)),
    published: spanOf(events.map(({ times }) => times.published_at)),
    types: distinct(events.map(({ type }) => type)),
    stores: distinct(events.flatMap(({ store }) => (store === null ? [] : [store.id]))),
    products: distinct(events.map(({ product }) => product.id)),
  };
}

/** Facts of several pages together. */
function joinFacts(pages: readonly PageFacts[]): PageFacts {
  return {
    count: pages.reduce((sum, { count }) => sum + count, 0),
    retrieved: spanOf(pages.flatMap(({ retrieved }) => retrieved)),
    published: spanOf(pages.flatMap(({ published }) => published)),
    types: distinct(pages.flatMap(({ types }) => types)),
    stores: distinct(pages.flatMap(({ stores }) => stores)),
    products: distinct(pages.flatMap(({ products }) => products)),
  };
}

export function spanOf(instants: readonly string[]): Span {
  let oldest = instants[0] ?? '';
  let newest = oldest;
  for (const instant of instants) {
    if (compareInstants(instant, oldest) < 0) oldest = instant;
    if (compareInstants(instant, newest) > 0) newest = instant;
  }
  return [oldest, newest];
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
