import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openForReading } from '../../generator/database/database-file.ts';
import { latestPublication } from '../../generator/database/publications.ts';
import { fixtureFolders } from '../../generator/preview.ts';
import { guards, optionOf } from '../../generator/publish/guards.ts';
import { Moves } from '../../generator/publish/moves.ts';
import { readText } from '../project/repository.ts';
import { runInProcess } from '../support/command-in-process.ts';
import type { Finished } from '../support/command-line.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
beforeAll(() => {
  root = temporaryFolder();
});
afterAll(() => removeFolder(root));

type Fields = Record<string, unknown>;

/** A copy of a bundled snapshot, with changes to its header, or to each line of a part. */
function changedFixture(
  number: number,
  changes: {
    readonly header?: (header: Fields) => Fields;
    readonly products?: (line: Fields, index: number) => Fields;
    readonly inventory?: (line: Fields) => Fields;
  },
): string {
  const folder = join(mkdtempSync(join(root, 'snapshot-')), String(number).padStart(2, '0'));
  cpSync(fixtureFolders()[number - 1] ?? '', folder, { recursive: true });
  const rewrite = (file: string, change: (text: string) => string) => {
    const path = join(folder, file);
    const isPacked = existsSync(`${path}.gz`);
    const text = isPacked ? gunzipSync(readFileSync(`${path}.gz`)).toString() : readFileSync(path, 'utf8');
    rmSync(`${path}.gz`, { force: true });
    writeFileSync(path, change(text));
  };
  const lines = (change: (line: Fields, index: number) => Fields) => (text: string) => {
    const changed = text
      .trimEnd()
      .split('\n')
      .map((line, index) => change(JSON.parse(line), index));
    return changed.map((line) => `${JSON.stringify(line)}\n`).join('');
  };
  const { header, products, inventory } = changes;
  if (header) rewrite('snapshot.json', (text) => JSON.stringify(header(JSON.parse(text))));
  if (products) rewrite('products.ndjson', lines(products));
  if (inventory) rewrite('inventory.ndjson', lines(inventory));
  return folder;
}

/** A copy of the database of the first fixtures. */
function databaseOf(published: number): string {
  const database = join(mkdtempSync(join(root, 'database-')), 'publication.sqlite');
  copyFileSync(join(inject('publishedFixtures'), `${published}.sqlite`), database);
  return database;
}

/** Publishes a snapshot after the first `published` fixtures. */
async function publishAfter(published: number, folder: string, ...options: readonly string[]): Promise<Finished> {
  const database = databaseOf(published);
  const finished = await runInProcess('publish', folder, '--db', database, ...options);
  const connection = openForReading(database);
  expect(latestPublication(connection)?.sequence).toBe(finished.code === 0 ? published + 1 : published);
  connection.close();
  return finished;
}

const timesOf =
  (factor: number, which: (index: number) => boolean = () => true) =>
  (line: Fields, index: number) => ({
    ...line,
    price_minor: which(index) ? Math.round(Number(line.price_minor) * factor) : line.price_minor,
  });

const inCases = (line: Fields) => ({
  ...line,
  rows: (line.rows as [string, number][]).map(([code, quantity]) => [code, Math.ceil(quantity / 12)]),
});

test.each([
  [
    'prices a hundred times too small',
    { products: timesOf(0.01) },
    'price-factor',
    'multiplies N of N changed prices by 0.01: ',
  ],
  [
    'such prices in a quarter of the catalog',
    { products: timesOf(0.01, (index) => index % 4 === 0) },
    'prices',
    'moves N of 48 prices by more than half: ',
  ],
  [
    'such prices of as few as ten products',
    { products: timesOf(0.01, (index) => index < 10) },
    'prices',
    'moves N of 48 prices by more than half: ',
  ],
  [
    'quantities that are counted in cases',
    { inventory: inCases },
    'quantity-factor',
    'multiplies N of N changed quantities by ',
  ],
])('%s are stopped until they are accepted', async (_, changes, guard, said) => {
  const folder = changedFixture(2, changes);
  const { code, stderr } = await publishAfter(1, folder);
  expect(code).toBe(1);
  expect(stderr.replaceAll(/\b\d+ of \d+ changed/g, 'N of N changed').replaceAll(/\d+ of 48/g, 'N of 48')).toContain(
    said,
  );
  expect(stderr).toContain(`; --accept ${guard} publishes it all the same`);
  expect((await publishAfter(1, folder, '--accept', 'all')).code).toBe(0);
});

test('prices are compared with the last price that a product had', async () => {
  const withoutPrices = changedFixture(2, { products: (line) => ({ ...line, price_minor: null }) });
  const database = databaseOf(1);
  const publish = (folder: string, ...options: string[]) =>
    runInProcess('publish', folder, '--db', database, ...options);
  expect((await publish(withoutPrices)).stderr).toMatch(/moves \d+ of 48 prices by more than half/);
  expect((await publish(withoutPrices, '--accept', 'prices')).code).toBe(0);
  const { stderr } = await publish(changedFixture(3, { products: timesOf(0.01) }));
  expect(stderr).toMatch(/moves \d+ of 48 prices by more than half/);
  expect((await publish(changedFixture(3, {}))).stderr).toBe('');
});

