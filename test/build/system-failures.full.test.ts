import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifySite } from '../../generator/verify/verify.ts';
import { runInProcess } from '../support/command-in-process.ts';
import type { Finished } from '../support/command-line.ts';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { publishFixtures, temporaryFolder } from './fixture-series.ts';
import { readSite } from './site-tree.ts';

/*
 * When the system refuses something to a build, the build ends with one plain line and exit code 1, and the site stays
 * as it was.
 */

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const mounted: string[] = [];

/** A file system in memory of this many KiB; null where this user may not mount. */
function mountSmall(name: string, kibibytes: number): string | null {
  mkdirSync(at(name), { recursive: true });
  const options = ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', at(name)];
  if (spawnSync('mount', options).status !== 0) return null;
  mounted.push(at(name));
  return at(name);
}

const canMount = mountSmall('probe', 64) !== null;

/** Builds without the page for people. */
function build(out: string, db = at('db.sqlite')): Promise<Finished> {
  return runInProcess('build', '--db', db, '--out', out, '--no-explorer');
}

function expectOneLine({ code, stderr, stdout }: Finished, text: string | RegExp): void {
  expect({ code, stdout, lines: stderr.split('\n').length - 1 }, stderr).toEqual({ code: 1, stdout: '', lines: 1 });
  expect(stderr).toMatch(text);
  expect(stderr).toMatch(/^shelfpress: /);
}

beforeAll(async () => {
  await publishFixtures(at('db.sqlite'));
});
afterAll(() => {
  for (const mount of mounted) execFileSync('umount', [mount]);
  folder.remove();
});

describe('the disk', () => {
  test.skipIf(!canMount).each([600, 1400])('is full with %i KiB: a larger one lets the build end', async (size) => {
    const out = join(mountSmall(`full-${size}`, size) ?? '', 'dist');
    expectOneLine(await build(out), /the disk is full|could not be flushed/);
    expect(readdirSync(out)).not.toContain('current.json');
    execFileSync('mount', ['-o', 'remount,size=64m', at(`full-${size}`)]);
    expect(await build(out)).toMatchObject({ code: 0, stderr: '' });
    expect((await verifySite(out)).faults).toEqual([]);
  });

  test.skipIf(!canMount)('is full when a site is brought up to a new publication, which stays as it was', async () => {
    const out = join(mountSmall('filled', 65_536) ?? '', 'dist');
    await copyBuiltFixtures(out, 11);
    const before = readSite(out).pointer;
    const used = Number(execFileSync('du', ['-sk', at('filled')], { encoding: 'utf8' }).split('\t')[0]);
    execFileSync('mount', ['-o', `remount,size=${used + 64}k`, at('filled')]);
    expectOneLine(await build(out), /the disk is full/);
    expect(readSite(out).pointer).toEqual(before);
    expect((await verifySite(out)).faults).toEqual([]);
  });

  test.skipIf(!canMount)('is read-only', async () => {
    const mount = mountSmall('read-only', 65_536) ?? '';
    await copyBuiltFixtures(join(mount, 'dist'), 11);
    execFileSync('mount', ['-o', 'remount,ro', mount]);
    expectOneLine(await build(join(mount, 'dist')), /the file system is read-only/);
    expectOneLine(await build(join(mount, 'other')), /read-only: expected a folder that can be written, got EROFS/);
  });
});

describe('something else stands where a part of the site belongs', () => {
  test('a file instead of the folder', async () => {
    writeFileSync(at('a-file'), 'mine');
    expectOneLine(await build(at('a-file')), /a-file: expected a folder, got a file/);
    expectOneLine(await build(at('a-file', 'below')), /below: expected a folder( that can be written)?, got E\w+/);
    expect(statSync(at('a-file')).size).toBe(4);
  });

  test.each([
    ['build.lock', 'a folder', /build\.lock: expected a(n empty)? lock file/],
    ['build.lock', 'garbage', /build\.lock: expected a(n empty)? lock file/],
    ['current.json', 'a folder', /current\.json: it is a folder/],
    ['current.json', 'garbage', /current\.json is not the pointer of a site/],
    ['current.json', 'JSON nested 100,000 deep', /current\.json is not the pointer of a site/],
    ['objects', 'garbage', /objects.*no folder/],
    ['site', 'a folder', /site: .*(folder|EISDIR|EEXIST|EINVAL)/],
  ])('%s is %s', async (name, what, message) => {
    const out = at(`odd-${name}-${what.replaceAll(/\W/g, '')}`);
    await copyBuiltFixtures(out, 11);
    rmSync(join(out, name), { recursive: true, force: true });
    if (what === 'a folder') mkdirSync(join(out, name));
    else writeFileSync(join(out, name), what === 'garbage' ? 'mine\n'.repeat(2000) : `${'['.repeat(100_000)}`);
    expectOneLine(await build(out), message);
  });
});

describe('a damaged database', () => {
  /** A copy of the database with other bytes in some of its pages. */
  function damaged(name: string, damage: (file: string) => void): string {
    copyFileSync(at('db.sqlite'), at(name));
    damage(at(name));
    return at(name);
  }

  test('cut short, overwritten, or no database at all', async () => {
    const cut = damaged('cut.sqlite', (file) => truncateSync(file, 20_000));
    expectOneLine(await build(at('from-cut'), cut), /cut\.sqlite is damaged: /);
    const text = damaged('text.sqlite', (file) => writeFileSync(file, 'sku,name\n'.repeat(1000)));
    expectOneLine(await build(at('from-text'), text), /text\.sqlite/);
    mkdirSync(at('folder.sqlite'));
    expectOneLine(await build(at('from-folder'), at('folder.sqlite')), /folder\.sqlite/);
  });

  test('with a page of zeroes in the middle of a table', async () => {
    const database = new Database(at('db.sqlite'), { readonly: true });
    const pageSize = database.pragma('page_size', { simple: true }) as number;
    const pages = database
      .prepare(`SELECT pageno FROM dbstat WHERE name = 'product_version' ORDER BY pageno`)
      .pluck()
      .all() as number[];
    database.close();
    const zeroed = damaged('zeroed.sqlite', (file) => {
      const descriptor = openSync(file, 'r+');
      for (const page of pages) writeSync(descriptor, Buffer.alloc(pageSize), 0, pageSize, (page - 1) * pageSize);
      closeSync(descriptor);
    });
    expectOneLine(await build(at('from-zeroed'), zeroed), /zeroed\.sqlite.*(damaged|malformed)/);
  });
});
