import * as z from 'zod';
import { pageSize, segmentSize } from '../pages.ts';
import { changeHistory, changeType, familyScope } from './change.ts';
import { address, component, count, dateTime, sha256, uuid, warnings } from './primitives.ts';

/** The most segments in an index, enough for 655 million events. */
const mostSegments = 65_536;

export const span = z.tuple([dateTime, dateTime]);
const ofEvents = { retrieved: span, published: span, types: z.array(changeType), stores: z.array(count) };

/**
 * `retrieved` and `published` are the oldest and newest times of a page's events. `stores` and `products` are positions
 * in the tables of the document that has the summary.
 */
export const pageSummary = z.strictObject({
  number: z.int().min(1),
  count: z.int().min(1).max(pageSize),
  ...ofEvents,
  products: z.array(count),
});
export type PageSummary = z.infer<typeof pageSummary>;

const tables = { stores: z.array(uuid), products: z.array(uuid) };

/** Summaries of 100 sealed pages. The segment is sealed too: it never changes while one of its pages is retained. */
export const pageSegment = component('PageSegment', {
  number: z.int().min(1),
  pages: z.array(pageSummary).length(segmentSize),
  ...tables,
});
export type PageSegment = z.infer<typeof pageSegment>;

const segmentSummary = z.strictObject({ number: z.int().min(1), path: address, count, ...ofEvents });
export type SegmentSummary = z.infer<typeof segmentSummary>;

/**
 * The index of a change list: sealed segments first, then the sealed pages that are in no segment yet, both oldest
 * first. `page_path` has `{number}` in place of a page's number. Events newer than the last sealed page are in the list
 * itself. A list has an index from its first sealed page on, even when all of its sealed pages are past retention.
 */
export const pageIndex = component('PageIndex', {
  page_size: z.literal(pageSize),
  page_path: address,
  first_page: z.int().min(1),
  segments: z.array(segmentSummary).max(mostSegments),
  pages: z.array(pageSummary).max(segmentSize),
  ...tables,
});
export type PageIndex = z.infer<typeof pageIndex>;

/*
 * Lists and pages as a selection reads them. These schemas name only the fields that a selection needs, and keep the
 * others as they are. The documents were checked in full when they were written, and their hashes prove that they are
 * unchanged.
 */

const links = z.object({ self: address.nullable(), next: address.nullable() });

/** A change list or one of its pages. */
export const eventPage = z.object({
  data: z
    .array(
      z.object({
        type: z.string(),
        store: z.object({ id: z.string() }).nullable(),
        times: z.object({ retrieved_at: z.string() }),
      }),
    )
    .max(pageSize),
  meta: z.object({ history: changeHistory, warnings, family: familyScope.optional() }),
  links,
});
export type EventPage = z.infer<typeof eventPage>;

export const familyMembers = z.object({ data: z.object({ members: z.array(z.object({ id: uuid })) }) });

/** A segment with only the fields by which a selection rules out pages. */
export const segmentPages = z.object({
  number: z.int().min(1),
  pages: z
    .array(
      z.object({
        retrieved: z.tuple([z.string(), z.string()]),
        types: z.array(z.string()),
        stores: z.array(z.number()),
      }),
    )
    .length(segmentSize),
  stores: z.array(z.string()),
});

/** These schemas have only the fields that a follower of the feed reads. */
const feedEvent = z.object({ id: uuid, type: z.string() });
export type FeedEvent = z.infer<typeof feedEvent>;

/** The list of all changes, or one of its pages. */
export const feedPage = z.object({
  data: z.array(feedEvent).max(pageSize),
  meta: z.object({ history: z.object({ retained_event_count: count }) }),
  links,
});
export type FeedPage = z.infer<typeof feedPage>;

const numbered = z.object({ number: z.int().min(1) });

const followedCorrection = z.object({ number: z.int().min(1), after_event: count, corrected_by_revision: uuid });
export type FollowedCorrection = z.infer<typeof followedCorrection>;

/** Each correction belongs to a publication, so the limit is the same as for a pointer's publications. */
const mostCorrections = 16_384;

export const feedMetadata = z.object({
  data: z.object({
    feed: z.object({ last_event: count, corrections: z.array(followedCorrection).max(mostCorrections) }),
  }),
});

export const feedIndex = z.object({
  page_size: z.literal(pageSize),
  first_page: z.int().min(1),
  segments: z.array(numbered).max(mostSegments),
  pages: z.array(numbered).max(segmentSize),
});
export type FeedIndex = z.infer<typeof feedIndex>;

/** A list by name or one of its pages. */
export const rowPage = z.object({
  data: z.array(z.object({ id: uuid })).max(pageSize),
  meta: z.object({ warnings }),
  links,
});
export type RowPage = z.infer<typeof rowPage>;

export const identified = z.object({ data: z.object({ id: uuid }) });

/**
 * A client's position in a feed of change events. Events are numbered from the oldest of the feed and keep their
 * numbers, so a number is a key and not an offset. `history` and `warnings` come from the first page that the client
 * got.
 */
export const feedPosition = z.strictObject({
  /** Number of the newest event that no page has looked at yet. */
  event: count,
  /**
   * The address of the feed's pages. For a family, the address changes with the members, because the pages change then.
   */
  cut: z.string(),
  history: changeHistory,
  warnings,
});
export type FeedPosition = z.infer<typeof feedPosition>;

/** A position in a list by name: a page, and the next row in it. `row` is null for the first row of the page. */
const rowPosition = z.strictObject({ page: z.string(), row: uuid.nullable() });
export type RowPosition = z.infer<typeof rowPosition>;

/** The content of a cursor. Clients do not read it, and the service accepts only what it signed. */
export const cursorClaims = z.strictObject({
  revision: uuid,
  /** SHA-256 of the list's address with its canonical query. */
  query: sha256,
  /** Seconds since 1970. */
  expires: z.int(),
  position: z.union([feedPosition, rowPosition]),
});
export type CursorClaims = z.infer<typeof cursorClaims>;
