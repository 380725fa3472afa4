import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { openForPublishing, openForReading } from '../../generator/database/database-file.ts';
import { requireSound } from '../../generator/database/integrity.ts';
import { latestPublication } from '../../generator/database/publications.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { runInProcess } from '../support/command-in-process.ts';
import type { Finished } from '../support/command-line.ts';
import { programFile } from '../support/programs.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { folderForFile } from '../support/temporary-folder.ts';

const options = { quarantine: false };
const fixtures = fixtureFolders();
const [firstFixture = '', secondFixture = ''] = fixtures;
const isRoot = process.getuid?.() === 0;

const root = folderForFile();

function newPlace(): string {
  return join(mkdtempSync(join(root, 'case-')), 'publication.sqlite');
}

/** Expects one line on standard error, as for every explained error, and exit code 1. */
function expectOneLine({ code, stderr }: Finished, said: string): void {
  expect(stderr.replace(/ \[[a-z_]+\]\n$/, '')).toBe(`shelfpress: ${said}`);
  expect(code).toBe(1);
}

/**
 * The number of publications in a database. Expects that it is sound and that no file of a transaction is left beside
 * it.
 */
function publicationsIn(database: string): number {
  expect(existsSync(`${database}-journal`)).toBe(false);
  const connection = openForReading(database);
  try {
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    return latestPublication(connection)?.sequence ?? 0;
  } finally {
    connection.close();
  }
}

/** How many publications a publish has reported. */
function publishedIn(stdout: string): number {
  return stdout.split('\n').filter((line) => line.startsWith('published ')).length;
}

describe('a database that leaves no room', () => {
  const full = (file: string) =>
    `cannot write ${file}: its disk is full, or that of temporary files, which TMPDIR names`;

  test.for([600_000, 60_000])(
    'on its disk of %i bytes keeps what was published before, and no more',
    async (size, { skip }) => {
      using disk = SmallDisk.mount(size);
      if (!disk) return skip('this process may not mount a file system');
      const database = join(disk.path, 'publication.sqlite');
      const finished = await runInProcess('publish', ...fixtures, '--db', database);
      expectOneLine(finished, full(database));
      const published = publishedIn(finished.stdout);
      if (size === 60_000) expect([published, readdirSync(disk.path)]).toEqual([0, []]);
      else expect([published > 0, publicationsIn(database)]).toEqual([true, published]);
    },
  );

  test('where check makes a copy of it is blamed by the name of that place', async ({ skip }) => {
    using disk = SmallDisk.mount(60_000);
    if (!disk) return skip('this process may not mount a file system');
    const database = newPlace();
    await runInProcess('publish', firstFixture, '--db', database);
    vi.stubEnv('TMPDIR', disk.path);
    try {
      const { code, stderr } = await runInProcess('check', secondFixture, '--db', database);
      expect([code, stderr.replace(/disk\/shelfpress-\w+/, 'disk/X')]).toEqual([
        1,
        `shelfpress: ${full(join(disk.path, 'X/copy.sqlite'))} [file]\n`,
      ]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.skipIf(process.platform === 'win32')('in what a file may take keeps what was published before', () => {
    const database = newPlace();
    const command = `ulimit -f 300; exec "$0" "$@"`;
    const program = programFile('generator/cli/cli.ts');
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-c', command, process.execPath, program, 'publish', ...fixtures, '--db', database],
      { encoding: 'utf8' },
    );
    expectOneLine(
      { code: status, stdout, stderr },
      `cannot read or write ${database}: disk I/O error (SQLITE_IOERR_WRITE)`,
    );
    expect(publicationsIn(database)).toBe(publishedIn(stdout));
  });
});

describe('a database that cannot be written', () => {
  const readOnly = (file: string) => `cannot write ${file}: the file, its folder or its disk is read-only`;

  test('as its disk is read-only', async ({ skip }) => {
    using disk = SmallDisk.mount(10_000_000);
    if (!disk) return skip('this process may not mount a file system');
    const database = join(disk.path, 'publication.sqlite');
    await runInProcess('publish', firstFixture, '--db', database);
    disk.makeReadOnly();
    expectOneLine(await runInProcess('publish', secondFixture, '--db', database), readOnly(database));
    const other = join(disk.path, 'other.sqlite');
    expectOneLine(
      await runInProcess('publish', firstFixture, '--db', other),
      `cannot open ${other}: unable to open database file`,
    );
    expect(publicationsIn(database)).toBe(1);
  });

  test.skipIf(isRoot)('as the file, or its folder, is read-only', async () => {
    const database = newPlace();
    await runInProcess('publish', firstFixture, '--db', database);
    chmodSync(database, 0o400);
    expectOneLine(await runInProcess('publish', secondFixture, '--db', database), readOnly(database));
  });

  test('as it was removed, or moved, while it was open', async () => {
    for (const takeAway of [(file: string) => rmSync(file), (file: string) => renameSync(file, `${file}.moved`)]) {
      const database = newPlace();
      const connection = openForPublishing(database);
      await publishSnapshot(connection, firstFixture, options);
      takeAway(database);
      await expect(publishSnapshot(connection, secondFixture, options)).rejects.toThrow(
        `cannot write ${database}: it was moved or removed while it was open`,
      );
      connection.close();
    }
  });

  test('as another process holds it', async () => {
    const database = newPlace();
    const [connection, other] = [openForPublishing(database), openForPublishing(database)];
    connection.pragma('busy_timeout = 0');
    const inUse = `${database} is in use: another process has held it for 60 seconds`;
    for (const held of ['BEGIN IMMEDIATE', 'BEGIN EXCLUSIVE', 'BEGIN; SELECT * FROM publication']) {
      other.exec(held);
      // A reader that has begun to read holds the database until its transaction ends.
      if (held.startsWith('BEGIN;')) other.prepare('SELECT * FROM sqlite_schema').all();
      await expect(publishSnapshot(connection, firstFixture, options)).rejects.toThrow(inUse);
      other.exec('ROLLBACK');
    }
    other.close();
    expect(await publishSnapshot(connection, firstFixture, options)).toMatchObject({ sequence: 1 });
    connection.close();
  });
});

test('what another process writes while a database is checked is not taken for damage', async () => {
  const database = newPlace();
  await runInProcess('publish', firstFixture, '--db', database);
  const other = new Database(database, { timeout: 0 });
  const attempts: string[] = [];
  const verbose = (statement?: unknown) => {
    if (!String(statement).includes('AS expected_pair_count')) return;
    try {
      other.exec('DELETE FROM identity');
      attempts.push('written');
    } catch (error) {
      attempts.push((error as { code: string }).code);
    }
  };
  const connection = new Database(database, { verbose });
  try {
    requireSound(connection, 'usual');
  } finally {
    connection.close();
    other.close();
  }
  expect(attempts).toEqual(['SQLITE_BUSY']);
});
