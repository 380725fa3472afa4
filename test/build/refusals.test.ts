import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { EditedSite } from '../verify/edited-site.ts';
import { build, publishFixtures, temporaryFolder } from './fixture-series.ts';
import { treeOf } from './site-tree.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);

/** Builds without the page for people. */
const shelfpressBuild = (...args: string[]) => runInProcess('build', ...args, '--no-explorer');

/** A copy of the database that is changed without publishing. */
function damaged(name: string, sql: string): string {
  execFileSync('cp', [at('db.sqlite'), at(name)]);
  const database = new Database(at(name));
  database.exec(sql);
  database.close();
  return at(name);
}

beforeAll(async () => publishFixtures(at('db.sqlite'), 0, 3));
afterAll(folder.remove);

describe('build refuses, explains and writes no pointer', () => {
  test('when there is no database, or one without a publication', async () => {
    const missing = await shelfpressBuild('--db', at('missing.sqlite'), '--out', at('none'));
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('missing.sqlite: expected one made by publish');
    openForPublishing(at('empty.sqlite')).close();
    const empty = await shelfpressBuild('--db', at('empty.sqlite'), '--out', at('none'));
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('holds no publication yet') });
  });

  test('on wrong usage, with exit code 2', async () => {
    expect((await shelfpressBuild('--db', at('db.sqlite'))).code).toBe(2);
    expect((await shelfpressBuild('--db', at('db.sqlite'), '--out', at('none'), '--exports', 'all')).code).toBe(2);
    expect((await shelfpressBuild('--db', at('db.sqlite'), '--out', at('none'), '--base-url', 'ftp://x')).code).toBe(2);
    const help = await shelfpressBuild('--help');
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Example:\n  shelfpress build') });
  });

  test.each([
    [
      'a price below zero',
      'UPDATE product_version SET price_minor = -1 WHERE version = 2',
      /\/v1\/\S+: .*(amount|price)_minor/,
    ],
    [
      'an event that says what no event says',
      `UPDATE event SET change = '{"current":{}}' WHERE number = 1`,
      /changes: data\.\d+\.change/,
    ],
    [
      'an unknown lifecycle',
      "UPDATE product_version SET lifecycle = 'gone' WHERE version = 3",
      /\/v1\/\S+: .*lifecycle/,
    ],
    ['a store without a name', "UPDATE store_version SET name = '' WHERE version = 1", /\/v1\/\S+: .*name/],
    [
      'fewer records than were counted when published',
      'UPDATE publication SET inventory_pair_count = inventory_pair_count + 1',
      /inventory\.ndjson\.gz: expected/,
    ],
  ])('when the database holds %s', async (name, sql, message) => {
    const database = damaged(`${name.replaceAll(' ', '-')}.sqlite`, sql);
    const { code, stderr } = await shelfpressBuild('--db', database, '--out', at('unfinished'));
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(existsSync(at('unfinished/current.json'))).toBe(false);
    // Only builds of thousands of products start threads by themselves.
    await expect(build(database, at('unfinished'), { threads: 1 })).rejects.toThrow(message);
    expect(existsSync(at('unfinished/current.json'))).toBe(false);
  });

  test('when the folder holds a site that is ahead of the database, and leaves that as it is', async () => {
    await publishFixtures(at('longer.sqlite'), 0, 4);
    await build(at('longer.sqlite'), at('longer'));
    const before = treeOf(at('longer'));
    const { code, stderr } = await shelfpressBuild('--db', at('db.sqlite'), '--out', at('longer'));
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /holds a site of publication 4: .+, got 3 publications up to .+; publish the snapshots after/,
      ),
    });
    expect(treeOf(at('longer'))).toEqual(before);
  });

  test('when the site has pages of another size, unless all of it is made again', async () => {
    await build(at('db.sqlite'), at('pages'));
    const site = new EditedSite(at('pages'));
    site.editDocument('/v1/changes/pages.json', (index) => Object.assign(index, { page_size: 50 }));
    const arguments_ = ['--db', at('db.sqlite'), '--out', site.folder] as const;
    const { code, stderr } = await shelfpressBuild(...arguments_);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the site has pages of 50 events: expected 100; a build with --full/),
    });
    expect((await shelfpressBuild(...arguments_, '--full')).code).toBe(0);
  });
});

test('a second build refuses, clearly, while the first is at work, and not when the first was killed', async () => {
  const second = () => shelfpressBuild('--db', at('db.sqlite'), '--out', at('shared'));
  const script = `import { acquireLock } from './generator/site/lock.ts';
    acquireLock(${JSON.stringify(at('shared/build.lock'))}); console.log('held'); setInterval(() => {}, 1000);`;
  const first = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  await once(first.stdout, 'data');
  expect(await second()).toMatchObject({ code: 1, stderr: expect.stringContaining('another build is at work') });
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect((await second()).code).toBe(0);
});
