import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { checkoutFolder, formatPath, objectPath } from '../../contract/paths.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { ledgerFile } from '../../generator/units/ledger-file.ts';
import { copySite } from '../mirror/published-sites.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { SmallSites } from '../support/small-sites.ts';
import { build, expectAsFromNothing, temporaryFolder } from './fixture-series.ts';
import { readSite } from './site-tree.ts';

/** A database and its site, built day by day. Each test damages its own copy. */
const sites = SmallSites.use(4);
const folder = temporaryFolder();
const whole = { faults: 0, unnamed_objects: 0, unnamed_checkouts: 0 };
let number = 0;
let database: string;
let site: string;
const at = (...names: string[]) => join(site, ...names);

beforeEach(() => {
  number += 1;
  database = join(folder.path, `${number}.sqlite`);
  site = join(folder.path, `${number}`);
});
afterAll(folder.remove);

/** The site after this many days. */
function startFrom(days: number): void {
  copySite(sites.at(`dist-${days}`), site);
  copyFileSync(sites.at(`${days}.sqlite`), database);
}

async function buildUpTo(day: number, options: Parameters<typeof build>[2] = {}): Promise<void> {
  copyFileSync(sites.at(`${day}.sqlite`), database);
  await build(database, site, options);
}

describe('an object of an export', () => {
  const tableOfOlder = () => {
    const { pointer, routes } = readSite(site);
    const path = formatPath('export_parquet', { revision: pointer.publications[1]?.revision ?? '', table: 'daily' });
    return objectPath(routes.get(path)?.sha256 ?? '');
  };

  test('that is damaged is not copied into tables over time', async () => {
    startFrom(3);
    const file = at(tableOfOlder());
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 3);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    rmSync(file);
    writeFileSync(file, bytes);
    await buildUpTo(4);
    await expectAsFromNothing(database, site);
  });

  test('that is missing is named, and build --full makes it again', async () => {
    startFrom(3);
    const missing = tableOfOlder();
    rmSync(at(missing));
    await expect(buildUpTo(4)).rejects.toThrow(
      `${missing}: expected an object, got no such file; build --full rebuilds the site`,
    );
    await buildUpTo(4, { full: true });
    expect((await verifySite(site)).faults).toEqual([]);
  });

  test.each<[string, (file: string) => void, RegExp]>([
    ['is damaged', (file) => writeFileSync(file, 'damaged'), /: expected its file, got none or a damaged one; build/],
    ['is a pipe', (file) => execFileSync('mkfifo', [file]), /: expected a file, got a pipe or a device/],
  ])('that %s is not described in its package', async (_, damage, message) => {
    startFrom(3);
    const { pointer, routes } = readSite(site);
    const path = formatPath('export', { revision: pointer.publications[1]?.revision ?? '', resource: 'inventory' });
    const file = at(objectPath(routes.get(path)?.sha256 ?? ''));
    rmSync(file);
    damage(file);
    // Other code keeps the export, and makes the package again.
    const ledger = JSON.parse(readFileSync(at(ledgerFile), 'utf8'));
    writeFileSync(at(ledgerFile), JSON.stringify({ ...ledger, key: '0'.repeat(64) }));
    await expect(buildUpTo(4)).rejects.toThrow(message);
  });
});

test('a ledger of another publication than that of the site is ignored', async () => {
  startFrom(1);
  const pointer = readFileSync(at('current.json'));
  await buildUpTo(2);
  writeFileSync(at('current.json'), pointer);
  // It claims that the site has everything of this publication, but the routes are those of the previous one.
  await buildUpTo(2);
  await expectAsFromNothing(database, site);
});

test('--keep-all keeps what a later build deletes, even after another base URL or a killed build', async () => {
  startFrom(2);
  const other = { baseUrl: 'https://stock.example' };
  await buildUpTo(2, { ...other, keepAll: true });
  // A killed build left this.
  mkdirSync(at('objects/00'), { recursive: true });
  writeFileSync(at(objectPath('0'.repeat(64))), '');
  mkdirSync(at(checkoutFolder('00000000-0000-4000-8000-000000000000')));
  await buildUpTo(3, { ...other, keepAll: true });
  expect((await verifySite(site)).counts.unnamed_objects).toBeGreaterThan(10);
  await buildUpTo(4, other);
  expect((await verifySite(site)).counts).toMatchObject(whole);
});

describe('the link to the current checkout', () => {
  test('that a copy replaced by a folder is named, with what to do', async () => {
    startFrom(1);
    rmSync(at('site'));
    cpSync(at(checkoutFolder(readSite(site).pointer.revision)), at('site'), { recursive: true });
    await expect(buildUpTo(2)).rejects.toThrow(
      `${at('site')}: expected a symbolic link to the current checkout, got a folder, left by a copy that follows links; delete it, and the next run makes the link`,
    );
    rmSync(at('site'), { recursive: true });
    await buildUpTo(2);
    await expectAsFromNothing(database, site);
  });

  test('that cannot be made leaves the pointer as it was, because that moves later', async () => {
    startFrom(1);
    const pointer = readFileSync(at('current.json'));
    // The link is made here before it gets its name.
    mkdirSync(at('site.tmp'));
    await expect(buildUpTo(2)).rejects.toThrow(/site\.tmp/);
    expect(readFileSync(at('current.json'))).toEqual(pointer);
    rmSync(at('site.tmp'), { recursive: true });
    await buildUpTo(2);
    expect((await verifySite(site)).counts).toMatchObject(whole);
  });

  test('that has moved ahead of the pointer keeps its publication from being taken back', async () => {
    startFrom(1);
    copyFileSync(sites.at('2.sqlite'), database);
    const next = `${site}-next`;
    await build(database, next);
    const { revision, sequence } = readSite(next).pointer;
    mkdirSync(at(checkoutFolder(revision)));
    rmSync(at('site'));
    symlinkSync(checkoutFolder(revision), at('site'));
    expect(await runInProcess('unpublish', '--db', database, '--out', site)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${site} has publication ${sequence}, which readers may have seen`),
    });
  });
});
