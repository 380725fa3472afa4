/** Public columns reach readers through the service. Private columns serve publishing and building only. */
type Visibility = 'public' | 'private';

export type Table = {
  readonly name: string;
  readonly meaning: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly visibility: Visibility;
    readonly meaning: string;
  }[];
} & Options;

type Options = {
  readonly constraints: readonly string[];
  readonly indexes: readonly string[];
  readonly withoutRowid: boolean;
};

/** A column as the schema writes it. `type` is SQL: `INTEGER`, `REAL` or `TEXT`, and its constraints. */
type Column = readonly [name: string, type: string, visibility: Visibility, meaning: string];

/** A table as the schema writes it, with the types of its columns as literals. */
type Definition<Columns extends readonly Column[]> = Options & {
  readonly meaning: string;
  readonly columns: Columns;
};

export function table<const Columns extends readonly Column[]>(
  meaning: string,
  columns: Columns,
  { constraints = [], indexes = [], withoutRowid = false }: Partial<Options> = {},
): Definition<Columns> {
  return { meaning, columns, constraints, indexes, withoutRowid };
}

export type ColumnOf<Of extends Definition<readonly Column[]>> = Of['columns'][number];

/** What SQLite stores. */
export type Value = string | number | null;

/** The values of a column by its SQL type. A text column that `Words` names holds these words alone. */
export type ValueOf<Of extends Column, Words> =
  | (Of[0] extends keyof Words ? Words[Of[0]] : Of[1] extends `TEXT${string}` ? string : number)
  | (Of[1] extends `${string}NOT NULL${string}` | `${string}PRIMARY KEY` ? never : null);

/** The statements that make a table and its indexes. */
export function createStatements({ name, columns, constraints, indexes, withoutRowid }: Table): string[] {
  const lines = [...columns.map((column) => `${column.name} ${column.type}`), ...constraints];
  const options = withoutRowid ? 'STRICT, WITHOUT ROWID' : 'STRICT';
  return [`CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n) ${options}`, ...indexes];
}

/** The statement that inserts a row, whose values are given in the order of its columns. */
export function insertStatement(name: string, columns: readonly string[]): string {
  return `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}
