import type * as z from 'zod';
import type { AddressKind } from '../../contract/addresses.ts';
import { describeFields, type ExportHeader, exportHeader, exportRecords } from '../../contract/columns/export.ts';
import {
  type ContextTable,
  describeTable,
  historyTable,
  parquetSchema,
  type TableColumn,
  type TableHeader,
  type TableName,
  tableColumns,
  tableHeader,
  tableResource,
  versionTable,
} from '../../contract/columns/parquet.ts';
import { formatPath, objectPath, parsePath } from '../../contract/paths.ts';
import { type ChangeRecord, changeRecord, eventsInPiece } from '../../contract/schemas/change-pieces.ts';
import { shown } from '../../contract/schemas/checked-value.ts';
import type { ObjectReference, Route } from '../../contract/schemas/site-files.ts';
import { shortened } from '../../contract/text.ts';
import type { ExportResource, PublicationTable } from '../../contract/vocabulary.ts';
import type { FaultList } from '../site/fault.ts';
import { BrokenFile } from '../tables/broken-file.ts';
import { parseText, schemaFaults } from '../tables/checked-json.ts';
import { type ExportRecord, exportKey } from '../tables/export-reader.ts';
import { gzipLines } from '../tables/gzip-lines.ts';
import { piecesDigest } from '../tables/pieces.ts';
import { TableFile } from '../tables/table-file.ts';
import { readCsv } from './csv-file.ts';
import { compareMonths, rowsByPublication } from './daily-months.ts';
import { expectedValue, type SiteUnderCheck } from './documents.ts';
import { firstDifference } from './field-difference.ts';
import { readRuns, wholeTable } from './sorted-rows.ts';

/**
 * Facts from an export's header: how many data records or rows the file has, and when it was published. Each is null
 * where the header does not say.
 */
export type FileFacts = {
  readonly records: number;
  readonly publishedAt: string | null;
  /** What a gzip file unpacks to. */
  readonly unpacked?: ObjectReference | undefined;
  /** How many rows each publication has in `daily`, by its number. */
  readonly publications?: Readonly<Record<string, number>> | undefined;
};

/** The facts of each file that could be read to its end, by its path. */
export type ExportFacts = ReadonlyMap<string, FileFacts>;

type Read = (site: SiteUnderCheck, route: Route) => Promise<FileFacts | null>;

/** How export files are read, by the kind of their address. */
const readers: Readonly<Partial<Record<AddressKind, Read>>> = {
  export: readExport,
  change_piece: readPiece,
  export_parquet: (site, route) => readTable(site, route, parametersOf(route).table as PublicationTable),
  change_piece_parquet: (site, route) => readTable(site, route, 'changes'),
  changes_parquet: (site, route) => readTable(site, route, 'changes_history'),
  publication_changes_parquet: (site, route) => readTable(site, route, 'changes_history'),
  newest_changes_parquet: (site, route) => readTable(site, route, 'changes_history'),
  daily_parquet: (site, route) => readTable(site, route, 'daily_history'),
  context_parquet: (site, route) => readTable(site, route, parametersOf(route).context as ContextTable),
  products_csv: (site, route) => readCsv(site, route, 'products'),
  prices_csv: (site, route) => readCsv(site, route, 'prices'),
  daily_month_csv: (site, route) => readCsv(site, route, 'daily', parametersOf(route).month),
};

/**
 * Reads every export file of a site, one after the other, and checks that Parquet has as many rows as the NDJSON beside
 * it.
 */
export async function readExports(site: SiteUnderCheck): Promise<ExportFacts> {
  const facts = new Map<string, FileFacts>();
  const routes = [...site.table.routes.values()].filter((route) => readerOf(route) !== undefined);
  for (const [done, route] of routes.entries()) {
    site.progress('reading exports', done, routes.length);
    const object = site.ledger.check(route.sha256, route.path);
    const read = () => readerOf(route)?.(site, { ...route, size: object?.size ?? 0 });
    const found = object && (site.known.factsOf(route) ?? (await read()));
    if (found) facts.set(route.path, found);
  }
  for (const { path } of routes) compareWithTwin(site, path, facts);
  compareMonths(site, facts);
  return facts;
}

function readerOf({ path }: Route): Read | undefined {
  const kind = parsePath(path)?.kind;
  return kind && readers[kind];
}

function parametersOf({ path }: Pick<Route, 'path'>) {
  return parsePath(path)?.parameters ?? {};
}

