import { hash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { openForReading } from '../../generator/database/database-file.ts';
import { readPrivateKey, readPublicKey } from '../../generator/trust/keys.ts';
import { ledgerFile } from '../../generator/units/ledger-file.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { dumpOf } from '../support/database-dump.ts';
import { needing } from '../support/installed-programs.ts';
import { SmallSites } from '../support/small-sites.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { brokenObjects, readSite } from '../units/site-tree.ts';
import { digestState, readState } from './disk-state.ts';
import { cutPower } from './power-cut.ts';

const place = folderForFile();
const sites = SmallSites.use(2);
const home = (name: string) => join(place, name, 'disk');
const [first = '', second = ''] = fixtureFolders();

function countRows(database: string) {
  const connection = openForReading(database);
  try {
    return dumpOf(connection);
  } finally {
    connection.close();
  }
}

/** The files of a folder with their bytes. Leaves out what a run keeps for the next one. */
function filesIn(folder: string, leftBehind = /^$/) {
  return digestState(readState(folder), (path) => !leftBehind.test(path) && !path.endsWith('.lock'));
}

/** What a build says about the build itself, which differs after an interrupted run. */
const ofBuilds = new RegExp(`^${ledgerFile.replace('.', '\\.')}$|^spare`);

/** The publication that a site shows is whole. */
function expectWhole(site: string): void {
  if (!existsSync(join(site, 'current.json'))) return;
  expect(brokenObjects(site)).toEqual([]);
  expect(existsSync(join(site, `checkouts/${readSite(site).pointer.revision}/v1/index.json`))).toBe(true);
}

let states = 0;

describe('a power failure at any moment', needing('strace'), () => {
  test('of publish', async () => {
    const folder = home('publish');
    const database = join(folder, 'publication.sqlite');
    for (const snapshot of [first, second]) {
      const args = ['publish', snapshot, '--db', database, '--skip-published'];
      const result = () => countRows(database);
      // Reading it finishes SQLite's recovery after a power failure.
      const resultAtEnd = () => [result(), hash('sha256', readFileSync(database))];
      states += await cutPower({ args, folder, result, resultAtEnd, most: 140 });
    }
    const args = ['unpublish', '--db', database];
    const before = countRows(database);
    const result = () =>
      JSON.stringify(countRows(database)) === JSON.stringify(before) ? 'as before' : countRows(database);
    states += await cutPower({ args, folder, result, most: 30, isOnce: true });
  }, 300_000);

  test('of keygen', async () => {
    const folder = home('keygen');
    const file = join(folder, 'site.key');
    const result = () => ({
      names: [...filesIn(folder).keys()],
      isPair: readPrivateKey(file).fingerprint === readPublicKey(`${file}.pub`).fingerprint,
    });
    states += await cutPower({ args: ['keygen', file], folder, result, most: 60, done: /\[already_there\]/ });
  }, 300_000);

  test('of init', async () => {
    const folder = home('init');
    const args = ['init', '--recipe-for', 'alko', '--settings', join(folder, 'shelfpress.json')];
    states += await cutPower({ args, folder, result: filesIn, most: 60, done: /\[already_there\]/ });
  }, 300_000);

  test('of import', async () => {
    const folder = home('import');
    const agency = join(process.cwd(), 'fixtures/imports/csv');
    const files = ['catalog.csv', 'stores.csv', 'inventory.csv'].map((name) => join(agency, name));
    const out = join(folder, 'snapshot');
    const args = [
      'import',
      join(agency, 'recipe.json'),
      ...files,
      '--out',
      out,
      '--published-at',
      '2025-03-03T22:00:00Z',
    ];
    states += await cutPower({ args, folder, result: () => filesIn(out), most: 60, done: /\[already_there\]/ });
  }, 300_000);

  test('of build', async () => {
    for (const number of [1, 2]) {
      const folder = home(`build-${number}`);
      const site = join(folder, 'dist');
      const prepare = () => {
        if (number > 1) cpSync(sites.at('dist-1'), site, { recursive: true, verbatimSymlinks: true });
      };
      const args = ['build', '--db', sites.at(`${number}.sqlite`), '--out', site, '--no-explorer'];
      const result = () => filesIn(site, ofBuilds);
      states += await cutPower({ args, folder, prepare, result, sound: () => expectWhole(site), most: 24 });
      expect((await verifySite(site)).faults).toEqual([]);
    }
  }, 300_000);

  test('of bundle', async () => {
    const folder = home('bundle');
    const args = ['bundle', sites.at('dist-1'), join(folder, 'site.zip')];
    states += await cutPower({ args, folder, result: filesIn, most: 30, done: /\[already_there\]/ });
  }, 300_000);

  test('of mirror', async () => {
    await using host = await StaticHost.start(sites.at('dist-1'));
    const folder = home('mirror');
    const mirror = join(folder, 'mirror');
    const args = ['mirror', host.url, mirror];
    for (const number of [1, 2]) {
      host.folder = sites.at(`dist-${number}`);
      const result = () => filesIn(mirror);
      states += await cutPower({ args, folder, result, sound: () => expectWhole(mirror), most: 40 });
      expect((await verifySite(mirror)).faults).toEqual([]);
    }
  }, 300_000);

  test('of follow', async () => {
    await using host = await StaticHost.start(sites.at('dist-1/site'));
    host.intercept = (request) => {
      if (host.has(`${request.url}.json`)) request.url += '.json';
      return false;
    };
    const folder = home('follow');
    const args = ['follow', host.url, '--once', '--output', join(folder, 'events'), '--state', join(folder, 'state')];
    for (const number of [1, 2]) {
      host.folder = sites.at(`dist-${number}/site`);
      states += await cutPower({ args, folder, result: filesIn, most: 40 });
    }
  }, 300_000);

  test('of update', async () => {
    const folder = home('update');
    const settings = join(folder, 'shelfpress.json');
    const args = ['update', '--settings', settings];
    for (const [number, snapshot] of [first, second].entries()) {
      const prepare = () => {
        writeFileSync(settings, JSON.stringify({ explorer: false }));
        cpSync(snapshot, join(folder, 'incoming', `day-${number + 1}`), { recursive: true });
      };
      const result = () => ({
        rows: countRows(join(folder, 'publication.sqlite')),
        site: filesIn(join(folder, 'dist'), ofBuilds),
        snapshots: filesIn(join(folder, 'published')),
        waiting: filesIn(join(folder, 'incoming')),
      });
      states += await cutPower({
        args,
        folder,
        prepare,
        result,
        sound: () => expectWhole(join(folder, 'dist')),
        most: 8,
      });
    }
  }, 300_000);

  test('was tried with hundreds of different disks', () => {
    expect(states).toBeGreaterThanOrEqual(500);
  });
});
