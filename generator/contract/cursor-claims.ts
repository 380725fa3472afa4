import * as z from 'zod';
import { changeHistory } from './documents/change.ts';
import { warnings } from './documents/warning.ts';
import { count, sha256, uuid } from './primitives.ts';

/**
 * Where a walk of change events stands. Events of a feed are numbered from its oldest one and keep their numbers, so
 * that a number is a key and no offset. What the walk's first page said of the feed goes with it.
 */
export const feedPosition = z.strictObject({
  /** The newest event that was not looked at yet. */
  event: count,
  /** Where the feed's pages stand: with other members a family is cut otherwise. */
  cut: z.string(),
  history: changeHistory,
  warnings,
});

export type FeedPosition = z.infer<typeof feedPosition>;

/** Where a walk by name stands: the page, and the row in it that comes next; null for its first. */
export const rowPosition = z.strictObject({ page: z.string(), row: uuid.nullable() });

export type RowPosition = z.infer<typeof rowPosition>;

/** What a cursor says. Private to the service: nobody else reads it, and only its own signature makes it believed. */
export const cursorClaims = z.strictObject({
  revision: uuid,
  /** SHA-256 of the list's address with its canonical query. */
  query: sha256,
  /** Seconds since 1970. */
  expires: z.int(),
  position: z.union([feedPosition, rowPosition]),
});

export type CursorClaims = z.infer<typeof cursorClaims>;