/**
 * Compares the number of rows of a Parquet or CSV file with that of the NDJSON file with the same content. `daily` has
 * a row for each product.
 */
function compareWithTwin({ faults }: SiteUnderCheck, path: string, facts: ExportFacts): void {
  const { table, revision, number } = parametersOf({ path });
  const kind = parsePath(path)?.kind;
  const rows = facts.get(path)?.records;
  let twin: string;
  if (kind === 'products_csv') twin = formatPath('export', { revision: revision ?? '', resource: 'products' });
  else if (table !== undefined && revision !== undefined) {
    twin = formatPath('export', { revision, resource: table === 'daily' ? 'products' : table });
  } else if (number !== undefined) twin = formatPath('change_piece', { number });
  else return;
  const records = facts.get(twin)?.records;
  if (rows === undefined || records === undefined || rows === records) return;
  const code = kind === 'products_csv' ? 'export_count' : 'parquet_count';
  faults.add(code, path, `${records} rows, as ${twin} has records`, String(rows));
}

/** Checks an NDJSON file (contract.md 8): its header, and the schema, number and order of its records. */
async function readExport(site: SiteUnderCheck, route: Route): Promise<FileFacts | null> {
  const { faults } = site;
  const { path } = route;
  const { revision = '', resource } = parametersOf(route) as { revision?: string; resource: ExportResource };
  let header: ExportHeader['header'] | null = null;
  let last = '';
  const visit = (record: ExportRecord, line: number) => {
    if (line === 1) {
      header = (record as unknown as ExportHeader).header;
      const fields = describeFields(resource, site.profile);
      checkHeader(faults, 'export_header', path, header, { resource, publication_revision: revision, fields });
      return;
    }
    for (const column of ['agency_sku', 'price_currency', 'inventory_store_code']) {
      const value = record[column];
      const expected = typeof value === 'string' ? expectedValue(column, value, site.profile) : null;
      if (expected !== null) faults.add('export_record', path, `line ${line}: ${column} ${expected}`, shown(value));
    }
    const key = exportKey(record);
    if (key <= last) faults.add('export_order', path, `line ${line} after ${last}, each once and in order`, key);
    last = key;
  };
  const lines = await readLines(site, route, (line) => (line === 1 ? exportHeader : exportRecords[resource]), visit);
  if (lines === null) return null;
  if (lines.count === 0) faults.add('export_header', path, 'a header record', 'an empty file');
  const records = Math.max(0, lines.count - 1);
  const { record_count = records, published_at = null } = (header ?? {}) as Partial<ExportHeader['header']>;
  if (record_count !== records) {
    const expected = `record_count ${records} in its header, the data records it has`;
    faults.add('export_count', path, expected, String(record_count));
  }
  return { records, publishedAt: published_at, unpacked: lines.unpacked };
}

/** Checks a piece of the change history: its records are events with the numbers of the piece, one after the other. */
async function readPiece(site: SiteUnderCheck, route: Route): Promise<FileFacts | null> {
  const { first, last } = eventsInPiece(Number(parametersOf(route).number));
  const lines = await readLines(
    site,
    route,
    () => changeRecord,
    (record, line) => {
      const { number } = record as ChangeRecord;
      const expected = first + line - 1;
      if (number !== expected) site.faults.add('export_order', route.path, `event ${expected}`, String(number));
    },
  );
  if (lines === null) return null;
  if (lines.count !== last - first + 1) {
    site.faults.add('export_count', route.path, `${last - first + 1} records, a whole piece`, String(lines.count));
  }
  return { records: lines.count, publishedAt: null, unpacked: lines.unpacked };
}

/**
 * Reads a file line by line, and gives the records that match their schema to `visit`. Returns the number of lines, and
 * what the file unpacks to; null when it could not be read to its end.
 */
