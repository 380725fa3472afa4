import Database from 'better-sqlite3';
import { usualProfile } from '../../contract/profile.ts';
import { Failure } from '../files/failure.ts';
import { type Connection, damageText, explainDatabase, firstValue } from './connection.ts';
import { countFacts, databaseProfile, latestPublication } from './publications.ts';
import { firstChangedRows } from './row-digests.ts';
import { tables } from './schema.ts';
import { seal, sealState } from './seal.ts';

/** `usual` checks pages, rows, indexes and the last publication's counts; `full` also references between tables. */
export type CheckDepth = 'usual' | 'full';

/** Fails if a check of this depth finds damage. Reads the whole database and writes nothing. */
export function requireSound(connection: Connection, depth: CheckDepth): void {
  const found = explainDatabase(connection.name, () => findDamage(connection, depth));
  if (found !== null) throw new Failure('database_damaged', damageText(connection.name, found));
}

/** Fails if the file has no seal, or differs from the sealed one, and says what is wrong. */
export function requireSealed(connection: Connection): void {
  if (isSealed(connection) || latestPublication(connection) === null) return;
  throw new Failure(
    'database_damaged',
    `${connection.name} has no seal: a publish or unpublish is running, and you can wait for it, or it was killed; then update, or publish --skip-published with the last snapshot, proves the database and seals it`,
  );
}

/** Like {@link requireSealed}, but proves and seals a database without a seal. Always checks to this depth. */
export function proveAndSeal(connection: Connection, depth: CheckDepth): void {
  const sealed = isSealed(connection);
  requireSound(connection, sealed ? depth : 'full');
  if (sealed || latestPublication(connection) === null) return;
  const changed = explainDatabase(connection.name, () => firstChangedRows(connection));
  if (changed !== null) {
    const found = `rows of publication ${changed} are not what publish wrote`;
    throw new Failure('database_damaged', damageText(connection.name, found));
  }
  explainDatabase(connection.name, () => seal(connection));
}

/** False without a seal. Fails if the file differs from the sealed one. */
function isSealed(connection: Connection): boolean {
  const state = explainDatabase(connection.name, () => sealOrReason(connection));
  if (state === 'sealed' || state === 'unsealed') return state === 'sealed';
  const found = explainDatabase(connection.name, () => reasonFrom(() => findDamage(connection, 'full')));
  const usual = state === 'damaged' ? 'a value in it is not what publish wrote' : state.reason;
  throw new Failure('database_damaged', damageText(connection.name, found ?? usual));
}

function sealOrReason(connection: Connection): ReturnType<typeof sealState> | { readonly reason: string } {
  let state: ReturnType<typeof sealState> = 'damaged';
  const reason = reasonFrom(() => {
    state = sealState(connection);
    return null;
  });
  return reason === null ? state : { reason };
}

/** Returns what `look` finds, or the message if a damaged schema makes a statement fail. */
function reasonFrom(look: () => string | null): string | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_ERROR') return error.message;
    throw error;
  }
}

/** Looks for damage that may explain an error. Returns a Failure that describes it, or the error itself. */
export function blameDamage(connection: Connection, error: unknown): unknown {
  try {
    requireSound(connection, 'full');
    return error;
  } catch (failure) {
    return failure instanceof Failure ? failure : error;
  }
}

function findDamage(connection: Connection, depth: CheckDepth): string | null {
  // `quick_check` takes two thirds of the time, but misses index pages that belong elsewhere.
  const said = String(connection.pragma('integrity_check(1)', { simple: true }));
  if (said !== 'ok') return said.replace(/^\*\*\* in database main \*\*\*\s*/, '').replace(/\s+/g, ' ');
  // In one transaction, so that a publication by another process does not look like damage.
  const inOneState = connection.transaction(
    () => findMiscount(connection) ?? (depth === 'full' ? findDangling(connection) : null),
  );
  return inOneState();
}

/** The first count that differs from the last publication's: a write may never have reached the disk. Else null. */
function findMiscount(connection: Connection): string | null {
  const latest = latestPublication(connection);
  const facts = countFacts(connection, (databaseProfile(connection) ?? usualProfile).inventory);
  const rowCount = (table: string) => firstValue(connection, `SELECT count(*) FROM ${table}`) ?? 0;
  const counts: readonly (readonly [what: string, found: number, expected: number])[] = [
    ['identities', rowCount('identity'), latest ? 1 : 0],
    ['publications', rowCount('publication'), latest?.sequence ?? 0],
    ['events', rowCount('event'), latest?.last_event ?? 0],
    ['products', facts.product_count, latest?.product_count ?? 0],
    ['stores', facts.store_count, latest?.store_count ?? 0],
    ['observed pairs of a product and a store', facts.inventory_pair_count, latest?.inventory_pair_count ?? 0],
  ];
  const wrong = counts.find(([, found, expected]) => found !== expected);
  return wrong ? `expected ${wrong[2]} ${wrong[0]}, got ${wrong[1]}` : null;
}

type Reference = readonly [table: string, key: string];

/** By the name of a column, the table and the key that it refers to. In that table, the column is the key. */
const references: Readonly<Record<string, Reference>> = {
  product: ['product', 'product'],
  store: ['store', 'store'],
  scope: ['inventory_scope', 'scope'],
  product_version: ['product_version', 'version'],
  store_version: ['store_version', 'version'],
};
const toPublication: Reference = ['publication', 'sequence'];
const ofPublications = /^(?:\w+_)?publication$|^corrected_by$|^last_success$/;

function findDangling(connection: Connection): string | null {
  for (const { name: table, columns } of tables) {
    for (const { name: column } of columns) {
      const target = ofPublications.test(column) ? toPublication : references[column];
      if (target === undefined || target[0] === table) continue;
      const [owner, key] = target;
      const isDangling = `${column} IS NOT NULL AND ${column} NOT IN (SELECT ${key} FROM ${owner})`;
      const dangling = firstValue(connection, `SELECT ${column} FROM ${table} WHERE ${isDangling} LIMIT 1`);
      if (dangling !== undefined) return `${column} ${dangling} of table ${table} is not in table ${owner}`;
    }
  }
  return null;
}
