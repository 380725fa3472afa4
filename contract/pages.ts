import type { PageIndex } from './schemas/pages.ts';

/** Events in a sealed page, and pages in a sealed segment. */
export const pageSize = 100;
export const segmentSize = 100;

/** Takes the place of an index for a list that never had a sealed page, and therefore has none. */
export const emptyIndex: PageIndex = {
  page_size: pageSize,
  page_path: '',
  first_page: 1,
  segments: [],
  pages: [],
  stores: [],
  products: [],
};

/** The text that the digest in the addresses of a family's pages is made from: the beginning of its SHA-256. */
export function membersText(memberIds: readonly string[]): string {
  return [...memberIds].sort().join('\n');
}

/** The number of the newest sealed page. If none is retained, the number of the last one that was. */
export function lastSealedPage({ pages, segments, first_page }: SealedRuns): number {
  const [page, segment] = [pages.at(-1), segments.at(-1)];
  if (page) return page.number;
  return segment ? segment.number * segmentSize : first_page - 1;
}

/** The number of the page that has an event. `event`: its number in the log. */
export function pageWithEvent(event: number): number {
  return Math.ceil(event / pageSize);
}

/** The number of the oldest event in a page. */
export function oldestEventIn(page: number): number {
  return (page - 1) * pageSize + 1;
}

/** The fields of an index that show how far a list is sealed. */
type SealedRuns = {
  readonly first_page: number;
  readonly pages: readonly { readonly number: number }[];
  readonly segments: readonly { readonly number: number }[];
};

/**
 * How a change list is divided into pages: its newest sealed page, and the numbers of the oldest retained event and of
 * the newest event; 0 if there never was one. Events are numbered from the oldest one ever. Page n ends with event n
 * times 100, and the list itself has the events after the last page. `inList`: how many those are.
 */
export function pageTable(index: SealedRuns, inList: number) {
  const sealed = lastSealedPage(index);
  return { sealed, oldest: oldestEventIn(index.first_page), newest: sealed * pageSize + inList };
}
