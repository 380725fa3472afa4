import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { runInProcess } from '../support/command-in-process.ts';
import type { Finished } from '../support/command-line.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { publishFixtures, temporaryFolder } from './fixture-series.ts';
import { readSite } from './site-tree.ts';

/*
 * When the system refuses something, the build ends with one plain line and exit code 1, and the site stays as it was.
 */

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
/** Builds without the explorer. */
function build(out: string, db = at('db.sqlite')): Promise<Finished> {
  return runInProcess('build', '--db', db, '--out', out, '--no-explorer');
}

function expectOneLine({ code, stderr, stdout }: Finished, text: string | RegExp): void {
  expect({ code, stdout, lines: stderr.split('\n').length - 1 }, stderr).toEqual({ code: 1, stdout: '', lines: 1 });
  expect(stderr).toMatch(text);
  expect(stderr).toMatch(/^shelfpress: /);
}

beforeAll(async () => {
  await publishFixtures(at('db.sqlite'), 0, 3);
});
afterAll(folder.remove);

describe('the disk', () => {
  const mebibyte = 2 ** 20;

  /** Runs a test on a file system in memory; skips it where this user may not mount. */
  const onDisk = (name: string, size: number, run: (disk: SmallDisk) => Promise<void>) =>
    test(name, async ({ skip }) => {
      using disk = SmallDisk.mount(size);
      if (disk === null) return skip('this user may not mount');
      await run(disk);
    });

  for (const kibibytes of [600, 1400]) {
    onDisk(`is full with ${kibibytes} KiB: a larger one lets the build end`, kibibytes * 1024, async (disk) => {
      const out = join(disk.path, 'dist');
      expectOneLine(await build(out), /the disk is full|could not be flushed/);
      expect(readdirSync(out)).not.toContain('current.json');
      disk.resize(64 * mebibyte);
      expect(await build(out)).toMatchObject({ code: 0, stderr: '' });
      expect((await verifySite(out)).faults).toEqual([]);
    });
  }

  onDisk(
    'is full when a site gets a new publication, or read-only: it stays as it was',
    64 * mebibyte,
    async (disk) => {
      const out = join(disk.path, 'dist');
      await copyBuiltFixtures(out, 2);
      const before = readSite(out).pointer;
      const { blocks, bfree, bsize } = statfsSync(out);
      disk.resize((blocks - bfree + 16) * bsize);
      expectOneLine(await build(out), /the disk is full/);
      expect(readSite(out).pointer).toEqual(before);
      expect((await verifySite(out)).faults).toEqual([]);
      expect(disk.makeReadOnly()).toBe(true);
      expectOneLine(await build(out), /the file system is read-only/);
      expectOneLine(await build(join(disk.path, 'other')), /expected a folder that can be written, got EROFS/);
    },
  );
});

describe('something else is in the place of a part of the site', () => {
  test.each([
    ['build.lock', 'a folder', /build\.lock: expected a(n empty)? lock file/],
    ['build.lock', 'garbage', /build\.lock: expected a(n empty)? lock file/],
    ['current.json', 'a folder', /current\.json: it is a folder/],
    ['current.json', 'garbage', /current\.json is not the pointer of a site/],
    ['current.json', 'JSON nested 100,000 deep', /current\.json is not the pointer of a site/],
    ['objects', 'garbage', /objects.*not a folder/],
    ['site', 'a folder', /site: .*(folder|EISDIR|EEXIST|EINVAL)/],
  ])('%s is %s', async (name, what, message) => {
    const out = at(`odd-${name}-${what.replaceAll(/\W/g, '')}`);
    await copyBuiltFixtures(out, 2);
    rmSync(join(out, name), { recursive: true, force: true });
    if (what === 'a folder') mkdirSync(join(out, name));
    else writeFileSync(join(out, name), what === 'garbage' ? 'mine\n'.repeat(2000) : `${'['.repeat(100_000)}`);
    expectOneLine(await build(out), message);
  });
});

test('a database that is truncated, overwritten, zeroed inside a table, or not one at all', async () => {
  /** A copy of the database with other bytes. */
  const damaged = (name: string, damage: (bytes: Buffer) => Buffer) => {
    writeFileSync(at(name), damage(readFileSync(at('db.sqlite'))));
    return at(name);
  };
  const database = new Database(at('db.sqlite'), { readonly: true });
  const pageSize = database.pragma('page_size', { simple: true }) as number;
  const pages = database.prepare("SELECT pageno FROM dbstat WHERE name = 'product_version'").pluck().all() as number[];
  database.close();
  const zeroed = (bytes: Buffer) => {
    for (const page of pages) bytes.fill(0, (page - 1) * pageSize, page * pageSize);
    return bytes;
  };
  mkdirSync(at('folder.sqlite'));
  for (const [file, message] of [
    [damaged('cut.sqlite', (bytes) => bytes.subarray(0, 20_000)), /cut\.sqlite is damaged: /],
    [damaged('text.sqlite', () => Buffer.from('sku,name\n'.repeat(1000))), /text\.sqlite/],
    [damaged('zeroed.sqlite', zeroed), /zeroed\.sqlite.*(damaged|malformed)/],
    [at('folder.sqlite'), /folder\.sqlite/],
  ] as const) {
    expectOneLine(await build(at('none'), file), message);
  }
});