test.each([
  ['a month behind', '2025-02-02T10:00:00Z', 1],
  ['a year ahead', '2026-03-07T10:00:00Z', 1],
  ['three weeks behind', '2025-02-16T10:00:00Z', 0],
])('a catalog retrieved %s', async (_, retrieved_at, code) => {
  const header = (fields: Fields) => ({ ...fields, catalog: { ...(fields.catalog as Fields), retrieved_at } });
  const finished = await publishAfter(1, changedFixture(2, { header }));
  expect(finished.code).toBe(code);
  if (code === 0) return;
  expect(finished.stderr).toContain(`expected catalog.retrieved_at at most a day after published_at`);
  expect((await publishAfter(1, changedFixture(2, { header }), '--accept', 'times')).code).toBe(0);
});

test('an inventory that comes again with the same times is stopped', async () => {
  const [, second = ''] = fixtureFolders();
  const folder = changedFixture(3, {});
  for (const part of ['inventory.ndjson', 'inventory_scope.json']) cpSync(join(second, part), join(folder, part));
  expect((await publishAfter(2, folder)).stderr).toMatch(
    /^shelfpress: snapshot 03 repeats an older inventory: .+ got none in 48 lines; --accept repeat publishes/,
  );
  expect((await publishAfter(2, folder, '--accept', 'repeat')).code).toBe(0);
});

test('all guards that stop a snapshot are said together, and can be accepted together', async () => {
  const folder = changedFixture(2, {
    header: (fields) => ({ ...fields, published_at: '2099-01-01T00:00:00Z' }),
    products: timesOf(0.01),
  });
  const { code, stdout, stderr } = await publishAfter(1, folder, '--json');
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n')).toHaveLength(5);
  const { error } = JSON.parse(stdout);
  expect(error.guards.map(({ guard }: { guard: string }) => guard)).toEqual([
    'prices',
    'price-factor',
    'times',
    'future',
  ]);
  const some = await publishAfter(1, folder, '--accept', 'prices', '--accept', 'price-factor', '--accept-future');
  expect(some.stderr).toMatch(/^shelfpress: snapshot 02 has times that do not belong together/);
  expect((await publishAfter(1, folder, '--accept', 'all')).code).toBe(0);
});

test('docs/snapshot-format.md has every guard, with its limit and its option', () => {
  const [, section = ''] = readText('docs/snapshot-format.md').split('\n### Guards\n');
  const rows = (section.split('\n#')[0] ?? '').match(/^\| `.*$/gm);
  expect(rows).toEqual(guards.map((guard) => `| \`${guard.name}\` | ${guard.limit} | \`${optionOf(guard)}\` |`));
});

describe('moves', () => {
  const movesOf = (count: number, move: (before: number, index: number) => number) => {
    const moves = new Moves();
    for (let index = 0; index < count; index += 1) {
      const before = 500 + ((index * 7919) % 9000);
      moves.add('000001', before, move(before, index));
    }
    return moves;
  };

  test('of ten among thousands of prices are stopped, from exactly five times or a fifth on', () => {
    const prices = movesOf(5_000, (before, index) => before + (index % 3 === 0 ? -100 : 0));
    for (const [before, now] of [
      [200, 999],
      [1000, 201],
      [200, 1000],
    ] as const)
      prices.add('000001', before, now);
    for (let count = 0; count < 8; count += 1) prices.add('000001', 1000, 200);
    expect(prices.fivefold).toBe(9);
    prices.add('000001', 900, 20);
    const guard = guards.find(({ name }) => name === 'prices');
    expect(guard?.trips({ prices } as never)).toBe('moves 10 prices fivefold or more: expected fewer than 10');
  });

  test('have a common factor among rounded numbers and in a sample of many, unless each goes its own way', () => {
    const most = movesOf(1_000, (before, index) => (index % 12 === 0 ? before + 500 : Math.floor(before / 12)));
    expect(most.commonFactor()?.factor).toBeCloseTo(1 / 12, 3);
    expect(most.commonFactor()?.agreeing).toBeGreaterThan(900);
    const many = movesOf(200_000, (before) => before * 10).commonFactor();
    expect(many).toMatchObject({ factor: 10, agreeing: many?.moves });
    expect(many?.moves).toBeLessThanOrEqual(50_000);
    expect(many?.moves).toBeGreaterThan(20_000);
    const none = movesOf(1_000, (before, index) => before + 100 + ((index * 31) % 900)).commonFactor();
    expect(none?.agreeing).toBeLessThan(500);
  });
});
