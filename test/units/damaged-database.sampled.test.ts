import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { isNight } from '../support/check-mode.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { integer, seededRandom } from '../support/random.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/* A build never uses a database that is not what `publish` wrote, whatever was changed in it. */

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const folders = fixtureFolders().slice(0, 3);

beforeAll(async () => {
  expect(await runInProcess('publish', ...folders, '--db', at('sound.sqlite'))).toMatchObject({ code: 0, stderr: '' });
  expect(await runInProcess('build', '--db', at('sound.sqlite'), '--out', at('site'), '--no-explorer')).toMatchObject({
    code: 0,
  });
});
afterAll(() => removeFolder(folder));

const damaged =
  /^shelfpress: \S+ (?:is damaged|is not a publication database|has schema version)[^\n]* \[database_(?:damaged|foreign)\]\n$/;

/** Runs every command that reads a database. Each must refuse it with a message, and write nothing. */
async function expectRefused(file: string, what: string): Promise<void> {
  const { code, stdout, stderr } = await runInProcess('build', '--db', file, '--out', at('other'), '--no-explorer');
  expect([what, code, stdout, stderr], what).toEqual([what, 1, '', expect.stringMatching(damaged)]);
}

/** The change counters and the version of SQLite, which no answer depends on. */
const counters = new Set([24, 25, 26, 27, 40, 41, 42, 43, ...Array.from({ length: 8 }, (_, index) => 92 + index)]);

test('a flipped bit anywhere is noticed', async () => {
  const sound = readFileSync(at('sound.sqlite'));
  const random = seededRandom(20_250_606);
  for (let count = 0; count < (isNight ? 300 : 30); count += 1) {
    const bytes = Buffer.from(sound);
    const place = integer(random, 0, bytes.length - 1);
    if (counters.has(place)) continue;
    bytes[place] = (bytes[place] ?? 0) ^ (1 << integer(random, 0, 7));
    writeFileSync(at('flipped.sqlite'), bytes);
    await expectRefused(at('flipped.sqlite'), `byte ${place}`);
  }
});

test('every command that reads a database notices an edited value', async () => {
  copyFileSync(at('sound.sqlite'), at('edited.sqlite'));
  const connection = new Database(at('edited.sqlite'));
  connection.exec('UPDATE product_version SET price_minor = price_minor + 1 WHERE version = 3');
  connection.close();
  await expectRefused(at('edited.sqlite'), 'an edited price');
  for (const args of [
    ['inspect', at('edited.sqlite')],
    ['diff', `${at('edited.sqlite')}@1`, `${at('edited.sqlite')}@2`],
    ['verify', at('site'), '--db', at('edited.sqlite')],
    ['publish', ...fixtureFolders().slice(3, 4), '--db', at('edited.sqlite')],
    ['unpublish', '--db', at('edited.sqlite')],
  ])
    expect(await runInProcess(...args), args.join(' ')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is damaged: a value in it is not what publish wrote; .+ \[database_damaged\]\n$/),
    });
});

test('a database stays sealed after the next publication, and after unpublish', async () => {
  copyFileSync(at('sound.sqlite'), at('daily.sqlite'));
  const [next = ''] = fixtureFolders().slice(3);
  for (const args of [
    ['publish', next, '--db', at('daily.sqlite')],
    ['unpublish', '--db', at('daily.sqlite')],
    ['publish', next, '--db', at('daily.sqlite')],
  ])
    expect(await runInProcess(...args)).toMatchObject({ code: 0 });
  const bytes = readFileSync(at('daily.sqlite'));
  const place = bytes.length - 100;
  bytes[place] = (bytes[place] ?? 0) ^ 4;
  writeFileSync(at('daily.sqlite'), bytes);
  await expectRefused(at('daily.sqlite'), 'the last page');
});

test('a backup by SQLite is as sound as the database', async () => {
  const connection = new Database(at('sound.sqlite'));
  await connection.backup(at('backup.sqlite'));
  connection.close();
  expect(
    await runInProcess('build', '--db', at('backup.sqlite'), '--out', at('backup'), '--no-explorer'),
  ).toMatchObject({
    code: 0,
  });
});
