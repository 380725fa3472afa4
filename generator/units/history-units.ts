import { readFileSync } from 'node:fs';
import {
  type ContextTable,
  contextTable,
  type HistoryTable,
  type TableHeader,
  type TableSources,
  type VersionTable,
  versionTable,
} from '../../contract/columns/parquet.ts';
import { type SortedRun, sortedRuns } from '../../contract/columns/sorted-runs.ts';
import { monthOf } from '../../contract/instant.ts';
import { formatPath, objectPath } from '../../contract/paths.ts';
import { eventsInPiece, eventsPerPiece } from '../../contract/schemas/change-pieces.ts';
import { parseJson } from '../../contract/text.ts';
import type { Publication } from '../database/publications.ts';
import { changeEvent } from '../documents/change-list.ts';
import { historyHeader } from '../documents/change-pieces.ts';
import { csvPrices } from '../documents/csv-rows.ts';
import { indexLayout, numbers } from '../documents/page-index.ts';
import { priceSteps } from '../documents/product-series.ts';
import { lastExpired } from '../documents/retention.ts';
import type { TableFacts } from '../documents/service.ts';
import { productsBySku } from '../documents/state.ts';
import { textOfGzip } from '../tables/compression.ts';
import { csvFile } from '../tables/csv.ts';
import { ParquetTable } from '../tables/parquet.ts';
import { TableFile } from '../tables/table-file.ts';
import type { DocumentWriter } from './document-writer.ts';
import { type BuildContext, digest, type Unit } from './kind.ts';

/** Roughly how many rows of `coverage` a publication has. */
const usualCoverage = 1_000;

/** Roughly how many rows of a table take as long to make as one document. */
export const rowsPerDocument = 60;

/**
 * Writes a table over time. A run that the previous file has is copied from it. `rowsOf` reads all others from the
 * database, and `rowsIn` tells how many rows each has. One row group is in memory at a time.
 */
function writeHistory<Name extends HistoryTable>(
  writer: DocumentWriter,
  table: Name,
  path: string,
  runs: readonly SortedRun[],
  rowsIn: (run: SortedRun) => number,
  rowsOf: (run: SortedRun) => Iterable<TableSources[Name]>,
): void {
  const { profile } = writer.state;
  const file = writer.openFile(path);
  const output = new ParquetTable(table, profile, path, file.write);
  const before = writer.previousFile(path);
  const previous = before && new TableFile(before.file, before.size);
  const groupsOf = previous && output.hasColumnsOf(previous) ? runGroups(previous) : () => null;
  const written = runs.map((run) => {
    const rowsBefore = output.rows;
    const groups = groupsOf(run);
    output.beginRun(rowsIn(run));
    if (previous && groups) for (const group of groups) output.copyGroup(previous, group);
    else for (const row of rowsOf(run)) output.add(row);
    return { ...run, record_count: output.rows - rowsBefore };
  });
  output.end(historyHeader(table, output.rows, profile, written));
  file.end();
}

/** Returns a function that finds the row groups of a run in a file; null for a run that the file does not have. */
function runGroups(file: TableFile): (run: SortedRun) => readonly number[] | null {
  const { runs = [] } = parseJson(file.header ?? '{}') as TableHeader;
  const found = new Map<string, readonly number[]>();
  let group = 0;
  for (const { first, last, record_count } of runs) {
    const groups: number[] = [];
    for (let rows = 0; rows < record_count; group += 1) {
      rows += file.groups[group] ?? record_count;
      groups.push(group);
    }
    found.set(`${first} ${last}`, groups);
  }
  return ({ first, last }) => found.get(`${first} ${last}`) ?? null;
}

/**
 * How many publications or pieces some runs have in all. A build from nothing sorts them all, so such a unit is among
 * the largest.
 */
