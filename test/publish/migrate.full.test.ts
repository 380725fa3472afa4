import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { openForPublishing, openForReading } from '../../generator/database/database-file.ts';
import { migrateDatabase } from '../../generator/database/migrate.ts';
import { migrations } from '../../generator/database/migrations.ts';
import { schemaVersion } from '../../generator/database/schema.ts';
import { fixtureFolders } from '../../generator/preview.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { dumpOf } from '../support/database-dump.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** The first three bundled snapshots, as `publish` left them when the schema had version 1. */
const dump = gunzipSync(readFileSync(new URL('./schema-version-1.sql.gz', import.meta.url))).toString();

let files = 0;

/** A database of schema version 1, changed by further statements. */
function oldDatabase(...statements: string[]): string {
  files += 1;
  const file = join(folder, `${files}.sqlite`);
  const connection = new Database(file);
  for (const sql of ['BEGIN', dump, 'COMMIT', ...statements]) connection.exec(sql);
  connection.close();
  return file;
}

/**
 * Another process that waits for the copy of a database to be whole, then for the lock to write. It prints a line when it
 * begins, and the schema version under its lock.
 */
function spawnWriter(file: string) {
  const script = `
    import { statSync } from 'node:fs';
    import Database from 'better-sqlite3';
    const [file, copy] = process.argv.slice(1);
    // The migration itself changes the size of the file.
    const { size } = statSync(file);
    console.log('ready');
    while (statSync(copy, { throwIfNoEntry: false })?.size !== size);
    const connection = new Database(file, { timeout: 60000 });
    connection.exec('BEGIN IMMEDIATE');
    console.log(connection.pragma('user_version', { simple: true }));
    connection.close();
  `;
  const args = ['--input-type=module', '-e', script, file, `${file}.v1.bak`];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000 });
}

async function publishedAnew(): Promise<string> {
  const file = join(folder, 'anew.sqlite');
  const connection = openForPublishing(file);
  for (const snapshot of fixtureFolders().slice(0, 3)) {
    await publishSnapshot(connection, snapshot, { quarantine: false, acceptShrink: false });
  }
  connection.close();
  return file;
}

/** The columns of a table that depend on revisions: they are names, and events of one publication have the order of their ids. */
const named: Readonly<Record<string, readonly string[]>> = { publication: ['revision'], event: ['number', 'id'] };

/** Tables, indexes, and rows but for what depends on revisions: a database keeps the revisions that it was published with. */
function contentOf(file: string) {
  const connection = openForReading(file);
  try {
    const definitions = connection.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
    const rows = Object.entries(dumpOf(connection)).map(([table, texts]) => {
      const columns = connection.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
      const without = (text: string) =>
        JSON.stringify(JSON.parse(text).filter((_: unknown, i: number) => !named[table]?.includes(columns[i] ?? '')));
      return [table, texts.map(without).sort()];
    });
    return { definitions, rows, version: connection.pragma('user_version', { simple: true }) };
  } finally {
    connection.close();
  }
}

/** Revisions and ids of events, in their order. */
function namesIn(file: string): unknown {
  const connection = new Database(file, { readonly: true });
  try {
    return ['SELECT revision FROM publication ORDER BY sequence', 'SELECT number, id FROM event ORDER BY number'].map(
      (query) => connection.prepare(query).all(),
    );
  } finally {
    connection.close();
  }
}

test('every older schema version has a migration', () => {
  expect(Object.keys(migrations).map(Number)).toEqual(Array.from({ length: schemaVersion - 1 }, (_, i) => i + 1));
});

