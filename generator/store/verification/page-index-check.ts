import {
  type PageIndex,
  type PageSegment,
  type PageSummary,
  type SegmentSummary,
  segmentSize,
} from '../../contract/page-index.ts';
import { shown } from './fault.ts';
import { joinFacts, type PageFacts } from './page-facts.ts';
import { checkLayout, pagePath, retainedPages, segmentOf } from './page-index-layout.ts';
import { documentAt, type SiteUnderCheck } from './site-check.ts';

type Tables = { readonly stores: readonly string[]; readonly products: readonly string[] };
type LoadedSegment = { readonly number: number; readonly pages: readonly PageFacts[] | null };

/**
 * The page index of a change list, held against the pages as a walk meets them, newest first. A client may go by
 * either and must find the same. The facts of one segment are in memory at a time.
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

  /** A sealed page that the walk met. */
  meet(number: number, path: string, facts: PageFacts): void {
    this.#met.push(number);
    const address = pagePath(this.#site, this.#index, number);
    if (address !== path) this.#report(this.#path, `page ${number} at ${path}, as the list has it`, address);
    const loose = this.#loosePages.get(number);
    if (loose) this.#compare(this.#path, `page ${number}`, facts, resolve(loose, this.#index));
    else this.#meetInSegment(number, facts);
  }

  /** The walk came to its end: it met each retained page, from the last sealed one to the first. */
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
    // A page that nothing summarises is a gap in the layout, reported there, or a page met out of turn: see finish.
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
      const [expected, got] = [JSON.stringify(actual[key]), JSON.stringify(said[key])];
      if (expected !== got) this.#report(path, `${what} with ${key} ${shown(actual[key])}`, shown(said[key]));
    }
  }

  #report(path: string, expected: string, got: string): void {
    this.#site.faults.add('index_mismatch', path, expected, got);
  }
}

/** A summary with ids in place of positions in its document's tables; a position outside them gives nothing. */
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
