import * as z from 'zod';
import { changeFields } from './change-record.ts';
import { describe, exportFieldDescription, exportSchemaVersion } from './export.ts';
import { pageSize, segmentSize } from './page-index.ts';
import { address, count, dateTime, sha256 } from './primitives.ts';

/** A piece has the events of one sealed segment of the list of all changes: 100 sealed pages. */
export const eventsPerPiece = pageSize * segmentSize;

/** Numbers of the first and last event of a piece; pieces are numbered from the oldest, from 1. */
export function eventsOfPiece(number: number): { readonly first: number; readonly last: number } {
  return { first: (number - 1) * eventsPerPiece + 1, last: number * eventsPerPiece };
}

const span = z.tuple([dateTime, dateTime]);

/** A piece of the change history: a gzip file that never changes. `size` and `sha256` are of the compressed bytes. */
export const changePiece = z.strictObject({
  number: z.int().min(1),
  url: address,
  first_event: z.int().min(1),
  last_event: z.int().min(1),
  record_count: z.literal(eventsPerPiece),
  size: count,
  sha256,
  retrieved: span,
  published: span,
});

export type ChangePiece = z.infer<typeof changePiece>;

/** Where the events are that are in no piece yet: on the pages from that one on, then on the list itself. */
export const afterPieces = z.strictObject({
  first_event: z.int().min(1),
  first_page: z.int().min(1),
  page_path: address,
  list: z.strictObject({ url: address }),
});

/** The change history as files: its pieces, oldest first, and where their last one is continued. */
export const changePieces = z
  .strictObject({
    format: z.literal('gzip_ndjson'),
    schema_version: z.literal(exportSchemaVersion),
    events_per_piece: z.literal(eventsPerPiece),
    fields: z.array(exportFieldDescription),
    pieces: z.array(changePiece),
    after: afterPieces,
  })
  .meta({ id: 'ChangePieces' });

export type ChangePieces = z.infer<typeof changePieces>;

/** The columns of a piece's records, in the order of their keys. */
export function describeChangeFields(): ChangePieces['fields'] {
  return describe(changeFields);
}
