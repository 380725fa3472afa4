import { eventsOfPiece, eventsPerPiece } from '../contract/formats/change-pieces.ts';
import { exportSchemaVersion } from '../contract/formats/export.ts';
import { describeTable } from '../contract/formats/parquet.ts';
import { parquetMediaType } from '../contract/headers.ts';
import { objectPath, pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import { hasColumnsOf, joinTables, ParquetTable } from '../encode/parquet.ts';
import { allChangesPaths, type ChangeList } from '../resources/change-list.ts';
import { changeLinesOf, changesHeader } from '../resources/change-pieces.ts';
import { passing } from '../resources/export-records.ts';
import { indexLayout } from '../resources/page-index.ts';
import type { TableFacts } from '../resources/service.ts';
import { dailyPart } from './daily-part.ts';
import type { DocumentWriter } from './document-writer.ts';
import type { FileLookup } from './export-files.ts';
import { allChanges } from './jobs.ts';

/**
 * Makes the tables over time from the parts that are there: all pieces of the change history, the events after them, and
 * `daily` of all exported publications. `pieces`: numbers of the pieces. Returns how many rows each has.
 */
export function makeHistoryTables(
  writer: DocumentWriter,
  pieces: readonly number[],
  exported: readonly Publication[],
  fileOf: FileLookup,
): TableFacts['historyRows'] {
  const oldestFirst = exported.toSorted((a, b) => a.sequence - b.sequence);
  const dailyRows = oldestFirst.reduce((sum, { product_count }) => sum + product_count, 0);
  const changeRows = pieces.length * eventsPerPiece;
  const partOf = (table: 'changes' | 'daily', path: string, anew: () => Uint8Array): Uint8Array => {
    const bytes = writer.storage.read(objectPath(fileOf(path).sha256));
    if (bytes === null) throw new Error(`no object of ${path}`);
    return hasColumnsOf(table, bytes) ? bytes : anew();
  };
  const list = allChanges(writer);
  const retained = list.feed.retained(writer.state.publication.sequence);
  const firstNewest = indexLayout(writer.state, list).lastSegment * eventsPerPiece + 1;
  const newest = retained
    ? eventsTable(writer, list, Math.max(retained.first, firstNewest), retained.last)
    : new ParquetTable('changes');
  store(writer, 'newest_changes_parquet', newest.end(changesHeader(newest.rows)));
  if (!takesOverChanges(writer, pieces)) {
    const parts = pieces.map((number) =>
      partOf('changes', pathOf('change_piece_parquet', { number: String(number) }), () => {
        const { first, last } = eventsOfPiece(number);
        return eventsTable(writer, list, first, last).end(changesHeader(eventsPerPiece));
      }),
    );
    store(writer, 'changes_parquet', joinTables('changes', parts, changesHeader(changeRows)));
  }
  store(
    writer,
    'daily_parquet',
    joinTables(
      'daily',
      oldestFirst.map(({ revision, sequence }) =>
        partOf('daily', pathOf('export_parquet', { revision, table: 'daily' }), () => dailyPart(writer, sequence)),
      ),
      {
        resource: 'daily',
        schema_version: exportSchemaVersion,
        record_count: dailyRows,
        fields: describeTable('daily'),
      },
    ),
  );
  return { changes: changeRows, newest_changes: newest.rows, daily: dailyRows };
}

/** Takes over the file of all pieces if the previous publication had just these. */
function takesOverChanges(writer: DocumentWriter, pieces: readonly number[]): boolean {
  const had = (number: number) => writer.previous?.get(pathOf('change_piece_parquet', { number: String(number) }));
  const whole = pathOf('changes_parquet');
  if (!writer.previous?.get(whole) || !pieces.every(had) || had((pieces[0] ?? 1) - 1)) return false;
  writer.keep(whole);
  return true;
}

function eventsTable(writer: DocumentWriter, list: ChangeList, first: number, last: number): ParquetTable {
  const table = new ParquetTable('changes');
  const lines = passing(changeLinesOf(allChangesPaths.list, list.events(first, last), writer.texts), table);
  for (const _ of lines);
  return table;
}

function store(
  writer: DocumentWriter,
  kind: 'changes_parquet' | 'newest_changes_parquet' | 'daily_parquet',
  bytes: Uint8Array,
): void {
  const delivery = { mediaType: parquetMediaType, encoding: null, cache: 'revalidate', since: null } as const;
  writer.writeBytes(bytes, { path: pathOf(kind), ...delivery });
}