async function readLines(
  { files, faults }: SiteUnderCheck,
  { path, sha256, size }: Route,
  schemaAt: (line: number) => z.ZodType,
  visit: (record: ExportRecord, line: number) => void,
): Promise<{ readonly count: number; readonly unpacked: ObjectReference } | null> {
  let line = 0;
  const content = piecesDigest();
  try {
    for await (const texts of gzipLines(files.locate(objectPath(sha256)), size, undefined, content.take)) {
      for (const text of texts) {
        line += 1;
        const parsed = parseText(text);
        if ('fault' in parsed) {
          faults.add('export_record', path, `line ${line} as JSON`, parsed.fault);
          continue;
        }
        const schema = schemaAt(line);
        const code = schema === exportHeader ? 'export_header' : 'export_record';
        const found = schemaFaults(schema, parsed.value);
        for (const { expected, got } of found) faults.add(code, path, `line ${line}: ${expected}`, got);
        if (found.length === 0) visit(parsed.value as ExportRecord, line);
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    faults.add('export_compression', path, 'gzip-compressed lines of text', error.message);
    return null;
  }
  return { count: line, unpacked: content.reference() };
}

/**
 * Checks a Parquet file: its header and columns, that each of its row groups can be decoded, and the order of a table
 * over time.
 */
async function readTable(
  site: SiteUnderCheck,
  { path, sha256, size }: Route,
  table: TableName,
): Promise<FileFacts | null> {
  const { files, faults, profile } = site;
  try {
    const file = new TableFile(files.locate(objectPath(sha256)), size);
    checkSchema(faults, path, file, tableColumns(table, profile));
    const parsed = parseText(file.header ?? '');
    const found = 'fault' in parsed ? [] : schemaFaults(tableHeader, parsed.value);
    if ('fault' in parsed) faults.add('parquet_header', path, 'a header as JSON', parsed.fault);
    for (const { expected, got } of found) faults.add('parquet_header', path, `${expected} in its header`, got);
    const { runs = null } = ('fault' in parsed || found.length > 0 ? {} : parsed.value) as Partial<TableHeader>;
    const known = knownGroups(site, path);
    const isKnown = (group: number) => known.has(file.hashGroup(group));
    const history = historyTable.safeParse(table).data;
    const versions = versionTable.safeParse(table).data;
    if (history && runs) await readRuns(faults, path, file, { table: history, runs }, isKnown);
    else if (versions) await readRuns(faults, path, file, { table: versions, runs: wholeTable(file) }, isKnown);
    else for (const group of file.groups.keys()) if (!isKnown(group)) await file.readGroup(group);
    const publications = table === 'daily_history' ? await rowsByPublication(file) : undefined;
    if ('fault' in parsed || found.length > 0) return { records: file.rows, publishedAt: null, publications };
    const header = parsed.value as TableHeader;
    const publication_revision = parametersOf({ path }).revision;
    const fields = describeTable(table, profile);
    checkHeader(faults, 'parquet_header', path, header, {
      resource: tableResource(table),
      publication_revision,
      fields,
    });
    if ((runs === null) !== (history === undefined)) {
      faults.add(
        'parquet_header',
        path,
        history ? 'runs in its header' : 'no runs in its header',
        history ? 'none' : 'some',
      );
    }
    if (header.record_count !== file.rows) {
      const expected = `record_count ${file.rows} in its header, the rows it has`;
      faults.add('parquet_count', path, expected, String(header.record_count));
    }
    return { records: file.rows, publishedAt: header.published_at ?? null, publications };
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    faults.add('parquet_unreadable', path, 'a Parquet file', error.message);
    return null;
  }
}

/**
 * Hashes of the row groups that the same file had in the table that was proved. A table over time still has many of
 * them.
 */
function knownGroups({ files, known, ledger }: SiteUnderCheck, path: string): ReadonlySet<string> {
  const before = known.before(path);
  const object = before && ledger.check(before.sha256, before.user);
  if (!before || !object) return new Set();
  const file = new TableFile(files.locate(objectPath(before.sha256)), object.size);
  return new Set([...file.groups.keys()].map((group) => file.hashGroup(group)));
}

function checkSchema(faults: FaultList, path: string, file: TableFile, columns: readonly TableColumn[]): void {
  const found = firstDifference(parquetSchema(columns), file.schema);
  if (!found) return;
  const [wanted = '', got = ''] = found.values.map((text) => shortened(text, 80));
  faults.add('parquet_schema', path, `element ${found.field} of its schema ${wanted}`, got);
}

/** Fields shared by NDJSON and Parquet headers. */
type StatedContent = Pick<TableHeader, 'resource' | 'fields'> & { readonly publication_revision?: string | undefined };

/** Reports the first field of a header that says something else of the file. */
function checkHeader(
  faults: FaultList,
  code: 'export_header' | 'parquet_header',
  path: string,
  { resource, publication_revision, fields }: StatedContent,
  expected: StatedContent,
): void {
  const found = firstDifference(expected, { resource, publication_revision, fields });
  if (!found) return;
  const [wanted = '', got = ''] = found.values.map((text) => shortened(text, 80));
  faults.add(code, path, `${found.field} ${wanted} in its header`, got);
}