describe('a database of schema version 1', () => {
  test('becomes the database that the same snapshots give anew', async () => {
    const anew = contentOf(await publishedAnew());
    const old = oldDatabase();
    const names = namesIn(old);
    expect(migrateDatabase(old, { backup: false })).toEqual({ from: 1, to: schemaVersion, backup: null });
    expect(contentOf(old)).toEqual(anew);
    expect(namesIn(old)).toEqual(names);

    // Version 1 stored the scope of a snapshot even if every retrieval of it failed.
    const withUnusedScope = oldDatabase(
      'UPDATE inventory_scope SET scope = -scope - 1; UPDATE inventory_scope SET scope = -scope',
      'UPDATE inventory_scope_store SET scope = -scope - 1; UPDATE inventory_scope_store SET scope = -scope',
      'UPDATE retrieval SET scope = scope + 1 WHERE scope IS NOT NULL',
      "INSERT INTO inventory_scope VALUES (1, '[1]'); INSERT INTO inventory_scope_store VALUES (1, 1)",
    );
    migrateDatabase(withUnusedScope, { backup: false });
    expect(contentOf(withUnusedScope)).toEqual(anew);
  });

  test('is published into and read only after migrate, which is named', () => {
    const old = oldDatabase();
    const message = `${old} has schema version 1: expected ${schemaVersion}; bring it there with: shelfpress migrate --db ${old}`;
    expect(() => openForPublishing(old)).toThrow(message);
    expect(() => openForReading(old)).toThrow(message);
  });

  test('is copied first, to a file that is not there yet', () => {
    const old = oldDatabase();
    const before = readFileSync(old);
    const backup = `${old}.v1.bak`;
    writeFileSync(backup, 'kept');
    expect(() => migrateDatabase(old, { backup: true })).toThrow(
      `${backup}: expected to copy ${old} there first, got EEXIST (something of that name is there already); move it away, or migrate with --no-backup`,
    );
    expect([readFileSync(backup, 'utf8'), readFileSync(old)]).toEqual(['kept', before]);

    const other = oldDatabase();
    expect(migrateDatabase(other, { backup: true }).backup).toBe(`${other}.v1.bak`);
    expect(readFileSync(`${other}.v1.bak`)).toEqual(before);
    const { mtimeMs } = statSync(other);
    expect(migrateDatabase(other, { backup: true })).toEqual({ from: schemaVersion, to: schemaVersion, backup: null });
    expect(statSync(other).mtimeMs).toBe(mtimeMs);
  });

  test('gets no copy of a part of it: neither when copying fails nor after a kill', () => {
    const old = oldDatabase();
    const before = readFileSync(old);
    const part = `${old}.v1.bak.tmp`;
    mkdirSync(part);
    expect(() => migrateDatabase(old, { backup: true })).toThrow(
      `${part}: expected a file that can be written, got EISDIR (it is a folder); make that possible, or migrate with --no-backup`,
    );
    expect([existsSync(`${old}.v1.bak`), readFileSync(old)]).toEqual([false, before]);

    rmSync(part, { recursive: true });
    writeFileSync(part, 'what a killed migration had copied');
    const { backup } = migrateDatabase(old, { backup: true });
    expect(readFileSync(backup ?? '')).toEqual(before);
    expect(existsSync(part)).toBe(false);
  });

  test('is written by nobody else between the copy and the end', async () => {
    // The checks of a large file take a while.
    const old = oldDatabase('CREATE TABLE ballast AS SELECT randomblob(40000000) AS content');
    const writer = spawnWriter(old);
    await once(writer.stdout, 'data');
    const migrated = runInProcess('migrate', '--db', old);
    const [seen] = await once(writer.stdout, 'data');
    expect((await migrated).code).toBe(0);
    expect(Number(seen)).toBe(schemaVersion);
  });

  test('stays as it is when the check afterwards finds a fault', () => {
    const wrong = oldDatabase('DELETE FROM event WHERE number = 1');
    const before = readFileSync(wrong);
    expect(() => migrateDatabase(wrong, { backup: true })).toThrow(/is damaged: expected \d+ events, got \d+/);
    expect(readFileSync(wrong)).toEqual(before);
    expect(existsSync(`${wrong}.v1.bak`)).toBe(false);
  });
});

test('a database of a newer version asks for an update of the program', () => {
  const newer = oldDatabase('PRAGMA user_version = 99');
  const message = `${newer} has schema version 99: expected up to ${schemaVersion}; update shelfpress`;
  expect(() => openForPublishing(newer)).toThrow(message);
  expect(() => openForReading(newer)).toThrow(message);
  expect(() => migrateDatabase(newer, { backup: true })).toThrow(message);
});

test('a file of another program is not migrated', () => {
  const other = oldDatabase('PRAGMA application_id = 1');
  expect(() => migrateDatabase(other, { backup: true })).toThrow(`${other} is not a publication database`);
  expect(() => migrateDatabase(join(folder, 'none.sqlite'), { backup: true })).toThrow('no database at');
});

test('the command says what it did, and where the copy is', async () => {
  const old = oldDatabase();
  expect(await runInProcess('migrate', '--db', old)).toEqual({
    code: 0,
    stdout: `migrated ${old} from schema version 1 to ${schemaVersion}\nthe database as it was: ${old}.v1.bak\n`,
    stderr: '',
  });
  const again = await runInProcess('migrate', '--db', old, '--json');
  expect(JSON.parse(again.stdout)).toEqual({ from: schemaVersion, to: schemaVersion, backup: null });
});
