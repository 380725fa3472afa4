import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openForReading } from '../../generator/database/database-file.ts';
import { copySite, faultsIn, mirror } from '../mirror/published-sites.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { readText } from '../project/repository.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { dumpOf } from '../support/database-dump.ts';
import { randomWorld } from '../support/random-world.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { build, publishParts } from './fixture-series.ts';

/**
 * What docs/operating.md says about recovery, done step by step over a series of four publications, of which the third
 * is a correction.
 */
const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const page = readText('docs/operating.md').replace(/\n> /g, ' ').replace(/\s+/g, ' ');
const reason = 'A shelf was counted twice.';
const worlds = [5, 12].map((products) => randomWorld({ seed: 21, products, stores: 3, publications: 4 }));

/** The revision of the second publication in each world, which is the same in all its databases. */
const seconds: string[] = [];

/** Publishes the snapshots `from` to `to` (0-based, without `to`), and the third one with its correction. */
async function publish(database: string, from: number, to: number, world = 0): Promise<void> {
  for (const [index, snapshot] of (worlds[world] ?? []).slice(0, to).entries()) {
    if (index < from) continue;
    const correction = index === 2 ? { revisions: [seconds[world] ?? ''], reason } : null;
    const { revision } = await publishParts(database, snapshot, { correction });
    if (index === 1) seconds[world] = revision;
  }
}

function readContent(database: string) {
  const connection = openForReading(database);
  try {
    return dumpOf(connection);
  } finally {
    connection.close();
  }
}

/** Expects a message that the page quotes, with … for the variable parts. */
function expectOnPage(message: string, quoted: string): void {
  expect(page).toContain(quoted);
  const parts = quoted.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  expect(message.replace(/\s+/g, ' ')).toMatch(new RegExp(parts.join('.*')));
}

async function failureMessage(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (error: Error) => error.message,
  );
}

let hosts: { whole: StaticHost; public: StaticHost };
const follow = (output: string, ...args: string[]) =>
  runInProcess('follow', hosts.public.url, '--once', '--state', at('state'), '--output', at(output), ...args);

beforeAll(async () => {
  await publish(at('kept.sqlite'), 0, 2);
  copyFileSync(at('kept.sqlite'), at('backup.sqlite'));
  await publish(at('kept.sqlite'), 2, 4);
  await build(at('kept.sqlite'), at('dist'));
  hosts = { whole: await StaticHost.start(at('dist')), public: await StaticHost.start(at('dist/site')) };
  await mirror(hosts.whole.url, at('mirror'));
  expect(await follow('events.ndjson')).toMatchObject({ code: 0, stderr: '' });
});
afterAll(async () => {
  await Promise.all([hosts?.whole[Symbol.asyncDispose](), hosts?.public[Symbol.asyncDispose]()]);
  removeFolder(folder);
});

test('a lost database is published again from its snapshots, and no reader notices', async () => {
  await publish(at('again.sqlite'), 0, 4);
  expect(readContent(at('again.sqlite'))).toEqual(readContent(at('kept.sqlite')));
  expect(await build(at('again.sqlite'), at('dist'))).toMatchObject({ written: 0, deleted: 0 });
  expect(await mirror(hosts.whole.url, at('mirror'))).toMatchObject({ changed: false });
});

test('an older copy is brought forward by publishing the missing snapshots again', async () => {
  copyFileSync(at('backup.sqlite'), at('restored.sqlite'));
  expectOnPage(
    await failureMessage(build(at('restored.sqlite'), at('dist'))),
    'the folder holds a site of publication 4: expected revision … in …, got 2 publications up to …; publish the snapshots after these again, or build into an empty folder',
  );
  await publish(at('restored.sqlite'), 2, 4);
  expect(readContent(at('restored.sqlite'))).toEqual(readContent(at('kept.sqlite')));
  expect(await build(at('restored.sqlite'), at('dist'))).toMatchObject({ written: 0, deleted: 0 });
});

test('mirrors refuse a site of the older copy, and followers wait', async () => {
  await build(at('backup.sqlite'), at('older'));
  await using older = await StaticHost.start(at('older'));
  await using read = await StaticHost.start(at('older/site'));
  expectOnPage(
    await failureMessage(mirror(older.url, at('mirror'))),
    'expected publication 4 or a later one, got the older publication 2; pass --force to accept it',
  );
  const before = readFileSync(at('events.ndjson'), 'utf8');
  const args = ['follow', read.url, '--once', '--state', at('state'), '--output', at('events.ndjson')];
  const waiting = await runInProcess(...args);
  expect(waiting.code).toBe(0);
  expectOnPage(
    waiting.stderr,
    'the newest event is …, before position …: waiting for the site to catch up; if it never does, pass --restart to start over',
  );
  await publish(at('backup.sqlite'), 2, 4);
  await build(at('backup.sqlite'), at('older'));
  expect(await failureMessage(mirror(older.url, at('mirror')))).toBe('no failure');
  expect(await runInProcess(...args)).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(at('events.ndjson'), 'utf8')).toBe(before);
});

test('a new history is accepted by each reader once, with the option that its message names', async () => {
  await publish(at('other.sqlite'), 0, 4, 1);
  expectOnPage(
    await failureMessage(build(at('other.sqlite'), at('dist'))),
    'the folder holds a site of another database: … build into an empty folder',
  );
  await build(at('other.sqlite'), at('new'));
  removeFolder(at('dist'));
  copySite(at('new'), at('dist'));

  const refused = await failureMessage(mirror(hosts.whole.url, at('mirror')));
  expectOnPage(refused, 'expected the site that is there already, …; pass --force to accept it');
  await mirror(hosts.whole.url, at('mirror'), { force: true });
  expect(await faultsIn(at('mirror'))).toEqual([]);

  const before = readFileSync(at('events.ndjson'), 'utf8');
  const following = await follow('events.ndjson');
  expect(following.code).toBe(1);
  expectOnPage(
    following.stderr,
    'expected …, as it was read before, got …: this is another history; to start over with it, pass --restart and a new --output',
  );
  expect(await follow('new-events.ndjson', '--restart')).toMatchObject({ code: 0, stderr: '' });
  expect(await follow('new-events.ndjson')).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(at('events.ndjson'), 'utf8')).toBe(before);
});
