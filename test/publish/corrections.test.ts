import { join } from 'node:path';
import { expect, test } from 'vitest';
import { correctionsUpTo, type Publication } from '../../generator/database/publications.ts';
import { correctionStatement, feedState, newestCorrection } from '../../generator/documents/corrections.ts';
import { stateAt } from '../../generator/documents/state.ts';
import { unchangedParts } from '../../generator/publish/correction.ts';
import { runInProcess } from '../support/command-in-process.ts';
import {
  curationOf,
  headerOf,
  productLine,
  retrievalLine,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { type Snapshot, TestDatabase } from '../support/test-database.ts';

const unknown = '00000000-0000-4000-8000-000000000000';
const day = (number: number) => `2025-03-0${number}T12:00:00Z`;

const snapshot = (price_minor: number) => ({
  products: [productLine('100001', { price_minor })],
  stores: [storeLine('0001')],
  curation: curationOf(),
});

async function series(...prices: readonly number[]): Promise<{ database: TestDatabase; published: Publication[] }> {
  const database = new TestDatabase();
  const published: Publication[] = [];
  for (const [index, price] of prices.entries())
    published.push(await database.publish(day(index + 1), snapshot(price)));
  return { database, published };
}

test('the revision of a correction depends on what it corrects and why, and on nothing else', async () => {
  const revisions: string[] = [];
  for (const correction of [
    null,
    { revisions: [0], reason: 'a wrong price' },
    { revisions: [0], reason: ' a wrong price ' },
    { revisions: [0], reason: 'another reason' },
    { revisions: [0, 1], reason: 'a wrong price' },
    { revisions: [1, 0, 1], reason: 'a wrong price' },
  ]) {
    const { database, published } = await series(1000, 400);
    const named = correction && {
      ...correction,
      revisions: correction.revisions.map((index) => published[index]?.revision ?? ''),
    };
    revisions.push((await database.publish(day(3), snapshot(1000), { correction: named })).revision);
  }
  const [none, one, same, reason, both, twice] = revisions;
  expect(same).toBe(one);
  expect(twice).toBe(both);
  expect(new Set([none, one, reason, both]).size).toBe(4);
});

test('the newest statement about a publication holds', async () => {
  const { database, published } = await series(1000, 400);
  const [first, second] = published as [Publication, Publication];
  const third = await database.publish(day(3), snapshot(1000), {
    correction: { revisions: [first.revision, second.revision], reason: 'one' },
  });
  const fourth = await database.publish(day(4), snapshot(1001), {
    correction: { revisions: [second.revision, third.revision], reason: 'two' },
  });
  const state = stateAt(database.connection, 4);
  const reasons = [first, second, third, fourth].map((one) => correctionStatement(one, state)?.reason);
  expect(reasons).toEqual(['one', 'two', 'two', undefined]);
  expect(newestCorrection(state)).toEqual({
    revisions: [second.revision, third.revision],
    corrected_by_revision: fourth.revision,
    reason: 'two',
    corrected_at: fourth.published_at,
  });
  expect(feedState(state).corrections.map(({ number, after_event }) => [number, after_event])).toEqual([
    [1, second.last_event],
    [2, third.last_event],
  ]);
  expect(newestCorrection(stateAt(database.connection, 2))).toBeNull();
});

test('the parts of a corrected publication that stay in force are named', async () => {
  const database = new TestDatabase();
  const inventory = (at: string, quantity: number) => ({
    scope: ['0001'],
    lines: [retrievalLine('100001', at, [['0001', quantity]])],
  });
  const wrong = await database.publish(day(1), { ...snapshot(1000), inventory: inventory(day(1), 900) });
  const correction = { revisions: [wrong.revision], reason: 'all was wrong' };
  const { stores, ...others } = snapshot(1000);
  const after = async (number: number, parts: Snapshot) =>
    unchangedParts(database.connection, await database.publish(day(number), parts, { correction }), correction);
  expect(await after(2, others)).toEqual(['stores', 'inventory rows']);
  expect(await after(3, { ...others, stores, inventory: inventory(day(3), 9) })).toEqual([]);
  expect(await after(4, others)).toEqual([]);
});

test('--skip-published passes over a correction only if it was published as the same one', async () => {
  const folder = temporaryFolder();
  const database = join(folder, 'db.sqlite');
  try {
    const folders = [1, 2].map((number) => {
      const parts = snapshot(1000);
      return writeSnapshot(join(folder, String(number)), {
        header: headerOf({ published_at: day(number) }, parts),
        ...parts,
      });
    });
    await runInProcess('publish', folders[0] ?? '', '--db', database);
    const first = JSON.parse((await runInProcess('inspect', database, '--json')).stdout).publications[0].revision;
    const correcting = ['publish', folders[1] ?? '', '--db', database, '--skip-published', '--corrects', first];
    const correct = (reason: string) => runInProcess(...correcting, '--reason', reason);
    expect((await correct('why')).stdout).toMatch(/^published /);
    expect((await correct('why')).stdout).toMatch(/^skipped /);
    expect(await correct('because')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('with a different correction or none: nothing was corrected'),
    });
  } finally {
    removeFolder(folder);
  }
});

test('a correction of nothing, or without a reason for readers, changes nothing', async () => {
  const { database, published } = await series(1000, 400);
  const [first, second] = published as [Publication, Publication];
  const refuse = (revisions: readonly string[], reason: string) =>
    expect(database.publish(day(3), snapshot(1000), { correction: { revisions, reason } })).rejects;
  await refuse([unknown], 'wrong').toThrow(
    `nothing to correct: expected the revision of a publication, got ${unknown}; the newest one is ${second.revision} (publication 2)`,
  );
  await refuse([], 'wrong').toThrow('nothing to correct: expected at least one revision, got none');
  await refuse([first.revision], '  ').toThrow('reason of a correction: expected 1 to 1000 characters, got 0');
  await refuse([first.revision], 'x'.repeat(1001)).toThrow('expected 1 to 1000 characters, got 1001');
  for (const text of ['two\nlines', 'a \u001b[31mred\u001b[0m one', 'left\u202eright', 'half \ud83c']) {
    await refuse([first.revision], text).toThrow('expected one line of printable text, got a control character');
  }
  expect(correctionsUpTo(database.connection, 9)).toEqual([]);
  expect(database.events(3)).toEqual([]);
  const reason = '🍷'.repeat(1000);
  await database.publish(day(3), snapshot(1000), { correction: { revisions: [first.revision], reason } });
  expect(correctionsUpTo(database.connection, 9)).toEqual([{ publication: 1, corrected_by: 3, reason }]);
});

test('a correction of several snapshots is wrong usage', async () => {
  const args = ['publish', 'none', 'other', '--db', '/nowhere/db.sqlite', '--corrects', unknown, '--reason', 'why'];
  const stderr = expect.stringContaining('--corrects needs a single snapshot: expected 1 folder, got 2');
  expect(await runInProcess(...args)).toMatchObject({ code: 2, stderr });
});
