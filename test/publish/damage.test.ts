import { createHash } from 'node:crypto';
import { closeSync, copyFileSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { Failure } from '../../generator/files/failure.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { isCheck } from '../support/check-mode.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { dumpOf } from '../support/database-dump.ts';
import { breakSealOf, editDatabase } from '../support/edited-database.ts';
import { publishedFixtures } from '../support/published-fixtures.ts';
import { Dice } from '../support/random-world.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const pageBytes = 4096;
const options = { quarantine: false };

let root: string;
/** A database with eleven of the fixtures. Below: the content of a database once the twelfth is published. */
let sound: string;
const last = fixtureFolders().at(-1) as string;
let expected: string;
let pages: number;

beforeAll(async () => {
  root = temporaryFolder();
  sound = await publishedFixtures(11);
  pages = statSync(sound).size / pageBytes;
  const whole = join(root, 'whole.sqlite');
  copyFileSync(sound, whole);
  expected = await publishLast(whole);
});
afterAll(() => removeFolder(root));

/** Publishes the last snapshot. Resolves with the content of the database. */
async function publishLast(database: string): Promise<string> {
  const connection = openForPublishing(database);
  try {
    await publishSnapshot(connection, last, options);
    return JSON.stringify(dumpOf(connection));
  } finally {
    connection.close();
  }
}

async function publishSnapshotsInto(database: string, snapshots: readonly string[]): Promise<void> {
  const connection = openForPublishing(database);
  for (const snapshot of snapshots) await publishSnapshot(connection, snapshot, options);
  connection.close();
}

/** A copy of the sound database with one page (0-based) replaced by a damaged version of it. */
function damagedCopy(page: number, damage: (content: Buffer) => Buffer): string {
  const file = join(root, 'damaged.sqlite');
  copyFileSync(sound, file);
  const descriptor = openSync(file, 'r+');
  const content = Buffer.alloc(pageBytes);
  readSync(descriptor, content, 0, pageBytes, page * pageBytes);
  writeSync(descriptor, damage(content), 0, pageBytes, page * pageBytes);
  closeSync(descriptor);
  return file;
}

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

test('a damaged page is noticed, or does not matter', async () => {
  const dice = new Dice(20_250_605);
  const otherPage = () => {
    const from = dice.below(pages) * pageBytes;
    return readFileSync(sound).subarray(from, from + pageBytes);
  };
  const noise = () => Buffer.from(Array.from({ length: pageBytes }, () => dice.below(256)));
  const damages = [noise, () => Buffer.alloc(pageBytes), otherPage];
  for (let round = 0; round < (isCheck ? 24 : 9); round += 1) {
    const file = damagedCopy(dice.below(pages), damages[round % 3] ?? noise);
    const before = sha256(file);
    const outcome = await publishLast(file).catch((error: unknown) => error);
    if (outcome === expected) continue;
    expect(outcome).toBeInstanceOf(Failure);
    expect((outcome as Failure).message).toMatch(/^[^\n]+(is damaged: |: file is not a database|is not a publication)/);
    expect(sha256(file)).toBe(before);
  }
});

const advice = 'restore a copy of it, or publish all snapshots again into a new database';

/** What `publish` finds in the damaged database that this makes of a copy of the sound one. */
async function damageIn(edit: (file: string) => void, flags: readonly string[] = []): Promise<string> {
  const file = join(root, 'changed.sqlite');
  copyFileSync(sound, file);
  edit(file);
  const { stderr } = await runInProcess('publish', last, ...flags, '--db', file);
  return stderr.replace(`shelfpress: ${file} is damaged: `, '').replace(`; ${advice} [database_damaged]\n`, '');
}

test('rows that are missing are damage, and with --check-database also rows that name what is not there', async () => {
  for (const [statement, flags, said] of [
    ['DELETE FROM event WHERE number = 100', [], /^expected \d+ events, got \d+$/],
    ['DELETE FROM identity', [], /^expected 1 identities, got 0$/],
    ['DELETE FROM publication WHERE sequence = 3', [], /^expected 11 publications, got 10$/],
    ['UPDATE event SET product = 4711 WHERE number = 1', [], /^$/],
    [
      'UPDATE event SET product = 4711 WHERE number = 1',
      ['--check-database'],
      /^product 4711 of table event is not in table product$/,
    ],
  ] as const) {
    expect(await damageIn((file) => editDatabase(file, statement), flags)).toMatch(said);
  }
});

describe('a database whose seal a killed publish left broken', () => {
  test('is proved by the digests of its rows, and sealed', async () => {
    const file = join(root, 'unsealed.sqlite');
    copyFileSync(sound, file);
    breakSealOf(file);
    const build = ['build', '--db', file, '--out', join(root, 'site'), '--no-explorer'];
    const refusals = await Promise.all(
      [build, ['inspect', file], ['check', last, '--db', file], ['diff', `${file}@1`, `${file}@2`]].map((args) =>
        runInProcess(...args),
      ),
    );
    for (const { code, stderr } of refusals) {
      expect(code).toBe(1);
      expect(stderr).toContain(`${file} has no seal: a publish or unpublish is running, and you can wait for it, or`);
      expect(stderr).toContain('publish --skip-published with the last snapshot, proves the database and seals it');
    }
    const before = fixtureFolders().at(-2) as string;
    expect(await runInProcess('publish', before, '--skip-published', '--db', file)).toMatchObject({ code: 0 });
    expect(await runInProcess('inspect', file)).toMatchObject({ code: 0 });
    breakSealOf(file);
    expect(await runInProcess('unpublish', '--db', file)).toMatchObject({ code: 0 });
    expect(await runInProcess('inspect', file)).toMatchObject({ code: 0 });
    await publishSnapshotsInto(file, [before]);
    expect(await publishLast(file)).toBe(expected);
  });

  test.each([
    ['UPDATE product_version SET price_minor = price_minor + 1 WHERE version = 3', 1],
    ['UPDATE product_version SET last_publication = last_publication + 1 WHERE last_publication = 3', 4],
    ["UPDATE event SET change = replace(change, '1', '2') WHERE publication = 7", 7],
    ['UPDATE inventory_version SET quantity = quantity + 1 WHERE first_publication = 2', 2],
    ['UPDATE retrieval SET reported_quantity = reported_quantity + 1 WHERE publication = 10', 10],
    ["UPDATE inventory_scope SET stores = replace(stores, '1', '2') WHERE scope = 1", 1],
    ["UPDATE identity SET profile = '{}'", 1],
  ])('is damaged after %s', async (statement, publication) => {
    expect(await damageIn((file) => breakSealOf(file, statement))).toBe(
      `rows of publication ${publication} are not what publish wrote`,
    );
  });

  test('is checked whole if an earlier version wrote it, which knew no digests', async () => {
    const file = join(root, 'earlier.sqlite');
    copyFileSync(sound, file);
    breakSealOf(file, 'DELETE FROM seal WHERE row > 1');
    expect(await publishLast(file)).toBe(expected);
    breakSealOf(file);
    await publishSnapshotsInto(file, []);
    expect(
      await damageIn((copy) => {
        copyFileSync(file, copy);
        breakSealOf(copy, "UPDATE event SET id = 'x' WHERE publication = 2");
      }),
    ).toBe('rows of publication 2 are not what publish wrote');
  });
});

test('what only comes to light while publishing is damage too, where the database is damaged', async () => {
  const file = join(root, 'contradicting.sqlite');
  copyFileSync(sound, file);
  const connection = openForPublishing(file);
  // The next event will have this number too, and numbers are unique.
  connection.exec('UPDATE event SET number = 1 + (SELECT max(number) FROM event) WHERE number = 1');
  connection.exec('UPDATE event SET product = 4711 WHERE number = 2');
  await expect(publishSnapshot(connection, last, options)).rejects.toThrow(
    `${file} is damaged: product 4711 of table event is not in table product; restore`,
  );
  connection.close();
});
