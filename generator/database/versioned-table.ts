import { BlockInsert, type Value } from './block-insert.ts';
import type { Connection, Statement } from './connection.ts';
import { columnNames } from './schema.ts';

export type Row = Record<string, Value>;

const spanColumns = ['first_publication', 'last_publication'];

/**
 * A table of versions with a first and a last publication. At most one version of a key is open, which means that it
 * still holds. Writing equal values leaves it open. Writing other values closes it at the publication before and opens
 * a new one. A table without a key has at most one open version. New versions are there after `flush`; until then, nothing
 * is written of their keys again.
 */
export class VersionedTable {
  readonly #columns: readonly string[];
  readonly #inserted: readonly string[];
  readonly #key: readonly string[];
  readonly #open: Statement<Value[], Row>;
  readonly #allOpen: Statement<[], Value[]>;
  readonly #new: BlockInsert;
  readonly #update: Statement<Value[]> | null;
  readonly #close: Statement<Value[]>;

  constructor(connection: Connection, table: string, key: readonly string[]) {
    const stored = columnNames(table).filter((name) => name !== 'version' && !spanColumns.includes(name));
    this.#key = key;
    this.#columns = stored.filter((name) => !key.includes(name));
    const where = [...key.map((name) => `${name} = ?`), 'last_publication IS NULL'].join(' AND ');
    this.#inserted = stored;
    this.#open = connection.prepare(`SELECT * FROM ${table} WHERE ${where}`);
    this.#allOpen = connection
      .prepare<[], Value[]>(
        `SELECT * FROM ${table} WHERE last_publication IS NULL ORDER BY ${[...key, 'first_publication'].join(', ')}`,
      )
      .raw();
    this.#new = new BlockInsert(connection, table, ['first_publication', ...stored]);
    const assignments = this.#columns.map((name) => `${name} = ?`).join(', ');
    this.#update =
      this.#columns.length === 0 ? null : connection.prepare(`UPDATE ${table} SET ${assignments} WHERE ${where}`);
    this.#close = connection.prepare(`UPDATE ${table} SET last_publication = ? WHERE ${where}`);
  }

  /** The open version of a key. */
  open(key: Row): Row | undefined {
    return this.#open.get(...valuesOf(key, this.#key));
  }

  /** Every open version, by key. */
  allOpen(): Row[] {
    return this.#allOpen.all().map(rowMaker(this.#allOpen));
  }

  /**
   * Writes the values that a key has from publication `sequence` on. Returns whether they differ from the open version.
   */
  put(sequence: number, row: Row, previous: Row | undefined = this.open(row)): boolean {
    if (previous && this.#columns.every((name) => previous[name] === row[name])) return false;
    if (previous?.first_publication === sequence) {
      this.#update?.run(...valuesOf(row, this.#columns), ...valuesOf(row, this.#key));
      return true;
    }
    if (previous) this.close(sequence, row);
    this.insert(sequence, row);
    return true;
  }

  /** Opens a version of a key that has no open one. */
  insert(sequence: number, row: Row): void {
    this.#new.add(sequence, ...valuesOf(row, this.#inserted));
  }

  /** Writes the versions that were opened since the last call. */
  flush(): void {
    this.#new.flush();
  }

  /** Ends the open version of a key: from publication `sequence` on there is none. */
  close(sequence: number, key: Row): void {
    this.#close.run(sequence - 1, ...valuesOf(key, this.#key));
  }

  /** Makes the open versions exactly these rows. */
  replaceAll(sequence: number, rows: readonly Row[]): void {
    const [only = '', ...others] = this.#key;
    const identify = (row: Row) =>
      others.length === 0 ? row[only] : JSON.stringify(this.#key.map((name) => row[name]));
    const before = new Map(this.allOpen().map((row) => [identify(row), row]));
    for (const row of rows) {
      const key = identify(row);
      const previous = before.get(key);
      if (previous) this.put(sequence, row, previous);
      else this.insert(sequence, row);
      before.delete(key);
    }
    for (const gone of before.values()) this.close(sequence, gone);
    this.flush();
  }
}

/**
 * Makes objects of the rows of a statement that returns arrays. SQLite's module takes three times as long to make objects
 * itself.
 */
export function rowMaker<Result extends Row>(statement: {
  columns: () => readonly { readonly name: string }[];
}): (values: readonly Value[]) => Result {
  const names = statement.columns().map(({ name }) => name);
  const empty: Row = Object.fromEntries(names.map((name) => [name, null]));
  return (values) => {
    const row = { ...empty };
    for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index] as Value;
    return row as Result;
  };
}

/** The values of some columns. They are given to statements by place, which takes a third of the time of names. */
function valuesOf(row: Row, columns: readonly string[]): Value[] {
  return columns.map((name) => row[name] as Value);
}
