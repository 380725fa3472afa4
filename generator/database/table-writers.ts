import type { Connection } from './connection.ts';
import { columnNames, type RowOf, type TableName } from './schema.ts';
import { insertStatement, type Value } from './table.ts';

type Values = Readonly<Record<string, Value>>;

/**
 * Makes a function that inserts a row and returns its rowid. `generated`: the columns that SQLite fills in with the
 * next key or null.
 */
export function inserter<Name extends TableName, Generated extends keyof RowOf<Name> = never>(
  connection: Connection,
  table: Name,
  generated: readonly Generated[] = [],
): (row: Omit<RowOf<Name>, Generated>) => number {
  const columns = columnNames(table).filter((name) => !generated.some((one) => one === name));
  const insert = connection.prepare<Value[]>(insertStatement(table, columns));
  return (row) => Number(insert.run(...valuesIn(row as Values, columns)).lastInsertRowid);
}

const batchRows = 32;

/** Batches take half the time of single inserts. The rows are in the table after `flush`. */
export function batchInserter<Row extends object>(
  connection: Connection,
  table: string,
  columns: readonly (keyof Row & string)[],
) {
  const insert = (rows: number) => connection.prepare<[Value[]]>(insertStatement(table, columns, rows));
  const insertBatch = insert(batchRows);
  let values: Value[] = [];
  return {
    add(row: Row): void {
      values.push(...valuesIn(row as Values, columns));
      if (values.length < batchRows * columns.length) return;
      insertBatch.run(values);
      values = [];
    },
    flush(): void {
      if (values.length > 0) insert(values.length / columns.length).run(values);
      values = [];
    },
  };
}

/** Values in the order of columns. better-sqlite3 takes twice as long to bind values by name. */
export function valuesIn(row: Values, columns: readonly string[]): Value[] {
  return columns.map((column) => row[column] as Value);
}

type VersionedName = {
  [Name in TableName]: RowOf<Name> extends { readonly last_publication: number | null } ? Name : never;
}[TableName];

/** A version has these columns besides its key and its values. */
export const spanColumns = ['version', 'first_publication', 'last_publication'] as const;

export type VersionOf<Name extends VersionedName> = Omit<RowOf<Name>, (typeof spanColumns)[number]>;

/**
 * A table of versions with a first and a last publication. At most one version of a key is open: it still holds.
 * Writing equal values leaves it open. Writing other values closes it at the previous publication and opens a new one.
 * A publication writes each key once. A table without a key has at most one open version.
 */
export function versionedTable<Name extends VersionedName>(
  connection: Connection,
  table: Name,
  key: readonly (keyof VersionOf<Name> & string)[],
) {
  const columns: readonly string[] = columnNames(table).filter((name) => !spanColumns.some((one) => one === name));
  const where = [...key.map((name) => `${name} = +?`), 'last_publication IS NULL'].join(' AND ');
  const order = [...key, 'first_publication'].join(', ');
  const openVersion = connection.prepare<Value[], RowOf<Name>>(`SELECT * FROM ${table} WHERE ${where}`);
  const open = connection.prepare<[], RowOf<Name>>(
    `SELECT * FROM ${table} WHERE last_publication IS NULL ORDER BY ${order}`,
  );
  const insert = connection.prepare<Value[]>(insertStatement(table, ['first_publication', ...columns]));
  const end = connection.prepare<Value[]>(`UPDATE ${table} SET last_publication = ? WHERE ${where}`);
  const keyValues = (row: object) => valuesIn(row as Values, key);

  /** All open versions, by key. */
  const allOpen = () => open.all();

  /** Closes the open version of a key, so that it has none from publication `sequence` on. */
  const close = (sequence: number, row: object) => end.run(sequence - 1, ...keyValues(row));

  /**
   * Writes the values of a key from publication `sequence` on. `previous`: its open version. Returns the rowid of the
   * new version, or null if the values are the same.
   */
  function put(
    sequence: number,
    row: VersionOf<Name>,
    previous: VersionOf<Name> | undefined = openVersion.get(...keyValues(row)),
  ): number | null {
    if (previous && columns.every((name) => (previous as Values)[name] === (row as Values)[name])) return null;
    if (previous) close(sequence, row);
    return Number(insert.run(sequence, ...valuesIn(row as Values, columns)).lastInsertRowid);
  }

  function replaceAll(sequence: number, rows: readonly VersionOf<Name>[]): void {
    const identify = (row: object) => JSON.stringify(keyValues(row));
    const before = new Map(allOpen().map((row) => [identify(row), row]));
    for (const row of rows) {
      put(sequence, row, before.get(identify(row)));
      before.delete(identify(row));
    }
    for (const gone of before.values()) close(sequence, gone);
  }

  return { allOpen, close, put, replaceAll };
}
