import { ndjsonMediaType } from '../contract/headers.ts';
import { segmentSize } from '../contract/page-index.ts';
import { parsePath, pathOf } from '../contract/paths.ts';
import type { ObjectReference, Route } from '../contract/site.ts';
import { encodeLines } from '../representations/ndjson-gzip.ts';
import type { ChangeList } from '../resources/change-list.ts';
import { changePiecesDocument } from '../resources/change-pieces.ts';
import { indexLayout, type Summary } from '../resources/page-index.ts';
import type { Workshop } from './workshop.ts';

/** Stores a piece of the change history. It is of the publication that sealed the last of its pages. */
export function publishChangePiece(
  workshop: Workshop,
  { feed }: ChangeList,
  number: number,
  lines: readonly string[],
): void {
  const sealing = workshop.state.publicationAt(feed.sealedBy(number * segmentSize));
  workshop.publishBytes(encodeLines(lines), {
    path: pathOf('change_piece', { number: String(number) }),
    mediaType: ndjsonMediaType,
    encoding: 'gzip',
    cache: 'immutable',
    since: sealing.published_at,
  });
}

/**
 * Makes the document that lists the pieces, once they are made. An address that stands keeps the file it has, whatever
 * was made: so what stands counts first.
 */
export function publishChangePieces(
  workshop: Workshop,
  list: ChangeList,
  segments: readonly Summary[],
  standing: ReadonlyMap<string, Route>,
): void {
  const made = new Map<string, ObjectReference>();
  for (const { path, sha256, size } of workshop.made.routes) {
    if (parsePath(path)?.kind === 'change_piece') made.set(path, { sha256, size });
  }
  const fileOf = (path: string): ObjectReference => {
    const file = standing.get(path) ?? made.get(path);
    if (!file) throw new Error(`no piece ${path} was made`);
    return { sha256: file.sha256, size: file.size };
  };
  const { lastSegment } = indexLayout(workshop.state, list);
  workshop.publish([changePiecesDocument(segments, lastSegment, fileOf, workshop)]);
}
