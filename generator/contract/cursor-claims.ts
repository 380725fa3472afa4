import * as z from 'zod';
import { changeHistory } from './documents/change.ts';
import { warnings } from './documents/warning.ts';
import { count, sha256, uuid } from './primitives.ts';

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
