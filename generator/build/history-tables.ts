import { eventsOfPiece, eventsPerPiece } from '../contract/formats/change-pieces.ts';
import { exportSchemaVersion } from '../contract/formats/export.ts';
import { describeTable, type TableHeader } from '../contract/formats/parquet.ts';
import { parquetMediaType } from '../contract/headers.ts';
import { pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import { hasColumnsOf, joinTables, ParquetTable, partsOf } from '../encode/parquet.ts';
import { allChangesPaths, type ChangeList } from '../resources/change-list.ts';
import { changeLinesOf, changesHeader } from '../resources/change-pieces.ts';
import { indexLayout } from '../resources/page-index.ts';
import type { TableFacts } from '../resources/service.ts';
import { allChanges } from './all-changes.ts';
import { type DailyPart, dailyParts, dailyPublications } from './daily-part.ts';
import type { DocumentWriter } from './document-writer.ts';
import type { FileLookup } from './export-files.ts';

/**
 * Makes the tables over time from the parts that are there: all pieces of the change history, the events after them, and
 * `daily` of all publications whose events are retained. A part that is missing or damaged is made anew. `pieces`: numbers of
 * the pieces. `made`: parts of `daily` that are no files, by publication. Returns how many rows each has.
 */
export function makeHistoryTables(
  writer: DocumentWriter,
  pieces: readonly number[],
  exported: readonly Publication[],
  made: ReadonlyMap<number, Uint8Array>,
  fileOf: FileLookup,
): TableFacts['historyRows'] {
  const changeRows = pieces.length * eventsPerPiece;
  const partOf = (table: 'changes' | 'daily', path: string, anew: () => Uint8Array): Uint8Array => {
    const bytes = writer.soundObject(fileOf(path).sha256);
    return bytes && hasColumnsOf(table, bytes) ? bytes : anew();
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
  const publications = dailyPublications(writer, exported);
  const dailyRows = publications.reduce((sum, { product_count }) => sum + product_count, 0);
  const sequences = new Set(exported.map(({ sequence }) => sequence));
  const before = publications.every(({ sequence }) => sequences.has(sequence) || made.has(sequence))
    ? new Map<number, Uint8Array>()
    : previousDaily(writer);
  const dailyParts = publications.map(({ sequence, revision }) => {
    const anew = () => dailyPart(writer, sequence);
    if (!sequences.has(sequence)) return made.get(sequence) ?? before.get(sequence) ?? anew();
    return partOf('daily', pathOf('export_parquet', { revision, table: 'daily' }), anew);
  });
  store(writer, 'daily_parquet', joinTables('daily', dailyParts, dailyHeader(dailyRows)));
  return { changes: changeRows, newest_changes: newest.rows, daily: dailyRows };
}

function dailyPart(writer: DocumentWriter, sequence: number): Uint8Array {
  const [{ bytes }] = [...dailyParts(writer, [sequence])] as [DailyPart];
  return bytes;
}

function dailyHeader(rows: number): TableHeader {
  return { resource: 'daily', schema_version: exportSchemaVersion, record_count: rows, fields: describeTable('daily') };
}

/** The parts of the previous publication's `daily`, by publication; none when other code made it. */
function previousDaily(writer: DocumentWriter): Map<number, Uint8Array> {
  const route = writer.previous?.get(pathOf('daily_parquet'));
  const bytes = route && writer.soundObject(route.sha256);
  return bytes ? partsOf('daily', bytes, dailyHeader) : new Map();
}

/** Takes over the file of all pieces if the previous publication had just these. Of no pieces, it is made anew. */
function takesOverChanges(writer: DocumentWriter, pieces: readonly number[]): boolean {
  const had = (number: number) => writer.previous?.get(pathOf('change_piece_parquet', { number: String(number) }));
  const whole = pathOf('changes_parquet');
  const [first] = pieces;
  if (first === undefined || !writer.previous?.get(whole) || !pieces.every(had) || had(first - 1)) return false;
  writer.keep(whole);
  return true;
}

function eventsTable(writer: DocumentWriter, list: ChangeList, first: number, last: number): ParquetTable {
  const table = new ParquetTable('changes');
  changeLinesOf(allChangesPaths.list, list.events(first, last), writer.texts, table);
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
