import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing, openForReading } from '../../generator/database/database-file.ts';
import { latestPublication } from '../../generator/database/publications.ts';
import { Failure } from '../../generator/failure.ts';
import { fixtureFolders } from '../../generator/preview.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { isCheck } from '../support/check-mode.ts';
import { dumpOf } from '../support/database-dump.ts';
import { programFile } from '../support/programs.ts';
import { Dice } from '../support/random-world.ts';
import { removeFolder } from '../support/temporary-folder.ts';

const projectFolder = fileURLToPath(new URL('../../', import.meta.url));
const options = { quarantine: false, acceptShrink: false };
const wantedKills = isCheck ? 10 : 4;

let root: string;
let folders: string[];
/** The content of an undisturbed database after each number of publications. */
const dumps: string[] = [];

beforeAll(async () => {
  // On a real disk, where a commit takes several steps.
  root = mkdtempSync(join(tmpdir(), 'shelfpress-test-'));
  cpSync(join(projectFolder, 'fixtures'), join(root, 'fixtures'), { recursive: true });
  folders = fixtureFolders().map((folder) => join(root, 'fixtures', basename(folder)));
  const connection = openForPublishing(join(root, 'undisturbed.sqlite'));
  dumps.push(JSON.stringify(dumpOf(connection)));
  for (const folder of folders) {
    await publishSnapshot(connection, folder, options);
    dumps.push(JSON.stringify(dumpOf(connection)));
  }
  connection.close();
});
afterAll(() => removeFolder(root));

/**
 * Publishes in a process of its own, which is killed after this many milliseconds of publishing. Resolves when the
 * process has ended.
 */
async function publishFor(
  milliseconds: number,
  database: string,
  remaining: readonly string[],
): Promise<{ isKilled: boolean; took: number }> {
  const child = spawn(process.execPath, [programFile('test/publish/publish-child.ts'), database, ...remaining], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let started = Number.NaN;
  let timer: NodeJS.Timeout | undefined;
  child.stdout.once('data', () => {
    started = performance.now();
    if (Number.isFinite(milliseconds)) timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  });
  const { code, signal } = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exitCode, exitSignal) => resolve({ code: exitCode, signal: exitSignal }));
    },
  );
  clearTimeout(timer);
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`publishing ended with ${code ?? signal}`);
  return { isKilled: signal === 'SIGKILL', took: performance.now() - started };
}

/**
 * Opens the database of a killed process as a reader does. If it is not a database yet, opens it as the next publish
 * does.
 */
function openLeftover(database: string): Connection {
  try {
    return openForReading(database);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const connection = openForPublishing(database);
    expect(latestPublication(connection)).toBeNull();
    return connection;
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
  expectWhole(join(root, 'measured.sqlite'));
  const kills = [0, 0];
  const published = new Set<number>();

  /** Publishes the series into one database after the other, and is killed again and again. */
  const lane = async (number: number) => {
    const dice = new Dice(number);
    for (let database = 0; (kills[number] ?? 0) < wantedKills / 2; database += 1) {
      const file = join(root, `killed-${number}-${database}.sqlite`);
      let held = 0;
      for (let isKilled = true; isKilled; ) {
        const remaining = folders.slice(held);
        const isEnough = (kills[number] ?? 0) >= wantedKills / 2;
        const delay = isEnough ? Number.POSITIVE_INFINITY : dice.next() * took;
        ({ isKilled } = await publishFor(delay, file, remaining));
        const holds = expectWhole(file);
        expect(holds).toBeGreaterThanOrEqual(held);
        held = holds;
        if (!isKilled) break;
        kills[number] = (kills[number] ?? 0) + 1;
        published.add(held);
      }
      expect(held).toBe(folders.length);
      expect(existsSync(`${file}-journal`)).toBe(false);
    }
  };
  await Promise.all([lane(0), lane(1)]);
  expect((kills[0] ?? 0) + (kills[1] ?? 0)).toBeGreaterThanOrEqual(wantedKills);
  if (isCheck) expect(published.size).toBeGreaterThan(1);
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
