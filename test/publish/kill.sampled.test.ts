import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing, openForReading } from '../../generator/database/database-file.ts';
import { latestPublication } from '../../generator/database/publications.ts';
import { Failure } from '../../generator/files/failure.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { isNight } from '../support/check-mode.ts';
import { dumpOf } from '../support/database-dump.ts';
import { programFile } from '../support/programs.ts';
import { publishedFixtures } from '../support/published-fixtures.ts';
import { Dice } from '../support/random-world.ts';
import { removeFolder } from '../support/temporary-folder.ts';

const options = { quarantine: false };
const wantedKills = isNight ? 8 : 3;

let root: string;
const folders = fixtureFolders();
/** The content of an undisturbed database after each number of publications. */
const dumps: string[] = [];

beforeAll(async () => {
  // On a real disk, where a commit takes several steps.
  root = mkdtempSync(join(tmpdir(), 'shelfpress-test-'));
  const published = await Promise.all(folders.map((_, index) => publishedFixtures(index + 1)));
  const connections = [openForPublishing(join(root, 'empty.sqlite')), ...published.map(openForReading)];
  for (const connection of connections) {
    dumps.push(JSON.stringify(dumpOf(connection)));
    connection.close();
  }
});
afterAll(() => removeFolder(root));

/**
 * Publishes in a process of its own, which is killed after this many milliseconds of publishing. Resolves when it ends.
 */
async function publishFor(milliseconds: number, database: string, remaining: readonly string[]) {
  const args = [programFile('generator/cli/cli.ts'), 'publish', ...remaining, '--db', database];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const started = performance.now();
  const timer = Number.isFinite(milliseconds) ? setTimeout(() => child.kill('SIGKILL'), milliseconds) : undefined;
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`publishing ended with ${code ?? signal}`);
  return { isKilled: signal === 'SIGKILL', took: performance.now() - started };
}

/** Opens the database of a killed process as a reader does, or as the next publish does if it is no database yet. */
function openLeftover(database: string): Connection {
  try {
    return openForReading(database);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return openForPublishing(database);
  }
}

/** Checks that a database is intact, and returns its number of publications. */
function expectWhole(database: string): number {
  const connection = openLeftover(database);
  try {
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    const published = latestPublication(connection)?.sequence ?? 0;
    const dump = dumpOf(connection);
    if (JSON.stringify(dump) !== dumps[published]) expect(dump).toEqual(JSON.parse(dumps[published] ?? 'null'));
    return published;
  } finally {
    connection.close();
  }
}

test('a publish that is killed at any moment leaves whole publications, and the next one goes on from there', async () => {
  const { took } = await publishFor(Number.POSITIVE_INFINITY, join(root, 'measured.sqlite'), folders);
  expect(expectWhole(join(root, 'measured.sqlite'))).toBe(folders.length);
  const dice = new Dice(0);
  for (let kills = 0, database = 0; kills < wantedKills; database += 1) {
    const file = join(root, `killed-${database}.sqlite`);
    for (let held = 0; held < folders.length; ) {
      const delay = kills < wantedKills ? dice.next() * took : Number.POSITIVE_INFINITY;
      const { isKilled } = await publishFor(delay, file, folders.slice(held));
      const holds = expectWhole(file);
      expect(holds).toBeGreaterThanOrEqual(isKilled ? held : folders.length);
      held = holds;
      if (isKilled) kills += 1;
    }
    expect(existsSync(`${file}-journal`)).toBe(false);
  }
}, 300_000);

test('a reader can undo a commit that was cut off', async () => {
  const file = join(root, 'committing.sqlite');
  const connection = openForPublishing(file);
  await publishSnapshot(connection, folders[0] ?? '', options);
  // With almost no cache, SQLite writes pages to the file before the commit. A copy of the file then is what a kill
  // would leave.
  connection.pragma('cache_size = 1');
  connection.exec("BEGIN IMMEDIATE; UPDATE event SET change = change || ' and more that takes new pages';");
  const cutOff = join(root, 'cut-off.sqlite');
  copyFileSync(file, cutOff);
  copyFileSync(`${file}-journal`, `${cutOff}-journal`);
  connection.exec('ROLLBACK');
  connection.close();
  expect(expectWhole(cutOff)).toBe(1);
  expect(existsSync(`${cutOff}-journal`)).toBe(false);
});
