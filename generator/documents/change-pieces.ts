import {
  describeTable,
  type HistoryTable,
  type TableHeader,
  tableResource,
  type VersionTable,
} from '../../contract/columns/parquet.ts';
import { exportSchemaVersion } from '../../contract/columns/table.ts';
import { pageSize } from '../../contract/pages.ts';
import { formatPath } from '../../contract/paths.ts';
import type { Profile } from '../../contract/profile.ts';
import {
  type ChangePieces,
  changeFieldDescriptions,
  eventsInPiece,
  eventsPerPiece,
} from '../../contract/schemas/change-pieces.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { changing, type Document, type Site } from './document.ts';
import type { Summary } from './page-index.ts';

/** The header of a Parquet file: a table over time, which may have runs, or a piece of the change history. */
export function historyHeader(
  table: HistoryTable | VersionTable | 'changes',
  rows: number,
  profile: Profile,
  runs?: NonNullable<TableHeader['runs']>,
): TableHeader {
  return {
    resource: tableResource(table),
    schema_version: exportSchemaVersion,
    record_count: rows,
    ...(runs ? { runs } : {}),
    fields: describeTable(table, profile),
  };
}

/**
 * Lists the pieces, one for each segment, with the size and hash of their files. `unpackedAt`: what a file unpacks to.
 * `firstLoosePage`: the first retained page after the segments.
 */
export function changePiecesDocument(
  segments: readonly Summary[],
  firstLoosePage: number,
  fileAt: (path: string) => ObjectReference,
  unpackedAt: (path: string) => ObjectReference,
  { address }: Site,
  profile: Profile,
): Document {
  const value: ChangePieces = {
    format: 'gzip_ndjson',
    schema_version: exportSchemaVersion,
    events_per_piece: eventsPerPiece,
    fields: changeFieldDescriptions(profile),
    pieces: segments.map(({ number, retrieved, published }) => {
      const path = formatPath('change_piece', { number: String(number) });
      const { first, last } = eventsInPiece(number);
      const { size, sha256 } = fileAt(path);
      const table = formatPath('change_piece_parquet', { number: String(number) });
      const tableFile = fileAt(table);
      return {
        number,
        url: address(path),
        first_event: first,
        last_event: last,
        record_count: eventsPerPiece,
        size,
        sha256,
        unpacked: { name: `changes-${number}.ndjson`, ...unpackedAt(path) },
        parquet: { url: address(table), size: tableFile.size, sha256: tableFile.sha256 },
        retrieved: [...retrieved],
        published: [...published],
      };
    }),
    parquet: { url: address(formatPath('changes_parquet')), newest_url: address(formatPath('newest_changes_parquet')) },
    after: {
      first_event: (firstLoosePage - 1) * pageSize + 1,
      first_page: firstLoosePage,
      page_path: address(formatPath('changes_page', { number: '{number}' })),
      list: { url: address(formatPath('changes')) },
    },
  };
  return changing(formatPath('change_pieces'), value);
}
