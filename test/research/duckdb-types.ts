import { describeTable, type TableName, tableColumns } from '../../generator/contract/formats/parquet.ts';

type ColumnType = ReturnType<typeof tableColumns>[number]['type'];

/** The type of a column in DuckDB, in Parquet and where NDJSON is read with {@link readerOf}. */
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

/** Each column of a table that NDJSON has too, with its type for `read_json`. */
export function ndjsonColumns(names: readonly string[], table: TableName): [name: string, type: string][] {
  const types = new Map(tableColumns(table).map(({ name, type }) => [name, type]));
  return names.map((name) => {
    const type = types.get(name);
    if (!type) throw new Error(`${table} has no column ${name}`);
    return [name, type === 'object' ? 'JSON' : type === 'date-time' ? 'TIMESTAMPTZ' : duckdbTypes[type]];
  });
}

/** Rows of a page that describe the columns of a table. */
export function columnTable(table: TableName): string {
  const rows = describeTable(table).map(
    ({ name, type, unit, meaning }) => `| \`${name}\` | ${type} | ${unit ?? ''} | ${meaning} |\n`,
  );
  return ['| column | type | unit | meaning |\n', '|---|---|---|---|\n', ...rows].join('');
}

/** A view of the NDJSON files of a table with all columns and their types. `from`: a file or a pattern of files. */
export function readerOf(table: TableName, from: string, names: readonly string[], recordType: string): string {
  const columns = [['record_type', 'VARCHAR'], ...ndjsonColumns(names, table)].map(
    ([name, type]) => `${name}: '${type}'`,
  );
  return [
    `CREATE VIEW ${table} AS SELECT * EXCLUDE (record_type)`,
    `FROM read_json('${from}', format = 'newline_delimited', columns = {`,
    ...wrapped(columns).map((line) => `  ${line}`),
    `}) WHERE record_type = '${recordType}';\n`,
  ].join('\n');
}

/** Joins with commas, and begins a new line after 110 characters. */
function wrapped(parts: readonly string[]): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [index, part] of parts.entries()) {
    const next = index === parts.length - 1 ? part : `${part},`;
    if (line !== '' && line.length + 1 + next.length > 110) {
      lines.push(line);
      line = next;
    } else line = line === '' ? next : `${line} ${next}`;
  }
  return [...lines, line];
}
