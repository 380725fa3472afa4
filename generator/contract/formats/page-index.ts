import * as z from 'zod';
import { changeType } from '../documents/change.ts';
import { address, count, dateTime, uuid } from '../primitives.ts';

/** Rows of a sealed page, and pages of a sealed segment. */
export const pageSize = 100;
export const segmentSize = 100;
/** Segments of an index: 655 million events. */
export const mostSegments = 65_536;

/**
 * Summary of a sealed page. `retrieved` and `published` are the oldest and newest times of its events. `stores` and
 * `products` are positions in the tables of the document that has the summary.
 */
export const pageSummary = z.strictObject({
  number: z.int().min(1),
  count: z.int().min(1).max(pageSize),
  retrieved: z.tuple([dateTime, dateTime]),
  published: z.tuple([dateTime, dateTime]),
  types: z.array(changeType),
  stores: z.array(count),
  products: z.array(count),
});

export type PageSummary = z.infer<typeof pageSummary>;

const tables = { stores: z.array(uuid), products: z.array(uuid) };

/** Summaries of 100 sealed pages. The segment is sealed too: it never changes while one of its pages is retained. */
export const pageSegment = z
  .strictObject({ number: z.int().min(1), pages: z.array(pageSummary).length(segmentSize), ...tables })
  .meta({ id: 'PageSegment' });

export type PageSegment = z.infer<typeof pageSegment>;

export const segmentSummary = z.strictObject({
  number: z.int().min(1),
  path: address,
  count,
  retrieved: z.tuple([dateTime, dateTime]),
  published: z.tuple([dateTime, dateTime]),
  types: z.array(changeType),
  stores: z.array(count),
});

export type SegmentSummary = z.infer<typeof segmentSummary>;

/**
 * The index of a change list: sealed segments first, then the sealed pages that are in no segment yet, both oldest
 * first. `page_path` has `{number}` in place of a page's number. Events newer than the last sealed page are in the list
 * itself. A list has an index from its first sealed page on, also when all of them are past retention.
 */
export const pageIndex = z
  .strictObject({
    page_size: z.literal(pageSize),
    page_path: address,
    first_page: z.int().min(1),
    segments: z.array(segmentSummary).max(mostSegments),
    pages: z.array(pageSummary).max(segmentSize),
    ...tables,
  })
  .meta({ id: 'PageIndex' });

export type PageIndex = z.infer<typeof pageIndex>;

/** What stands in for the index of a list that never had a sealed page, and therefore has no index. */
export const emptyIndex: PageIndex = {
  page_size: pageSize,
  page_path: '',
  first_page: 1,
  segments: [],
  pages: [],
  stores: [],
  products: [],
};

/** The text whose SHA-256 begins with the digest in the addresses of a family's pages. */
export function membersText(memberIds: readonly string[]): string {
  return [...memberIds].sort().join('\n');
}

/** Number of the newest sealed page. If none is retained, it is the number of the last page that was. */
export function lastSealedPage({ pages, segments, first_page }: SealedRuns): number {
  const [page, segment] = [pages.at(-1), segments.at(-1)];
  if (page) return page.number;
  return segment ? segment.number * segmentSize : first_page - 1;
}

/** Number of the page that has an event, by the event's number in the log. */
export function pageOfEvent(event: number): number {
  return Math.ceil(event / pageSize);
}

/** Number of the oldest event of a page. */
export function firstEventOf(page: number): number {
  return (page - 1) * pageSize + 1;
}

/** The fields of an index that tell how far a list is sealed. */
type SealedRuns = {
  readonly first_page: number;
  readonly pages: readonly { readonly number: number }[];
  readonly segments: readonly { readonly number: number }[];
};

/**
 * How a change list is cut into pages: its newest sealed page, and the numbers of the oldest event that is retained and of
 * the newest one, 0 where there never was any. Events are numbered from the oldest one ever. Page n holds the events up to n
 * times 100, and the list itself those after the last page. `inList`: how many these are.
 */
export function pageTable(index: SealedRuns, inList: number) {
  const sealed = lastSealedPage(index);
  return { sealed, oldest: firstEventOf(index.first_page), newest: sealed * pageSize + inList };
}
