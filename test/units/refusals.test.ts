import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { editDatabase } from '../support/edited-database.ts';
import { EditedSite } from '../verify/edited-site.ts';
import { build, publishFixtures, temporaryFolder } from './fixture-series.ts';
import { readTree } from './site-tree.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);

/** Builds without the explorer. */
const shelfpressBuild = (...args: string[]) => runInProcess('build', ...args, '--no-explorer');

/** Copies the database, and changes the copy as a faulty publish would. */
function damaged(name: string, sql: string): string {
  execFileSync('cp', [at('db.sqlite'), at(name)]);
  editDatabase(at(name), sql);
  return at(name);
}

beforeAll(async () => publishFixtures(at('db.sqlite'), 0, 3));
afterAll(folder.remove);

describe('build refuses, explains and writes no pointer', () => {
  test('when there is no database, or one without a publication', async () => {
    const missing = await shelfpressBuild('--db', at('missing.sqlite'), '--out', at('none'));
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('missing.sqlite: shelfpress publish creates it');
    openForPublishing(at('empty.sqlite')).close();
    const empty = await shelfpressBuild('--db', at('empty.sqlite'), '--out', at('none'));
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('holds no publication yet') });
  });

  test.each([
    ['a price below zero', 'product_version SET price_minor = -1', /\/v1\/\S+: .*(amount|price)_minor/],
    ['an event that says nothing', `event SET change = '{"current":{}}'`, /changes: data\[\d+\]\.change/],
    ['an unknown lifecycle', "product_version SET lifecycle = 'gone'", /\/v1\/\S+: .*lifecycle/],
    ['a store without a name', "store_version SET name = ''", /\/v1\/\S+: .*name/],
  ])('when the database holds %s', async (name, sql, message) => {
    const database = damaged(`${name.replaceAll(' ', '-')}.sqlite`, `UPDATE ${sql}`);
    const { code, stderr } = await shelfpressBuild('--db', database, '--out', at('unfinished'));
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(existsSync(at('unfinished/current.json'))).toBe(false);
    // Files that were being written piece by piece are gone.
    const objects = readdirSync(at('unfinished/objects'), { recursive: true }).map(String);
    expect(objects.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('when threads find what the database holds', async () => {
    const database = damaged('threads.sqlite', 'UPDATE product_version SET price_minor = -1');
    // Only builds with thousands of products start threads by default.
    await expect(build(database, at('unfinished'), { threads: 1 })).rejects.toThrow(/\/v1\/\S+: .*price_minor/);
    expect(existsSync(at('unfinished/current.json'))).toBe(false);
  });

  test('when the folder holds a site that is ahead of the database, and leaves it as it is', async () => {
    await publishFixtures(at('longer.sqlite'), 0, 4);
    await build(at('longer.sqlite'), at('longer'));
    const before = readTree(at('longer'));
    const { code, stderr } = await shelfpressBuild('--db', at('db.sqlite'), '--out', at('longer'));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /holds a site of publication 4: .+, got 3 publications up to .+; publish the snapshots after/,
    );
    expect(readTree(at('longer'))).toEqual(before);
  });

  test('when the site has pages of another size, unless it is built with --full', async () => {
    await build(at('db.sqlite'), at('pages'));
    const site = new EditedSite(at('pages'));
    site.editDocument('/v1/changes/pages.json', (index) => Object.assign(index, { page_size: 50 }));
    const arguments_ = ['--db', at('db.sqlite'), '--out', site.folder] as const;
    const { code, stderr } = await shelfpressBuild(...arguments_);
    expect(code).toBe(1);
    expect(stderr).toMatch(/the site has pages of 50 events: expected 100; build with --full/);
    expect((await shelfpressBuild(...arguments_, '--full')).code).toBe(0);
  });
});

test('a second build is refused while the first is running, but not after the first was killed', async () => {
  const second = () => shelfpressBuild('--db', at('db.sqlite'), '--out', at('shared'));
  const script = `import { acquireLock } from './generator/files/file-lock.ts';
    acquireLock(${JSON.stringify(at('shared/build.lock'))}); console.log('held'); setInterval(() => {}, 1000);`;
  const first = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(first.stdout, 'data');
  expect(await second()).toMatchObject({ code: 1, stderr: expect.stringContaining('another build is running') });
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect((await second()).code).toBe(0);
});
