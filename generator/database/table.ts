/** Public columns reach readers through the service. Private columns are only for publishing and building. */
type Visibility = 'public' | 'private';

/** A table with a primary key has no rowid. */
export type Table = {
  readonly name: string;
  readonly meaning: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly visibility: Visibility;
    readonly meaning: string;
  }[];
  readonly primaryKey: readonly string[];
};

/** `type` is SQL: `INTEGER`, `REAL` or `TEXT`, and its constraints. */
type Column = readonly [type: string, visibility: Visibility, meaning: string];

/** Types of columns are literals. `key` gives the table a primary key. */
export function table<const Columns extends Readonly<Record<string, Column>>>(meaning: string, columns: Columns) {
  const key = (...primaryKey: readonly (keyof Columns & string)[]) => ({ meaning, columns, primaryKey });
  return { ...key(), key };
}

export type Value = string | number | null;

/** The type of a column's values, by its SQL type. A text column in `Words` only has the words named there. */
export type ValueOf<Name, Of, Words> =
  | (Name extends keyof Words ? Words[Name] : Of extends OfType<`TEXT${string}`> ? string : number)
  | (Of extends OfType<`${string}NOT NULL${string}` | `${string}PRIMARY KEY`> ? never : null);
type OfType<Type extends string> = readonly [type: Type, ...unknown[]];

export function createStatement({ name, columns, primaryKey }: Table): string {
  const lines = columns.map((column) => `${column.name} ${column.type}`);
  if (primaryKey.length > 0) lines.push(`PRIMARY KEY (${primaryKey.join(', ')})`);
  const options = primaryKey.length > 0 ? 'STRICT, WITHOUT ROWID' : 'STRICT';
  return `CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n) ${options}`;
}

/** Values are bound in the order of the columns, row by row. */
export function insertStatement(name: string, columns: readonly string[], rows = 1): string {
  const row = `(${columns.map(() => '?').join(', ')})`;
  return `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`;
}
