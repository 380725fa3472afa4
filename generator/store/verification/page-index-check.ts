import type { PageIndex, PageSegment, PageSummary, SegmentSummary } from '../../contract/page-index.ts';
import { segmentSize } from '../../contract/page-index.ts';
import { shown } from './fault.ts';
import { joinFacts, type PageFacts } from './page-facts.ts';
import { documentAt, type SiteUnderCheck } from './site-check.ts';

type Tables = { readonly stores: readonly string[]; readonly products: readonly string[] };

/**
 * The page index of one change list, held against the pages as a walk meets them, newest first. One segment is in
 * memory at a time.
 */
export class PageIndexCheck {
  readonly #site: SiteUnderCheck;
  readonly #path: string;
  readonly #index: PageIndex;
  readonly #loosePages: ReadonlyMap<number, PageSummary>;
  readonly #walked: number[] = [];
  #segment: { readonly number: number; readonly document: PageSegment | null } | null = null;

  constructor(site: SiteUnderCheck, path: string, index: PageIndex) {
    this.#site = site;
    this.#path = path;
    this.#index = index;
    this.#loosePages = new Map(index.pages.map((summary) => [summary.number, summary]));
    this.#checkNumbers();
    this.#checkAddresses();
  }

  /** A sealed page that the walk met. */
  meet(number: number, path: string, facts: PageFacts): void {
    this.#walked.push(number);
    const expected = this.#pathOf(number);
    if (path !== expected) this.#report(this.#path, `page ${number} at ${path}, where the list has it`, expected);
    const loose = this.#loosePages.get(number);
    if (loose) this.#compare(this.#path, `page ${number}`, facts, this.#resolve(loose, this.#index));
    else this.#meetInSegment(number, facts);
  }

  /** The walk came to its end: it must have met every retained page, from the last sealed one to the first. */
  finish(): void {
    const { first_page } = this.#index;
    const expected = Math.max(0, this.#lastPage - first_page + 1);
    const isWhole = this.#walked.length === expected && this.#walked.every((n, i) => n === this.#lastPage - i);
    if (isWhole) return;
    const got = `${this.#walked.length} pages, ${this.#walked[0] ?? 'none'} to ${this.#walked.at(-1) ?? 'none'}`;
    this.#report(this.#path, got, `${expected} pages, ${this.#lastPage} to ${first_page}`);
  }

  get #lastPage(): number {
    const { pages, segments, first_page } = this.#index;
    return pages.at(-1)?.number ?? (segments.at(-1)?.number ?? 0) * segmentSize ?? first_page - 1;
  }

  #checkNumbers(): void {
    const { segments, pages } = this.#index;
    const areConsecutive = (items: readonly { number: number }[]) =>
      items.every(({ number }, i) => i === 0 || number === (items[i - 1]?.number ?? 0) + 1);
    if (!areConsecutive(segments)) this.#report(this.#path, 'segments numbered one after the other', 'a gap');
    if (!areConsecutive(pages)) this.#report(this.#path, 'pages numbered one after the other', 'a gap');
  }

  #pathOf(number: number): string {
    return this.#index.page_path.replace('{number}', String(number));
  }

  #checkAddresses(): void {}

  #meetInSegment(_number: number, _facts: PageFacts): void {}

  #resolve(summary: PageSummary, _tables: Tables): PageFacts {
    return summary as unknown as PageFacts;
  }

  #compare(_path: string, _what: string, _facts: PageFacts, _got: PageFacts): void {}

  #report(path: string, expected: string, got: string): void {
    this.#site.faults.add('index_mismatch', path, expected, got);
  }
}