function sizeOf(runs: readonly SortedRun[]): number {
  return runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** The publications in `daily`, oldest first: those whose change events or exports are retained. */
function dailyRuns({ writer: { state, changes }, exported }: BuildContext): SortedRun[] {
  const { feed } = changes;
  const { sequence } = state.publication;
  const retained = feed.retained(sequence);
  // A page is retained as long as its newest event, so it may hold events of publications past retention.
  const ofOldestEvent = retained ? [feed.publicationAtPosition(retained.first)] : [];
  const first = Math.min(lastExpired(state) + 1, ...ofOldestEvent, ...exported.map((one) => one.sequence));
  return sortedRuns(first, sequence);
}

/** The unit of `daily.parquet`. */
export function* dailyTableUnits(context: BuildContext): Generator<Unit<readonly SortedRun[]>> {
  const runs = dailyRuns(context);
  const { revision, product_count } = context.writer.state.publication;
  const weight = Math.ceil((sizeOf(runs) * product_count) / rowsPerDocument / 4);
  yield { name: 'daily.parquet', inputs: { revision, runs: digest(runs) }, facts: runs, weight };
}

export function makeDailyTable(writer: DocumentWriter, runs: readonly SortedRun[]): void {
  const rowsInRun = ({ first, last }: SortedRun) => rowsIn(numbers(first, last).map(writer.state.publicationAt));
  const rowsOf = (run: SortedRun) => writer.daily.history(run);
  writeHistory(writer, 'daily_history', formatPath('daily_parquet'), runs, rowsInRun, rowsOf);
}

/** The unit of `coverage.parquet`, which has the publications of `daily`. */
export function* coverageUnits(context: BuildContext): Generator<Unit<readonly SortedRun[]>> {
  const runs = dailyRuns(context);
  const { revision } = context.writer.state.publication;
  yield { name: 'coverage.parquet', inputs: { revision, runs: digest(runs) }, facts: runs, weight: 20 };
}

export function makeCoverage(writer: DocumentWriter, runs: readonly SortedRun[]): void {
  const path = formatPath('context_parquet', { context: 'coverage' });
  const rowsIn = ({ first, last }: SortedRun) => (last - first + 1) * usualCoverage;
  writeHistory(writer, 'coverage', path, runs, rowsIn, writer.overTime.coverage);
}

/** Facts for a table of versions: the table, and the publications whose versions it has. */
type VersionFacts = { readonly table: VersionTable; readonly first: number; readonly last: number };

/** A unit for each table of versions. */
export function* versionUnits(context: BuildContext): Generator<Unit<VersionFacts>> {
  const { revision, sequence: last, product_count } = context.writer.state.publication;
  const first = dailyRuns(context)[0]?.first ?? last;
  for (const table of versionTable.options) {
    const weight = table === 'products_over_time' ? Math.ceil((2 * product_count) / rowsPerDocument) : 10;
    yield { name: `${table}.parquet`, inputs: { revision, first }, facts: { table, first, last }, weight };
  }
}

export function makeVersions(writer: DocumentWriter, { table, ...publications }: VersionFacts): void {
  const path = formatPath('context_parquet', { context: table });
  const file = writer.openFile(path);
  const output = new ParquetTable(table, writer.state.profile, path, file.write);
  for (const row of writer.overTime[table](publications)) output.add(row);
  output.end(historyHeader(table, output.rows, writer.state.profile));
  file.end();
}

/** The pieces in `changes.parquet`, as runs of their numbers. */
function pieceRuns({ writer }: BuildContext): SortedRun[] {
  const { firstSegment, lastSegment } = indexLayout(writer.state, writer.changes);
  return sortedRuns(firstSegment, lastSegment);
}

/** The unit of `changes.parquet`. Its `facts` are the runs of events. */
export function* changesTableUnits(context: BuildContext): Generator<Unit<readonly SortedRun[]>> {
  const runs = pieceRuns(context).map(({ first, last }) => ({
    first: eventsInPiece(first).first,
    last: eventsInPiece(last).last,
  }));
  const weight = Math.ceil(sizeOf(runs) / 20);
  yield { name: 'changes.parquet', inputs: { runs: digest(runs) }, facts: runs, weight };
}

export function makeChangesTable(writer: DocumentWriter, runs: readonly SortedRun[]): void {
  writeHistory(writer, 'changes_history', formatPath('changes_parquet'), runs, eventsIn, eventsBySku(writer));
}

/** Returns a function that reads the events of a run, by SKU, and those of a product oldest first. */
export function eventsBySku({ state, events }: DocumentWriter) {
  const products = productsBySku(state);
  return function* ({ first, last }: SortedRun) {
    const changed = new Set(events.productsIn(first, last).map(({ product }) => product));
    for (const { key } of products.filter((product) => changed.has(product.key))) {
      for (const row of events.ofProduct(key, first, last)) {
        yield { publication: row.publication, number: row.number, event: changeEvent(row, state.publicationAt) };
      }
    }
  };
}

/** How many events a run has. */
export function eventsIn({ first, last }: SortedRun): number {
  return last - first + 1;
}

/** The first and the last position of the events after the last piece. */
function newestEvents({ state, changes }: DocumentWriter): SortedRun {
  const retained = changes.feed.retained(state.publication.sequence);
  const first = indexLayout(state, changes).lastSegment * eventsPerPiece + 1;
  return retained ? { first: Math.max(first, retained.first), last: retained.last } : { first, last: first - 1 };
}

/** Makes the table with the events after the last piece. */
export function makeNewestChanges(writer: DocumentWriter): void {
  const run = newestEvents(writer);
  const runs = eventsIn(run) > 0 ? [run] : [];
  writeHistory(writer, 'changes_history', formatPath('newest_changes_parquet'), runs, eventsIn, eventsBySku(writer));
}

/** The publications in `daily`, by month in UTC, oldest first. */
function dailyMonths(context: BuildContext): Map<string, Publication[]> {
  const first = dailyRuns(context)[0]?.first ?? 1;
  const publications = context.writer.state.publications.filter(({ sequence }) => sequence >= first);
  return Map.groupBy(publications, ({ published_at }) => monthOf(published_at));
}

/** A month of `daily.csv`, and the sequences of its publications. The file before has the first `written` of them. */
type MonthFacts = { readonly month: string; readonly sequences: readonly number[]; readonly written: number };

/** A unit for each month of `daily.csv`. */
export function* dailyCsvUnits(context: BuildContext): Generator<Unit<MonthFacts>> {
  for (const [month, publications] of dailyMonths(context)) {
    const name = `daily.csv of ${month}`;
    const digestOf = (count: number) => digest(publications.slice(0, count).map(({ revision }) => revision));
    const inputs = { publications: digestOf(publications.length) };
    const before = context.inputsBefore(name)?.publications;
    const written = numbers(1, publications.length - 1).findLast((count) => digestOf(count) === before) ?? 0;
    const facts = { month, sequences: publications.map(({ sequence }) => sequence), written };
    yield { name, inputs, facts, weight: Math.ceil(rowsIn(publications) / rowsPerDocument / 4) };
  }
}

/** Makes a month of `daily.csv`. The rows that the file before has are copied from it. */
export function makeDailyCsv(writer: DocumentWriter, { month, sequences, written }: MonthFacts): void {
  const { state, daily } = writer;
  const path = formatPath('daily_month_csv', { month });
  const before = written > 0 ? writer.previousFile(path) : null;
  function* rows() {
    for (const sequence of before ? sequences.slice(written) : sequences) yield* daily.at(sequence);
  }
  const begun = before && textOfGzip(readFileSync(before.file));
  writer.writeFile(path, csvFile('daily', state.profile, rows(), begun));
}

/** How many rows `daily` has of some publications. */
function rowsIn(publications: readonly Publication[]): number {
  return publications.reduce((sum, { product_count }) => sum + product_count, 0);
}

/** The unit of `prices.csv`. */
export function* pricesUnits({ writer: { state } }: BuildContext): Generator<Unit> {
  const { revision, product_count } = state.publication;
  const weight = Math.ceil(product_count / rowsPerDocument);
  yield { name: 'prices.csv', inputs: { revision }, facts: null, weight };
}

export function makePrices(writer: DocumentWriter): void {
  const { state, series } = writer;
  const rows = csvPrices(state, priceSteps(series, lastExpired(state)));
  writer.writeFile(formatPath('prices_csv'), csvFile('prices', state.profile, rows));
}

/** The files of the site, and the row counts of the tables over time. */
export function tableFacts(context: BuildContext): TableFacts {
  const { writer, fileAt } = context;
  const rowsAt = (path: string) => {
    const { sha256, size } = fileAt(path);
    return new TableFile(writer.storage.locate(objectPath(sha256)), size).rows;
  };
  const contextRows = contextTable.options.map((one) => [one, rowsAt(formatPath('context_parquet', { context: one }))]);
  return {
    fileAt,
    monthRows: new Map([...dailyMonths(context)].map(([month, publications]) => [month, rowsIn(publications)])),
    historyRows: {
      changes: rowsAt(formatPath('changes_parquet')),
      newest_changes: rowsAt(formatPath('newest_changes_parquet')),
      daily: rowsAt(formatPath('daily_parquet')),
      prices: [...priceSteps(writer.series, lastExpired(writer.state)).values()].flat().length,
      ...(Object.fromEntries(contextRows) as Record<ContextTable, number>),
    },
  };
}
