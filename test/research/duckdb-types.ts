import { type CsvTable, describeCsv } from '../../contract/columns/csv-tables.ts';
import { describeFields } from '../../contract/columns/export.ts';
import { type ContextTable, describeTable, type TableName, type tableColumns } from '../../contract/columns/parquet.ts';
import type { ExportFields } from '../../contract/columns/table.ts';
import { usualProfile } from '../../contract/profile.ts';
import { changeFieldDescriptions } from '../../contract/schemas/change-pieces.ts';

type ColumnType = ReturnType<typeof tableColumns>[number]['type'];

/** The type of a column of a Parquet file in DuckDB. */
export const duckdbTypes: Readonly<Record<ColumnType, string>> = {
  uuid: 'VARCHAR',
  'uuid bytes': 'UUID',
  string: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DECIMAL(18,2)',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  'date-time': 'TIMESTAMP WITH TIME ZONE',
  'array of string': 'VARCHAR[]',
  object: 'VARCHAR',
};

/** The columns that a table has as NDJSON. Some tables are Parquet alone. */
export const ndjsonColumns: Readonly<
  Record<Exclude<TableName, 'daily' | 'daily_history' | ContextTable>, readonly string[]>
> = {
  products: namesOf(describeFields('products', usualProfile)),
  stores: namesOf(describeFields('stores', usualProfile)),
  inventory: namesOf(describeFields('inventory', usualProfile)),
  changes: namesOf(changeFieldDescriptions(usualProfile)),
  changes_history: namesOf(changeFieldDescriptions(usualProfile)),
};

function namesOf(fields: ExportFields): string[] {
  return fields.map(({ name }) => name);
}

/** The same of a CSV file. */
export function csvColumnTable(table: CsvTable): string {
  const rows = describeCsv(table, usualProfile).map(({ name, type, unit, meaning }) => {
    const notes = [type.replace(' or null', '?'), unit].filter((note) => note !== null);
    return `| \`${name}\` | ${notes.join(', ')} | ${meaning} |\n`;
  });
  return ['| column | type | meaning |\n', '|---|---|---|\n', ...rows].join('');
}

/**
 * Rows of a page that describe the columns of a table: a question mark after what can be null, the unit, and whether
 * only Parquet has it.
 */
export function columnTable(table: TableName): string {
  const inNdjson = table in ndjsonColumns ? new Set(ndjsonColumns[table as keyof typeof ndjsonColumns]) : null;
  const rows = describeTable(table, usualProfile).map(({ name, type, unit, meaning }) => {
    const notes = [type.replace(' or null', '?'), unit, inNdjson?.has(name) === false ? 'Parquet' : null];
    return `| \`${name}\` | ${notes.filter((note) => note !== null).join(', ')} | ${meaning} |\n`;
  });
  return ['| column | type | meaning |\n', '|---|---|---|\n', ...rows].join('');
}
