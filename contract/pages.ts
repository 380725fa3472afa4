import type { PageIndex } from './schemas/pages.ts';

/** How many events a sealed page has, and how many pages a sealed segment has. */
export const pageSize = 100;
export const segmentSize = 100;

/** Stands for the index of a list that never had a sealed page, and therefore has no index. */
export const emptyIndex: PageIndex = {
  page_size: pageSize,
  page_path: '',
  first_page: 1,
  segments: [],
  pages: [],
  stores: [],
  products: [],
};

/** Page addresses of a family contain the beginning of this text's SHA-256. */
export function membersText(memberIds: readonly string[]): string {
  return [...memberIds].sort().join('\n');
}

/** The number of the newest sealed page; if no page is retained, the number of the last one that was. */
export function lastSealedPage({ pages, segments, first_page }: SealedRuns): number {
  const [page, segment] = [pages.at(-1), segments.at(-1)];
  if (page) return page.number;
  return segment ? segment.number * segmentSize : first_page - 1;
}

/** The number of the page that has an event. `event`: its number in the list. */
export function pageWithEvent(event: number): number {
  return Math.ceil(event / pageSize);
}

export function oldestEventIn(page: number): number {
  return (page - 1) * pageSize + 1;
}

type SealedRuns = {
  readonly first_page: number;
  readonly pages: readonly { readonly number: number }[];
  readonly segments: readonly { readonly number: number }[];
};

/**
 * How a change list is divided into pages: its newest sealed page, the number of the oldest retained event, and the
 * number of the newest event, which is 0 if there never was one. Events are numbered from the oldest one ever. Page n
 * ends with event number 100 × n, and the list itself has the events after the last page. `inList`: how many events the
 * list itself has.
 */
export function pageTable(index: SealedRuns, inList: number) {
  const sealed = lastSealedPage(index);
  return { sealed, oldest: oldestEventIn(index.first_page), newest: sealed * pageSize + inList };
}
