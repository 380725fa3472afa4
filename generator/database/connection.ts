import Database from 'better-sqlite3';
import { Failure, type FailureCode } from '../files/failure.ts';

/*
 * Statements that run for every row of a snapshot, or for every product of a site, compare columns with `+?`, not `?`.
 * better-sqlite3 compiles SQLite with STAT4, which plans a statement again whenever a parameter that is compared with
 * an indexed column gets another value (https://sqlite.org/c3ref/prepare.html). Planning takes up to ten times as long
 * as the statement, and without ANALYZE the plan is always the same. The sign hides the value and changes nothing else.
 */

export type Connection = Database.Database;

/**
 * Prepares a query for many rows. better-sqlite3 makes a call for each value of a row. Reading arrays and making the
 * objects here takes a third of the time, or 0.3 s for the products of a publication, which every export reads.
 */
export function rowQuery<Parameters extends unknown[], Row>(
  connection: Connection,
  sql: string,
): (...parameters: Parameters) => Row[] {
  const statement = connection.prepare<Parameters, unknown[]>(sql).raw();
  const names = statement.columns().map(({ name }) => name);
  return (...parameters) =>
    statement.all(...parameters).map((values) => {
      const row: Record<string, unknown> = {};
      for (let at = 0; at < names.length; at += 1) row[names[at] as string] = values[at];
      return row as Row;
    });
}

/** The first value of a query's first row; undefined if the query returns no row. */
export function firstValue<Value = number>(
  connection: Connection,
  sql: string,
  ...parameters: unknown[]
): Value | undefined {
  return connection
    .prepare<unknown[], Value>(sql)
    .pluck()
    .get(...parameters);
}

/** Milliseconds that a statement waits for another process. */
export const busyTimeout = 60_000;

export const wayOutOfDamage = 'restore a copy of it, or publish all snapshots again into a new database';

/** Messages by the beginning of SQLite's error code; the first match counts. Any other code is a bug. */
const explanations: readonly (readonly [
  sqlite: string,
  code: FailureCode,
  explain: (file: string, said: string) => string,
])[] = [
  ['SQLITE_BUSY', 'busy', (file) => `${file} is in use: another process has held it for ${busyTimeout / 1000} seconds`],
  ['SQLITE_CORRUPT', 'database_damaged', (file, said) => damageText(file, said)],
  [
    'SQLITE_NOTADB',
    'database_foreign',
    (file, said) => `cannot open ${file}: ${said}; if it was one, ${wayOutOfDamage}`,
  ],
  [
    'SQLITE_FULL',
    'file',
    (file) => `cannot write ${file}: its disk is full, or that of temporary files, which TMPDIR names`,
  ],
  ['SQLITE_READONLY_DBMOVED', 'file', (file) => `cannot write ${file}: it was moved or removed while it was open`],
  ['SQLITE_READONLY', 'file', (file) => `cannot write ${file}: the file, its folder or its disk is read-only`],
  ['SQLITE_CANTOPEN', 'file', (file, said) => `cannot open ${file}: ${said}`],
  ['SQLITE_PERM', 'file', (file, said) => `cannot open ${file}: ${said}`],
  ['SQLITE_IOERR', 'file', (file, said) => `cannot read or write ${file}: ${said}`],
];

export function damageText(file: string, found: string): string {
  return `${file} is damaged: ${found}; ${wayOutOfDamage}`;
}

/** Returns what `use` returns, perhaps a promise. Errors of the file, its disk or another process become a Failure. */
export function explainDatabase<Result>(file: string, use: () => Result): Result {
  const explain = (error: unknown): never => {
    throw explained(file, error);
  };
  try {
    const result = use();
    return result instanceof Promise ? (result.catch(explain) as Result) : result;
  } catch (error) {
    return explain(error);
  }
}

function explained(file: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const { code, message } = error;
  const found = explanations.find(([prefix]) => code.startsWith(prefix));
  if (found === undefined) return error;
  const [, failureCode, explain] = found;
  return new Failure(failureCode, explain(file, code.includes('IOERR') ? `${message} (${code})` : message));
}
