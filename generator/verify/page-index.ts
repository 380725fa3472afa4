import { isDeepStrictEqual } from 'node:util';
import { instantSpan } from '../../contract/instant.ts';
import { emptyIndex, lastSealedPage, segmentSize } from '../../contract/pages.ts';
import { formatPath, parsePath } from '../../contract/paths.ts';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { PageIndex, PageSegment, PageSummary, SegmentSummary } from '../../contract/schemas/pages.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';

/** The fields of a page summary, computed from the page's events, with ids in place of positions. */
export type PageFacts = {
  readonly count: number;
  readonly retrieved: Span;
  readonly published: Span;
  readonly types: readonly string[];
  readonly stores: readonly string[];
  readonly products: readonly string[];
};

export type Span = readonly [oldest: string, newest: string];

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
  readonly #seen: number[] = [];
  #segment: LoadedSegment | null = null;

  constructor(site: SiteUnderCheck, path: string, index: PageIndex) {
    this.#site = site;
    this.#path = path;
    this.#index = index;
    this.#loosePages = new Map(index.pages.map((summary) => [summary.number, summary]));
    this.#checkLayout();
  }

  /** Checks a sealed page that the walk met. */
  meet(number: number, path: string, facts: PageFacts): void {
    this.#seen.push(number);
    const address = this.#pagePath(number);
    if (address !== path) this.#report(`page ${number} at ${path}, as in the list`, address);
    const loose = this.#loosePages.get(number);
    if (loose) this.#compare(this.#path, `page ${number}`, facts, resolve(loose, this.#index));
    else this.#compareInSegment(number, facts);
  }

  /**
   * What the index says of all pages older than a page, if they and their summaries are the same as in the table that
   * was proved; otherwise null, and the walk goes on. The page itself must be the same too.
   */
  olderPages(page: number): Pick<PageFacts, 'count' | 'retrieved'> | null {
    const { first_page: first, segments, pages } = this.#index;
    const last = page - 1;
    const older = {
      segments: segments.filter(({ number }) => (number - 1) * segmentSize < last),
      pages: pages.filter(({ number }) => number <= last),
    };
    const newest = older.segments.at(-1);
    if (last < first || (newest && newest.number * segmentSize > last)) return null;
    const before = older.segments.length + older.pages.length === 0 ? null : this.#indexBefore();
    if (!before || !areSame(this.#index, before, older)) return null;
    if (!older.segments.every(({ path }) => this.#isSame(this.#site.addresses.pathIn(path)))) return null;
    for (let number = last; number >= first; number -= 1) if (!this.#isSame(this.#pagePath(number))) return null;
    for (let number = last; number >= first; number -= 1) this.#seen.push(number);
    // Some pages of the oldest segment may be past retention.
    const retained = older.segments.flatMap((entry): readonly Pick<PageFacts, 'count' | 'retrieved'>[] =>
      (entry.number - 1) * segmentSize + 1 < first
        ? (this.#load(entry) ?? []).slice((first - 1) % segmentSize)
        : [entry],
    );
    const facts = [...retained, ...older.pages];
    return {
      count: facts.reduce((sum, { count }) => sum + count, 0),
      retrieved: toSpan(facts.flatMap(({ retrieved }) => retrieved)),
    };
  }

  #isSame(path: string): boolean {
    const route = this.#site.table.find(path);
    return typeof route !== 'string' && this.#site.known.isSame(route);
  }

  /** The index in the table that was proved; null if it has none, or its object is damaged. */
  #indexBefore(): PageIndex | null {
    const { known, ledger } = this.#site;
    const before = known.before(this.#path);
    const bytes = before && ledger.read(before.sha256, before.user);
    return bytes ? (JSON.parse(bytes.toString()) as PageIndex) : null;
  }

  /** Ends a complete walk. It must have met each retained page, from the last sealed one down to the first. */
  finish(): void {
    const { first_page: first } = this.#index;
    const last = lastSealedPage(this.#index);
    if (this.#seen.length === last - first + 1 && this.#seen.every((number, i) => number === last - i)) return;
    const met = this.#seen.length === 0 ? 'none' : `${this.#seen[0]} down to ${this.#seen.at(-1)}`;
    this.#report(`the pages that the list leads to, ${met}`, last < first ? 'none' : `${last} down to ${first}`);
  }

  #compareInSegment(number: number, facts: PageFacts): void {
    const wanted = segmentNumber(number);
    const entry = this.#index.segments.find((segment) => segment.number === wanted);
    // A page without a summary is a gap, which `#checkLayout` reports, or a page out of order, which `finish` reports.
    if (!entry) return;
    if (this.#segment?.number !== wanted) this.#segment = { number: wanted, pages: this.#load(entry) };
    const summary = this.#segment.pages?.[(number - 1) % segmentSize];
    if (summary) this.#compare(this.#site.addresses.pathIn(entry.path), `page ${number}`, facts, summary);
  }

  #load(entry: SegmentSummary): PageFacts[] | null {
    const path = this.#site.addresses.pathIn(entry.path);
    const segment = documentAt<PageSegment>(this.#site, path);
    if (segment === null) return null;
    const first = (entry.number - 1) * segmentSize + 1;
    const misnumbered = segment.pages.find(({ number }, i) => number !== first + i);
    if (segment.number !== entry.number || misnumbered) {
      const expected = `segment ${entry.number} with pages ${first} to ${first + segmentSize - 1}`;
      this.#report(expected, `segment ${segment.number} with page ${misnumbered?.number ?? first}`, path);
      return null;
    }
    const pages = segment.pages.map((summary) => resolve(summary, segment));
    const { products: _, ...whole } = joinFacts(pages);
    this.#compare(this.#path, `segment ${entry.number}`, whole, resolve({ ...entry, products: [] }, this.#index));
    return pages;
  }

  #compare(path: string, what: string, facts: Partial<PageFacts>, stated: PageFacts): void {
    for (const [name, fact] of Object.entries(facts)) {
      const claim = (text: string) => `${what} with ${name} ${text}`;
      this.#site.faults.expectEqual('index_mismatch', path, fact, stated[name as keyof PageFacts], claim);
    }
  }

  /**
   * Checks which pages the index covers, and that each page has its address, even those past retention (contract.md 4).
   */
  #checkLayout(): void {
    const { addresses, table } = this.#site;
    const { page_path, segments, pages, first_page: first } = this.#index;
    if (!addresses.isOfSite(page_path) || !this.#isPart(this.#pagePath(1), 'page', 1)) {
      this.#report('page_path of its own list', page_path);
    }
    for (const { path, number } of segments) {
      if (this.#isPart(addresses.pathIn(path), 'segment', number)) continue;
      this.#report(`an address of its segment ${number}`, path);
    }
    for (const [name, list] of Object.entries({ segments, pages })) {
      const gap = list.find(({ number }, i) => i > 0 && number !== (list[i - 1]?.number ?? 0) + 1);
      if (gap) this.#report(`${name} numbered one after the other`, String(gap.number));
    }
    const last = lastSealedPage(this.#index);
    if (last === 0) this.#report('a sealed page, or no index', 'none');
    // Every page has an address, so a larger number is wrong. The bound keeps the loop below short.
    const most = table.routes.size;
    if (Math.max(first - 1, last) > most) {
      if (table.isComplete) this.#report(`page numbers up to ${most}, the routes of the site`, `${first} to ${last}`);
      return;
    }
    const summarised = new Set(segments.map(({ number }) => number));
    for (let number = 1; number <= Math.max(last, first - 1); number += 1) {
      const isRetained = number >= first;
      if (isRetained && !this.#loosePages.has(number) && !summarised.has(segmentNumber(number))) {
        this.#report(`a summary of page ${number}`, 'none');
      }
      this.#checkAddress(number, isRetained);
    }
  }

  #checkAddress(number: number, isRetained: boolean): void {
    const address = this.#pagePath(number);
    const route = this.#site.table.find(address);
    if (route === 'absent') {
      const what = isRetained ? 'a page that it summarises' : 'a page past retention';
      this.#site.faults.add('address_unresolved', this.#path, `an answer at ${address}, ${what}`, 'none');
    } else if (route !== 'unknown' && !isRetained && route.cache !== 'revalidate') {
      this.#report(`page ${number} past retention, before first_page ${this.#index.first_page}`, 'a retained page');
    }
  }

  #pagePath(number: number): string {
    return this.#site.addresses.pathIn(this.#index.page_path).replace('{number}', String(number));
  }

  /** Whether an address is a page or segment of this index's list. */
  #isPart(address: string, part: 'page' | 'segment', number: number): boolean {
    const [index, found] = [parsePath(this.#path), parsePath(address)];
    const { product_id, family_id } = index?.parameters ?? {};
    return (
      found?.kind === index?.kind.replace(/index$/, part) &&
      found?.parameters.number === String(number) &&
      found.parameters.product_id === product_id &&
      found.parameters.family_id === family_id
    );
  }

  #report(expected: string, got: string, path = this.#path): void {
    this.#site.faults.add('index_mismatch', path, expected, got);
  }
}

/** The index of all changes, empty if the site has none; null when it cannot be read. */
export function indexOfAllChanges(site: SiteUnderCheck): PageIndex | null {
  const path = formatPath('changes_index');
  return site.table.find(path) === 'absent' ? emptyIndex : documentAt<PageIndex>(site, path);
}

/** Whether an index says the same of these segments and pages as an earlier one. */
function areSame(index: PageIndex, before: PageIndex, parts: Pick<PageIndex, 'segments' | 'pages'>): boolean {
  const resolved = (from: PageIndex, { segments, pages }: typeof parts) =>
    new Map<string, unknown>([
      ...segments.map((entry) => [`segment ${entry.path}`, resolve({ ...entry, products: [] }, from)] as const),
      ...pages.map((entry) => [`page ${entry.number}`, resolve(entry, from)] as const),
    ]);
  const earlier = resolved(before, before);
  return [...resolved(index, parts)].every(([name, facts]) => isDeepStrictEqual(facts, earlier.get(name)));
}

function segmentNumber(page: number): number {
  return Math.ceil(page / segmentSize);
}

/** A summary with ids instead of positions in its document's tables. A position outside them becomes `nothing`. */
function resolve(
  { count, retrieved, published, types, ...positions }: Omit<PageSummary, 'number'>,
  { stores, products }: Pick<PageIndex, 'stores' | 'products'>,
): PageFacts {
  return {
    count,
    retrieved,
    published,
    types: [...types].sort(),
    stores: positions.stores.map((position) => stores[position] ?? 'nothing').sort(),
    products: positions.products.map((position) => products[position] ?? 'nothing').sort(),
  };
}

/** The facts of one or more events. Texts are sorted, each once. */
export function eventFacts(events: readonly ChangeEvent[]): PageFacts {
  return joinFacts(
    events.map(({ times, type, store, product }) => ({
      count: 1,
      retrieved: [times.retrieved_at, times.retrieved_at],
      published: [times.published_at, times.published_at],
      types: [type],
      stores: store === null ? [] : [store.id],
      products: [product.id],
    })),
  );
}

/** Facts of several pages or events together. */
function joinFacts(all: readonly PageFacts[]): PageFacts {
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    retrieved: toSpan(all.flatMap(({ retrieved }) => retrieved)),
    published: toSpan(all.flatMap(({ published }) => published)),
    types: distinct(all.flatMap(({ types }) => types)),
    stores: distinct(all.flatMap(({ stores }) => stores)),
    products: distinct(all.flatMap(({ products }) => products)),
  };
}

export function toSpan(instants: readonly string[]): Span {
  const { min, max } = instantSpan(instants);
  return [min ?? '', max ?? ''];
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
