import { isDeepStrictEqual } from 'node:util';
import {
  describeTable,
  schemaOf,
  type TableColumn,
  type TableHeader,
  type TableName,
  tableColumns,
  tableHeader,
} from '../contract/formats/parquet.ts';
import type { Route } from '../contract/formats/site.ts';
import { objectPath } from '../contract/paths.ts';
import { parseText, schemaProblems } from '../site/checked-json.ts';
import { checkValidators } from '../site/checked-table.ts';
import { type FaultList, shown } from '../site/fault.ts';
import { BrokenTable, TableFile } from '../site/table-file.ts';
import type { CheckContext, SiteUnderCheck } from './documents.ts';

/**
 * What a Parquet file should be. `identity`: members of its header, apart from columns and count. `mayBeEarlier`: whether
 * an earlier version may have made it, without columns that were added since.
 */
export type ExpectedTable = {
  readonly table: TableName;
  readonly identity: Partial<Pick<TableHeader, 'publication_revision' | 'published_at'>>;
  readonly mayBeEarlier: boolean;
};

/** A Parquet file with sound bytes and the schema of its table. Its rows are still to be read. */
export type OpenTable = { readonly path: string; readonly file: TableFile; readonly columns: readonly TableColumn[] };

/**
 * Checks the bytes, header and schema of a Parquet file. Null when there is none, which the check of addresses reports,
 * or when its rows cannot be compared.
 */
export function openTable(
  { files, ledger }: Pick<CheckContext, 'files' | 'ledger'>,
  { table, faults }: SiteUnderCheck,
  path: string,
  expected: ExpectedTable,
): OpenTable | null {
  const route = table.find(path);
  if (typeof route === 'string') return null;
  const object = ledger.check(route.sha256, path);
  if (object === null) return null;
  checkValidators(route, object, faults);
  try {
    const file = new TableFile(files.locate(objectPath(route.sha256)), object.size);
    const columns = checkHeader(faults, route, file, expected);
    return columns && checkSchema(faults, path, file, columns) ? { path, file, columns } : null;
  } catch (error) {
    reportBroken(faults, path, error);
    return null;
  }
}

/** Reports a file that is not readable as Parquet; throws any other error. */
export function reportBroken(faults: FaultList, path: string, error: unknown): void {
  if (!(error instanceof BrokenTable)) throw error;
  faults.add('parquet_unreadable', path, 'a Parquet file', error.message);
}

/** Compares the header of a file with what is expected. Returns the columns that it names; null when it names others. */
function checkHeader(
  faults: FaultList,
  { path }: Route,
  file: TableFile,
  { table, identity, mayBeEarlier }: ExpectedTable,
): readonly TableColumn[] | null {
  const add = (expected: string, got: string) => faults.add('parquet_header', path, expected, got);
  const parsed = parseText(file.header ?? '');
  if ('problem' in parsed) {
    add('a header as JSON', parsed.problem);
    return null;
  }
  const problems = schemaProblems(tableHeader, parsed.value);
  for (const { expected, got } of problems) add(`${expected} in its header`, got);
  if (problems.length > 0) return null;
  const { resource, publication_revision, published_at, record_count, fields } = parsed.value as TableHeader;
  const [expected, got] = [
    { resource: table, publication_revision: undefined, published_at: undefined, ...identity },
    { resource, publication_revision, published_at },
  ];
  faults.expectEqual('parquet_header', path, expected, got, (text) => `${text} in its header`);
  if (record_count !== file.rows) {
    faults.add('parquet_count', path, `record_count ${file.rows} in its header, the rows it has`, String(record_count));
  }
  const names = fields.map(({ name }) => name);
  const isEarlier = mayBeEarlier && fields.length > 0;
  const known = describeTable(table).filter(({ name }) => !isEarlier || names.includes(name));
  // The texts of an earlier file may differ.
  const differs = [...known.keys(), known.length].find((index) => {
    const { meaning: own, ...described } = known[index] ?? {};
    const { meaning: its, ...found } = fields[index] ?? {};
    return !isDeepStrictEqual(found, described) || (own !== its && !mayBeEarlier);
  });
  if (differs === undefined && names.length === known.length) {
    return tableColumns(table).filter(({ name }) => names.includes(name));
  }
  add(`fields that are the columns of ${table}, in order, in its header`, shown(fields.slice(differs ?? known.length)));
  return null;
}

function checkSchema(faults: FaultList, path: string, file: TableFile, columns: readonly TableColumn[]): boolean {
  const wanted = schemaOf(columns).map(written);
  const found = file.schema.map(written);
  const differs = [...wanted.keys(), wanted.length].find((i) => !isDeepStrictEqual(found[i], wanted[i]));
  if (differs === undefined && found.length === wanted.length) return true;
  const at = differs ?? wanted.length;
  faults.add('parquet_schema', path, `element ${at} of its schema ${shown(wanted[at])}`, shown(found[at]));
  return false;
}

/** The members that a file has of an element. */
function written(element: object): object {
  return Object.fromEntries(Object.entries(element).filter(([, value]) => value !== undefined));
}
