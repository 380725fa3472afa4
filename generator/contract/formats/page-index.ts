import * as z from 'zod';
import { changeType } from '../documents/change.ts';
import { address, count, dateTime, uuid } from '../primitives.ts';

/** Rows of a sealed page, and pages of a sealed segment. */
export const pageSize = 100;
export const segmentSize = 100;

/**
 * What a sealed page holds. `retrieved` and `published` are the oldest and newest times of its events;
 * `stores` and `products` are positions in the tables of the document the summary stands in.
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

/** Summaries of 100 sealed pages, itself sealed: it never changes while one of its pages is retained. */
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
 * The index of a change list: sealed segments first, then the sealed pages of no segment yet, both oldest first.
 * `page_path` holds `{number}` where a page's number goes. Events newer than the last sealed page are in the list itself.
 */
export const pageIndex = z
  .strictObject({
    page_size: z.literal(pageSize),
    page_path: address,
    first_page: z.int().min(1),
    segments: z.array(segmentSummary),
    pages: z.array(pageSummary),
    ...tables,
  })
  .meta({ id: 'PageIndex' });

export type PageIndex = z.infer<typeof pageIndex>;

/** Number of the newest sealed page; where none is retained, that of the last one that was. */
export function lastSealedPage({ pages, segments, first_page }: SealedRuns): number {
  const [page, segment] = [pages.at(-1), segments.at(-1)];
  if (page) return page.number;
  return segment ? segment.number * segmentSize : first_page - 1;
}

/** The page that an event stands on, by its number in the log. */
export function pageOfEvent(event: number): number {
  return Math.ceil(event / pageSize);
}

/** What of an index tells how far a list is sealed. */
type SealedRuns = {
  readonly first_page: number;
  readonly pages: readonly { readonly number: number }[];
  readonly segments: readonly { readonly number: number }[];
};
