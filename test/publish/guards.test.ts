import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { openForReading } from '../../generator/database/database-file.ts';
import { latestPublication } from '../../generator/database/publications.ts';
import { guardNames, guards } from '../../generator/publish/guards/guards.ts';
import { Moves } from '../../generator/publish/moves.ts';
import { readText } from '../project/repository.ts';
import { runInProcess } from '../support/command-in-process.ts';
import type { Finished } from '../support/command-line.ts';
import { publishedFixtures } from '../support/published-fixtures.ts';
import { seededRandom } from '../support/random.ts';
import { folderForFile } from '../support/temporary-folder.ts';

const root = folderForFile();

type Fields = Record<string, unknown>;

/** A copy of a bundled snapshot, with changes to its header, or to each line of a part. */
function changedFixture(
  number: number,
  changes: {
    readonly header?: (header: Fields) => Fields;
    readonly products?: (line: Fields) => Fields;
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
  const lines = (change: (line: Fields) => Fields) => (text: string) => {
    const changed = text
      .trimEnd()
      .split('\n')
      .map((line) => change(JSON.parse(line)));
    return changed.map((line) => `${JSON.stringify(line)}\n`).join('');
  };
  const { header, products } = changes;
  if (header) rewrite('snapshot.json', (text) => JSON.stringify(header(JSON.parse(text))));
  if (products) rewrite('products.ndjson', lines(products));
  return folder;
}

/** A copy of the database of the first fixtures. */
async function databaseOf(published: number): Promise<string> {
  const database = join(mkdtempSync(join(root, 'database-')), 'publication.sqlite');
  copyFileSync(await publishedFixtures(published), database);
  return database;
}

/** Publishes a snapshot after the first `published` fixtures. */
async function publishAfter(published: number, folder: string, ...options: readonly string[]): Promise<Finished> {
  const database = await databaseOf(published);
  const finished = await runInProcess('publish', folder, '--db', database, ...options);
  const connection = openForReading(database);
  expect(latestPublication(connection)?.sequence).toBe(finished.code === 0 ? published + 1 : published);
  connection.close();
  return finished;
}

const tooLow = (line: Fields) => ({ ...line, price_minor: Math.round(Number(line.price_minor) / 100) });

test('prices are compared with the last price that a product had', async () => {
  const withoutPrices = changedFixture(2, { products: (line) => ({ ...line, price_minor: null }) });
  const database = await databaseOf(1);
  const publish = (folder: string, ...options: string[]) =>
    runInProcess('publish', folder, '--db', database, ...options);
  expect((await publish(withoutPrices)).stderr).toMatch(/moves by more than half, or loses, \d+ of 48 prices/);
  expect((await publish(withoutPrices, '--accept', 'all')).code).toBe(0);
  const { stderr } = await publish(changedFixture(3, { products: tooLow }));
  expect(stderr).toMatch(/moves by more than half, or loses, \d+ of 48 prices/);
  expect((await publish(changedFixture(3, {}))).stderr).toBe('');
});

test.each([
  ['a month behind', '2025-02-02T10:00:00Z', 1],
  ['a year ahead', '2026-03-07T10:00:00Z', 1],
  ['three weeks behind', '2025-02-16T10:00:00Z', 0],
])('a catalog retrieved %s', async (_, retrieved_at, code) => {
  const header = (fields: Fields) => ({ ...fields, catalog: { ...(fields.catalog as Fields), retrieved_at } });
  const finished = await publishAfter(1, changedFixture(2, { header }), '--accept', 'source-times');
  expect(finished.code).toBe(code);
  if (code === 0) return;
  expect(finished.stderr).toContain(`expected catalog.retrieved_at at most a day after published_at`);
});

test('all guards that stop a snapshot are said together, and can be accepted together', async () => {
  const folder = changedFixture(2, {
    header: (fields) => ({ ...fields, published_at: '2099-01-01T00:00:00Z' }),
    products: tooLow,
  });
  const { code, stdout, stderr } = await publishAfter(1, folder, '--json');
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n')).toHaveLength(9);
  const { error } = JSON.parse(stdout);
  const prices = ['prices', 'price-jumps', 'price-moves', 'price-total', 'price-changes', 'price-factor'];
  const names = [...prices, 'times', 'future'];
  expect(error.guards.map(({ guard }: { guard: string }) => guard)).toEqual(names);
  const accepting = prices.flatMap((name) => ['--accept', name]);
  const some = await publishAfter(1, folder, ...accepting, '--accept-future');
  expect(some.stderr).toMatch(/^shelfpress: snapshot 02 has times that do not belong together/);
  expect((await publishAfter(1, folder, '--accept', 'all')).code).toBe(0);
});

test('docs/snapshot-format.md has every guard, with its limit and what was seen, and help guards has their names', async () => {
  const [, section = ''] = readText('docs/snapshot-format.md').split('\n### Guards\n');
  const rows = (section.split('\n#')[0] ?? '').match(/^\| `.*$/gm);
  expect(rows).toEqual(
    guards.map(({ name, limit, example, seen }) => `| \`${name}\` | ${limit} | ${example} | ${seen} |`),
  );
  const { stdout } = await runInProcess('help', 'guards');
  expect(stdout.match(/^[a-z-]+(?= {2})/gm)?.slice(1)).toEqual(guardNames);
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

  test('of one among thousands of prices are stopped, fivefold beyond what it ever was', () => {
    const prices = movesOf(5_000, (before, index) => before + (index % 3 === 0 ? -100 : 0));
    const guard = guards.find(({ name }) => name === 'price-jumps');
    const said = () => guard?.trips({ prices, header: {} } as never, 'price-jumps');
    prices.add('000001', 200, 999);
    prices.add('000001', 1000, 201);
    prices.add('000001', 200, 1000, [200, 201]);
    prices.add('000001', 1000, 200, [999, 1000]);
    expect([prices.fivefold, said()]).toEqual([2, null]);
    prices.add('000001', 200, 1000, [100, 200]);
    prices.add('000002', 900, 0);
    expect(said()).toBe(
      'moves 2 of 5,006 prices to 0, or fivefold beyond what their products ever cost: expected none; 000001: $2.00 to $10.00; 000002: $9.00 to $0.00',
    );
  });

  test('by more than a quarter that share a factor stand out from those that do not', () => {
    const random = seededRandom(12);
    const own = (before: number) => Math.round(before * (1.3 + random()));
    const one = (before: number) => Math.round(before * 1.3);
    const few = movesOf(11_000, (before, index) =>
      index % 100 === 0 ? one(before) : index % 30 === 0 ? own(before) : before,
    );
    const common = few.commonWideFactor();
    expect(common?.factor).toBeCloseTo(1.3, 2);
    expect(common?.moves).toBe(few.wide);
    expect((common?.agreeing ?? 0) / few.wide).toBeGreaterThan(0.25);
    const none = movesOf(11_000, (before, index) => (index % 30 === 0 ? own(before) : before)).commonWideFactor();
    expect((none?.agreeing ?? 0) / (none?.moves ?? 1)).toBeLessThan(0.1);
    expect(movesOf(10, (before) => before).commonWideFactor()).toBeNull();
  });

  test('of a tenth of the prices by up to 45 % are stopped, though their sum hardly moves', () => {
    const random = seededRandom(11);
    const prices = movesOf(5_000, (before) => (random() < 0.1 ? Math.round(before * (0.55 + 0.9 * random())) : before));
    const tripped = guards.filter(({ name }) => name === 'price-moves' || name === 'prices');
    expect(tripped.map(({ name, trips }) => trips({ prices, header: {} } as never, name))).toEqual([
      null,
      expect.stringMatching(/^moves \d+ of \d+ changed prices by more than a quarter: expected at most 35 %/),
    ]);
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
