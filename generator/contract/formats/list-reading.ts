import * as z from 'zod';
import { changeHistory, familyScope } from '../documents/change.ts';
import { warnings } from '../documents/envelope.ts';
import { address, count, sha256, uuid } from '../primitives.ts';
import { mostSegments, pageSize, segmentSize } from './page-index.ts';

/*
 * Lists and pages as a selection reads them. Schemas here name only the fields that a selection needs. The documents
 * were checked in full when they were written, and their hashes prove that they are unchanged.
 */

const links = z.looseObject({ self: address.nullable(), next: address.nullable() });

/** A change list or one of its pages. */
export const eventPage = z.looseObject({
  data: z
    .array(
      z.looseObject({
        type: z.string(),
        store: z.looseObject({ id: z.string() }).nullable(),
        times: z.looseObject({ retrieved_at: z.string() }),
      }),
    )
    .max(pageSize),
  meta: z.looseObject({ history: changeHistory, warnings, family: familyScope.optional() }),
  links,
});

export type EventPage = z.infer<typeof eventPage>;

/** A family, of which only the members are read. */
export const familyMembers = z.looseObject({ data: z.looseObject({ members: z.array(z.looseObject({ id: uuid })) }) });

/** A segment of a page index, with the fields that rule out pages. */
export const segmentPages = z.looseObject({
  number: z.int().min(1),
  pages: z
    .array(
      z.looseObject({
        retrieved: z.tuple([z.string(), z.string()]),
        types: z.array(z.string()),
        stores: z.array(z.number()),
      }),
    )
    .length(segmentSize),
  stores: z.array(z.string()),
});

/** An event as a follower of the feed reads it. Its other fields pass through unchanged. */
const feedEvent = z.looseObject({ id: uuid, type: z.string() });
export type FeedEvent = z.infer<typeof feedEvent>;

/** The list of all changes, or one of its pages, as a follower reads it. */
export const feedPage = z.looseObject({
  data: z.array(feedEvent).max(pageSize),
  meta: z.looseObject({ history: z.looseObject({ retained_event_count: count }) }),
  links: z.looseObject({ self: address.nullable(), next: address.nullable() }),
});

export type FeedPage = z.infer<typeof feedPage>;

const numbered = z.looseObject({ number: z.int().min(1) });

/** A correction as a follower reads it. Its other fields pass through unchanged. */
const followedCorrection = z.looseObject({ number: z.int().min(1), after_event: count, corrected_by_revision: uuid });
export type FollowedCorrection = z.infer<typeof followedCorrection>;

/** A correction is a publication, of which a pointer names no more either. */
const mostCorrections = 16_384;

/** The metadata of a site, as a follower reads it. Sites of contract 1.0 say nothing about their feed. */
export const feedMetadata = z.looseObject({
  data: z.looseObject({
    feed: z
      .looseObject({ last_event: count, corrections: z.array(followedCorrection).max(mostCorrections) })
      .optional(),
  }),
});

/** The page index of the list of all changes, as a follower reads it. */
export const feedIndex = z.looseObject({
  page_size: z.literal(pageSize),
  first_page: z.int().min(1),
  segments: z.array(numbered).max(mostSegments),
  pages: z.array(numbered).max(segmentSize),
});

export type FeedIndex = z.infer<typeof feedIndex>;

/** A list by name or one of its pages. */
export const rowPage = z.looseObject({
  data: z.array(z.looseObject({ id: uuid })).max(pageSize),
  meta: z.looseObject({ warnings }),
  links,
});

export type RowPage = z.infer<typeof rowPage>;

/** A document of one resource, of which only the id is read. */
export const identified = z.looseObject({ data: z.looseObject({ id: uuid }) });

/**
 * The position of a client in a feed of change events. Events are numbered from the oldest of the feed and keep their
 * numbers, so a number is a key and not an offset. `history` and `warnings` are those of the first page that the client
 * got.
 */
export const feedPosition = z.strictObject({
  /** Number of the newest event that no page has looked at yet. */
  event: count,
  /** The address of the feed's pages. It changes when the members of a family change, because the pages change then. */
  cut: z.string(),
  history: changeHistory,
  warnings,
});

export type FeedPosition = z.infer<typeof feedPosition>;

/**
 * The position of a client in a list by name: a page, and the next row in it. `row` is null for the first row of the
 * page.
 */
export const rowPosition = z.strictObject({ page: z.string(), row: uuid.nullable() });

export type RowPosition = z.infer<typeof rowPosition>;

/**
 * The content of a cursor. It is private to the service: clients do not read it, and the service accepts only what it
 * signed.
 */
export const cursorClaims = z.strictObject({
  revision: uuid,
  /** SHA-256 of the list's address with its canonical query. */
  query: sha256,
  /** Seconds since 1970. */
  expires: z.int(),
  position: z.union([feedPosition, rowPosition]),
});

export type CursorClaims = z.infer<typeof cursorClaims>;
