import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { programFile } from '../support/programs.ts';
import { publishedFixtures } from '../support/published-fixtures.ts';
import {
  curationOf,
  headerOf,
  type Line,
  productLine,
  retrievalLine,
  type SnapshotParts,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { folderForFile } from '../support/temporary-folder.ts';

const root = folderForFile();

/** A copy of the database of the first fixtures. */
async function databaseOf(published: number): Promise<string> {
  const database = join(mkdtempSync(join(root, 'database-')), 'publication.sqlite');
  copyFileSync(await publishedFixtures(published), database);
  return database;
}

const check = (...args: readonly string[]) => runInProcess('check', ...args);
const publish = (...args: readonly string[]) => runInProcess('publish', ...args);
const objectsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const fixtures = fixtureFolders();

describe('without a database', () => {
  test('goes on after a faulty snapshot', async () => {
    const faulty = writeSnapshot(join(root, 'faulty'), {
      header: headerOf({ published_at: 'soon' }, {}),
      inventory: { scope: ['0001', 'first'], lines: [retrievalLine('000001', '2025-01-01T00:00:00Z', [['0009', 1]])] },
    });
    const { code, stdout, stderr } = await check(faulty, join(root, 'nowhere'), fixtures[0] ?? '');
    expect(code).toBe(1);
    expect(stderr).toBe('shelfpress: 2 of 3 snapshots would not be published [snapshot_faults]\n');
    expect(stdout.split('\n')).toEqual([
      `${faulty}: 3 faults`,
      '  snapshot.json published_at: expected a date-time in UTC like 2024-01-02T22:26:37Z, got "soon"',
      '  inventory_scope.json inventory_store_codes[1]: expected four digits, got "first"',
      '  inventory.ndjson:1 rows[0][0]: expected a store of inventory_scope.json, got "0009"',
      `${join(root, 'nowhere')}: 1 fault`,
      '  nowhere: expected a snapshot folder, got nothing: there is no folder of this name',
      `${fixtures[0]}: no faults`,
      '',
    ]);
  });
});

test('without a database, says of the first snapshot what a new one would refuse', async () => {
  const [, second = ''] = fixtures;
  const refusal = `snapshot ${basename(second)} is the first: expected products, stores and curation, got no stores, no curation`;
  expect(await check(second, second)).toMatchObject({
    code: 0,
    stdout: `${second}: no faults\n  a new database refuses it: ${refusal}; stores are not needed if the profile says that inventory is statewide or none\n${second}: no faults\n`,
  });
});

describe('with a database', () => {
  test('says what publishing would bring, snapshot after snapshot, and leaves the database as it is', async () => {
    const database = await databaseOf(3);
    const before = readFileSync(database);
    const [checked, publishedBefore] = [
      await check(...fixtures.slice(3), '--db', database, '--json'),
      readFileSync(database),
    ];
    expect(checked.code).toBe(0);
    expect(publishedBefore.equals(before)).toBe(true);
    expect(readdirSync(join(database, '..'))).toEqual(['publication.sqlite']);
    const published = objectsOf((await publish(...fixtures.slice(3), '--db', database, '--json')).stdout);
    expect(published).toHaveLength(fixtures.length - 3);
    for (const [index, { publication, ok, fault_count, guards }] of objectsOf(checked.stdout).entries()) {
      const { snapshot: _, revision, published_at, last_event, corrects, ...done } = published[index];
      expect({ ok, fault_count, guards }).toEqual({ ok: true, fault_count: 0, guards: [] });
      expect(publication).toMatchObject(done);
      const { new_products, gone_products } = publication;
      expect(new_products).toHaveLength(Math.min(10, done.products.new));
      expect(gone_products).toHaveLength(Math.min(10, done.products.gone));
    }
  });

  test('names the guards that would stop a snapshot, and still says what it would change', async () => {
    const database = await databaseOf(1);
    const shrunk = writeSnapshot(join(root, 'shrunk'), {
      header: headerOf({ published_at: '2025-03-07T22:00:00Z' }, { products: [] }),
      products: [],
    });
    const { code, stdout } = await check(shrunk, '--db', database);
    expect(code).toBe(1);
    expect(stdout).toContain(`${shrunk}: 1 guard would stop it; as publication 2 it would make these changes:\n`);
    expect(stdout).toContain(
      '  guard catalog: loses 49 of 49 listed products: expected at most 5 %; 001204: Straight Bourbon; 001205: Straight Bourbon; pass --accept-shrink to accept it\n',
    );
    expect(stdout).toContain('  gone (the first 10 of 49):\n');
    expect((await check(shrunk, '--db', database, '--accept-shrink')).code).toBe(0);
  });

  test('that is not there is a new one, and is not made', async () => {
    const missing = join(root, 'missing.sqlite');
    const { code, stderr, stdout } = await check(fixtures[0] ?? '', '--db', missing);
    expect([code, stderr]).toEqual([0, `there is no database ${missing}: checking as if for a new one\n`]);
    expect(stdout).toContain('as publication 1 it would make these changes:\n  products: 49 new\n');
    expect(stdout).toContain('  new (the first 10 of 49):\n');
    expect(existsSync(missing)).toBe(false);
  });

  test.skipIf(process.platform === 'win32')('removes the copy when a signal ends it', async () => {
    const temporary = join(root, 'temporary');
    mkdirSync(temporary);
    const many = Array.from({ length: 200 }, () => fixtures).flat();
    const args = [programFile('generator/cli/cli.ts'), 'check', ...many, '--db', await databaseOf(1)];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    expect(readdirSync(temporary)).toHaveLength(1);
    child.stdout.resume();
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

const at = '2025-06-06T12:00:00Z';
const skus = Array.from({ length: 120 }, (_, index) => String(900_000 + index));
const products: Line[] = skus.map((sku) => productLine(sku));
const stores: Line[] = ['9001', '9002'].map((code) => storeLine(code));
const inventory = {
  scope: ['9001', '9002'] as unknown[],
  lines: skus.map((sku) => retrievalLine(sku, at, [['9001', 2]])) as Line[],
};
const replaced = (lines: readonly Line[], line: Line) => [line, ...lines.slice(1)];

test.each<[what: string, parts: Partial<SnapshotParts>, isRefused: boolean, isRefusedWithQuarantine: boolean]>([
  ['nothing wrong', {}, false, false],
  ['a faulty product', { products: replaced(products, productLine('12', { name: ' ' })) }, true, false],
  ['a faulty store', { stores: replaced(stores, storeLine('9001', { access_type: 'PKG' })) }, true, true],
  ['an old time', { header: headerOf({ published_at: '2025-01-01T00:00:00Z' }, { products, stores }) }, true, true],
])('check finds exactly what publish refuses: %s', async (_, changes, ...refused) => {
  const parts = { products, stores, inventory, curation: curationOf(), ...changes };
  const folder = mkdtempSync(join(root, 'snapshot-'));
  writeSnapshot(folder, { header: headerOf({ published_at: at }, parts), ...parts });
  for (const [index, options] of [[], ['--quarantine']].entries()) {
    const args = [folder, '--db', await databaseOf(12), '--json', '--accept', 'all', ...options];
    const [checked, published] = [await check(...args), await publish(...args)];
    const [[facts], [result]] = [objectsOf(checked.stdout), objectsOf(published.stdout)];
    expect([checked.code, published.code]).toEqual(refused[index] ? [1, 1] : [0, 0]);
    if (published.code === 0) {
      expect(facts).toMatchObject({ ok: true, fault_count: 0, refusal: null });
      expect(facts.publication.set_aside).toEqual(result.set_aside);
    } else if (result.error.groups) {
      const { fault_count, faults, groups } = result.error;
      expect(facts).toMatchObject({ ok: false, fault_count, faults, groups, refusal: null, publication: null });
    } else expect(facts).toMatchObject({ ok: false, refusal: result.error.message });
  }
});
