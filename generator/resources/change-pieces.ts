import type { ChangeEvent } from '../contract/documents/change.ts';
import {
  type ChangePieces,
  changeFieldDescriptions,
  changeRecord,
  changeRecordOf,
  eventsOfPiece,
  eventsPerPiece,
} from '../contract/formats/change-pieces.ts';
import { exportSchemaVersion } from '../contract/formats/export.ts';
import { segmentSize } from '../contract/formats/page-index.ts';
import type { ObjectReference } from '../contract/formats/site.ts';
import { checkValue } from '../contract/json.ts';
import { pathOf } from '../contract/paths.ts';
import type { EventRow } from '../database/events.ts';
import type { EventTexts } from './change-event.ts';
import { changing, type Document, type Site } from './document.ts';
import type { Summary } from './page-index.ts';

/**
 * Events as the checked lines of a piece. Records are made from the events' own JSON, so that the two cannot differ.
 */
export function changeLinesOf(path: string, events: readonly EventRow[], texts: EventTexts): string[] {
  return events.map((event) => {
    const record = changeRecordOf(event.number, JSON.parse(texts.of(event)) as ChangeEvent);
    checkValue(changeRecord, () => `${path}: event ${event.number}`, record);
    return JSON.stringify(record);
  });
}

/** The document that lists the pieces, one for each segment, with the size and hash of its file. */
export function changePiecesDocument(
  segments: readonly Summary[],
  lastSegment: number,
  fileOf: (path: string) => ObjectReference,
  { address }: Site,
): Document {
  const value: ChangePieces = {
    format: 'gzip_ndjson',
    schema_version: exportSchemaVersion,
    events_per_piece: eventsPerPiece,
    fields: changeFieldDescriptions,
    pieces: segments.map(({ number, retrieved, published }) => {
      const path = pathOf('change_piece', { number: String(number) });
      const { first, last } = eventsOfPiece(number);
      const { size, sha256 } = fileOf(path);
      return {
        number,
        url: address(path),
        first_event: first,
        last_event: last,
        record_count: eventsPerPiece,
        size,
        sha256,
        retrieved: [...retrieved],
        published: [...published],
      };
    }),
    after: {
      first_event: lastSegment * eventsPerPiece + 1,
      first_page: lastSegment * segmentSize + 1,
      page_path: address(pathOf('changes_page', { number: '{number}' })),
      list: { url: address(pathOf('changes')) },
    },
  };
  return changing(pathOf('change_pieces'), value);
}
