import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { mirrorSite } from '../../generator/copies/mirror/mirror.ts';
import { openForReading } from '../../generator/database/database-file.ts';
import { pairAt, readAvailability } from '../../generator/documents/availability.ts';
import { stateAt } from '../../generator/documents/state.ts';
import { type Difference, type DiffSummary, diffSides } from '../../generator/verify/diff/diff.ts';
import { openSide } from '../../generator/verify/diff/side.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { outcomeInProcess, runInProcess } from '../support/command-in-process.ts';
import { editDatabase } from '../support/edited-database.ts';
import { publishedFixtures } from '../support/published-fixtures.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { EditedSite } from '../verify/edited-site.ts';

let folder: string;
let older: string;
let newer: string;
let database: string;
beforeAll(async () => {
  folder = temporaryFolder();
  [older, newer] = [join(folder, 'older'), join(folder, 'newer')];
  await copyBuiltFixtures(older, 1);
  await copyBuiltFixtures(newer, 1, 2);
  database = await publishedFixtures(12);
});
afterAll(() => removeFolder(folder));

async function compare(first: string, second: string): Promise<{ found: Difference[]; summary: DiffSummary }> {
  const a = await openSide(first, {});
  const b = await openSide(second, {});
  try {
    const found: Difference[] = [];
    const summary = await diffSides(a, b, (difference) => found.push(difference));
    return { found, summary };
  } finally {
    a.close();
    b.close();
  }
}

const nothing = { added: 0, removed: 0, changed: 0 };

/** Every observed pair of a publication as text, read from the database in another way than the exports. */
function pairsAt(sequence: number): Map<string, string> {
  const connection = openForReading(database);
  const state = stateAt(connection, sequence);
  const pairs = new Map<string, string>();
  for (const product of state.products) {
    const availability = readAvailability(state, product);
    for (const store of state.stores) {
      const pair = pairAt(state, availability, store);
      if (pair.retrieved_at === null) continue;
      const reported = [pair.state, pair.reported_quantity, pair.purchase_eligibility];
      pairs.set(`${product.id} ${pair.store_id}`, JSON.stringify(reported));
    }
  }
  connection.close();
  return pairs;
}

describe('publications of a database', () => {
  test.each([
    [1, 12],
    [12, 3],
  ])('%i and %i differ in the pairs that differ', async (first, second) => {
    const { found, summary } = await compare(`${database}@${first}`, `${database}@${second}`);
    const [before, after] = [pairsAt(first), pairsAt(second)];
    const expected = [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((key) => {
      const [a, b] = [before.get(key), after.get(key)];
      if (a === b) return [];
      return [`${a === undefined ? 'added' : b === undefined ? 'removed' : 'changed'} ${key}`];
    });
    const got = found.flatMap((difference) =>
      difference.thing === 'inventory'
        ? [`${difference.change} ${difference.record.product_id} ${difference.record.store_id}`]
        : [],
    );
    expect(got).toEqual(expected);
    expect(got.length).toBeGreaterThan(0);
    expect(summary.isEqual).toBe(false);
  });

  test('differ in their products and stores by field', async () => {
    const { found, summary } = await compare(`${database}@11`, database);
    expect(summary.counts).toMatchObject({
      products: { ...nothing, changed: 4 },
      stores: { ...nothing, changed: 2 },
      documents: null,
    });
    const price = found.find(({ thing, change, ...rest }) => 'record' in rest && rest.record.agency_sku === '001204');
    expect(price).toMatchObject({
      thing: 'products',
      change: 'changed',
      changes: { price_amount_minor: { a: 2799, b: 2899 } },
    });
  });

  test('are named by sequence, revision or the beginning of a revision', async () => {
    for (const at of ['12', 'a286b3df-3aba-5ef2-9c40-5bc6d794994c', 'a286b3df']) {
      expect((await compare(`${database}@${at}`, database)).summary.isEqual).toBe(true);
    }
  });
});

describe('what the operator states about the data', () => {
  test('differs by member, also when nothing else differs', async () => {
    const [file, other] = [join(folder, 'stated.sqlite'), join(folder, 'other.sqlite')];
    const edit = async (copy: string, statement: string) => {
      copyFileSync(await publishedFixtures(2), copy);
      editDatabase(copy, `DELETE FROM about_version; ${statement}`);
    };
    const insert = 'INSERT INTO about_version (first_publication, title,';
    await edit(other, `${insert} agency) VALUES (1, 'A', 'B')`);
    await edit(file, `${insert} contact) VALUES (1, 'Z', 'a@example.org')`);
    const { text, isNo } = await outcomeInProcess('diff', other, file);
    expect(isNo).toBe(true);
    expect(text.split('\n').slice(2, -2)).toEqual([
      'products: equal',
      'stores: equal',
      'pairs: equal',
      'about: 1 added, 1 removed, 1 changed',
      '  + contact "a@example.org"',
      '  - agency "B"',
      '  ~ title "A" → "Z"',
    ]);
    const json = await outcomeInProcess('diff', other, file, '--json');
    expect(json.text).toContain('{"type":"about_changed","member":"title","a":"A","b":"Z"}\n');
    await edit(file, '');
    expect((await compare(other, file)).summary.counts.about).toEqual({ added: 0, removed: 2, changed: 0 });
  });

  test('is not compared with a partial mirror without it', async () => {
    await using host = await StaticHost.start(newer);
    const directory = join(folder, 'exports');
    await mirrorSite({ url: host.url, directory, only: ['exports'], key: null, force: false }, () => undefined);
    const { text } = await outcomeInProcess('diff', `${database}@2`, directory);
    expect(text).toContain('pairs: equal\nabout: not compared, because a partial mirror has none\n');
  });
});

describe('sites', () => {
  test('equal the publication of the database that they were built from', async () => {
    const { found, summary } = await compare(`${database}@2`, newer);
    expect(found).toEqual([]);
    expect(summary).toEqual({
      isEqual: true,
      counts: { products: nothing, stores: nothing, inventory: nothing, about: nothing, documents: null },
    });
  });

  test('differ like their publications, and in documents by the bytes', async () => {
    const { found, summary } = await compare(older, newer);
    const ofDatabase = await compare(`${database}@1`, `${database}@2`);
    expect(found.filter(({ thing }) => thing !== 'documents')).toEqual(ofDatabase.found);
    const [before, after] = [older, newer].map((site) => new Map(readRoutes(site)));
    const documents = found.flatMap((difference) => (difference.thing === 'documents' ? [difference] : []));
    expect(documents.map(({ path }) => path)).toEqual(
      [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
        .filter((path) => before?.get(path) !== after?.get(path))
        .sort(),
    );
    const { added, removed, changed } = summary.counts.documents as typeof nothing;
    expect(added + removed + changed).toBe(documents.length);
  });

  test('differ when one of them merely lacks a document', async () => {
    const fewer = new EditedSite(newer);
    fewer.removeRoute('/v1/exports/changes.json');
    const { summary } = await compare(newer, fewer.folder);
    expect(summary).toMatchObject({ isEqual: false, counts: { documents: { added: 0, removed: 1, changed: 0 } } });
  });

  test('differ like folders when one is live; it sends nothing that is equal, and no file stays behind', async () => {
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    await using host = await StaticHost.start(newer);
    expect((await compare(newer, host.url)).summary.isEqual).toBe(true);
    // The pointer and its signature, the root of the route table, and the shards of the three exports.
    expect(host.taken().length).toBeLessThanOrEqual(6);
    expect(await compare(older, host.url)).toEqual(await compare(older, newer));
    expect(readdirSync(temporary)).toEqual([]);
  });
});

function readRoutes(folder: string): [string, string][] {
  return new EditedSite(folder).table.shards.flat().map(({ path, sha256 }) => [path, sha256]);
}

describe('the command', () => {
  const diff = (...args: string[]) => outcomeInProcess('diff', ...args);

  test('prints counts and the first ten of each, and exits with 1', async () => {
    const { text, isNo } = await diff(`${database}@11`, `${database}@12`);
    const lines = text.replaceAll(database, 'my.sqlite').split('\n');
    expect(isNo).toBe(true);
    expect(lines.slice(0, 4)).toEqual([
      'a: my.sqlite@11: publication 11, revision 7b4a7bc5-c5ea-5b26-9711-84ed3721f0e8, published 2025-05-29T22:00:00Z',
      'b: my.sqlite@12: publication 12, revision a286b3df-3aba-5ef2-9c40-5bc6d794994c, published 2025-06-05T22:00:00Z',
      'products: 0 added, 0 removed, 4 changed',
      "  ~ 010421 Pinot Noir '21: price $27.99 → $25.99",
    ]);
    expect(lines.slice(-20)).toEqual([
      expect.stringContaining('  ~ 0003 Store 3, Pinder Junction: operational_state "open" → "temporarily_closed"; '),
      'pairs: 0 added, 0 removed, 67 changed',
      '  ~ 002050 in store 0005: 35 → 28',
      ...Array.from({ length: 8 }, () => expect.stringMatching(/^ {2}~ 002050 in store \d{4}: /)),
      '  ~ 002050 in store 0003: 32 (eligible) → 30 (not_eligible)',
      '  ~ and 57 more changed; --all prints them',
      'about: 4 added, 0 removed, 0 changed',
      '  + title "Example inventory"',
      '  + agency "Example State Alcohol Agency"',
      expect.stringMatching(/^ {2}\+ notice "The data are invented: .+\."$/),
      '  + license {"name":"CC0-1.0","url":"https://creativecommons.org/publicdomain/zero/1.0/"}',
      'documents: not compared, because a database has none',
      '',
    ]);
  });

  test('--all prints every difference', async () => {
    const { text } = await diff(`${database}@11`, database, '--all');
    expect(text.match(/^ {2}~ \d{6} in store \d{4}: \S/gm)).toHaveLength(67);
  });

  test('--json prints one object per difference, and one with the counts', async () => {
    const { text, isNo } = await diff(older, newer, '--json');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ type: 'summary', equal: false, a: { sequence: 1 }, b: { sequence: 2 } });
    const all = Object.values<Record<string, number>>(lines.at(-1).counts).flatMap((each) => Object.values(each));
    expect(lines).toHaveLength(1 + all.reduce((sum, count) => sum + count, 0));
    expect(lines).toContainEqual({ type: 'document_changed', path: '/v1/metadata', kind: 'metadata' });
    const pair = { product_id: expect.any(String), store_id: expect.any(String), changes: expect.any(Object) };
    expect(lines).toContainEqual(expect.objectContaining({ type: 'pair_changed', ...pair }));
    expect(isNo).toBe(true);
  });

  test('tells equal, different and failed apart by its exit code and standard error', async () => {
    const file = await publishedFixtures(2);
    expect(await runInProcess('diff', file, `${file}@2`)).toMatchObject({ code: 0, stderr: '' });
    expect(await runInProcess('diff', `${file}@1`, file, '--json')).toMatchObject({ code: 1, stderr: '' });
    const failed = await runInProcess('diff', file, `${file}@3`, '--json');
    const message = `${file}: expected a sequence from 1 to 2 or a revision after the @, got 3`;
    expect([failed.code, failed.stderr]).toEqual([1, `shelfpress: ${message} [wrong_value]\n`]);
    expect(JSON.parse(failed.stdout)).toEqual({ ok: false, error: { code: 'wrong_value', message } });
  });

  test('counts documents by kind', async () => {
    const { text } = await diff(older, newer);
    expect(text).toMatch(/^ {2}address +added +removed +changed$/m);
    expect(text).toMatch(/^ {2}\/v1\/products\/\{product_id\} +0 +0 +49$/m);
  });
});

describe('what cannot be compared is one line', () => {
  const failure = async (first: string, second = first) => (await outcomeInProcess('diff', first, second)).failure;

  test('a missing publication, a site with a sequence, nothing', async () => {
    for (const at of ['13', '0', 'aea', ''])
      expect(await failure(`${database}@${at}`)).toBe(
        `${database}: expected a sequence from 1 to 12 or a revision after the @, got ${at === '' ? 'nothing' : at}`,
      );
    expect(await failure(`${newer}@1`)).toBe(
      `${newer}@1: expected a publication database before the @, got the folder of a site`,
    );
    expect(await failure(`${older}-none`)).toMatch(
      /-none: expected .+ the folder of a site, got nothing of that name$/,
    );
  });

  test('an export whose content is damaged, though its hashes are right', async () => {
    const site = new EditedSite(newer);
    const path = `/v1/exports/${site.pointer.revision}/products.ndjson.gz`;
    const lines = gunzipSync(site.bytes(site.objectOf(path)))
      .toString()
      .trimEnd()
      .split('\n');
    const packed = (edited: readonly string[]) => gzipSync(edited.map((line) => `${line}\n`).join(''));
    for (const [bytes, message] of [
      [packed([...lines.slice(0, -2), ...lines.slice(-2).reverse()]), ': expected a record after '],
      [packed([...lines, ...lines.slice(-1)]), ': expected a record after '],
      [packed(lines.slice(0, -1)), ' records, as its header says, got '],
      [packed(lines.slice(1)), 'line 1: expected "header" at record_type, got "product"'],
      [packed(lines.map((line) => line.replace('"agency_sku":"', '"agency_sku":7,"was":"'))), 'line 2: expected '],
      [packed([]), 'line 1: expected a header, got an empty file'],
      [packed(lines).subarray(0, -9), 'expected gzip-compressed lines of text, got unexpected end of file'],
      [gzipSync(Buffer.alloc(4_000_000, 'x')), 'expected gzip-compressed lines of text, got more than '],
    ] as const) {
      site.replace(path, bytes);
      expect(await failure(older, site.folder)).toContain(message);
    }
  });

  test('a damaged export', async () => {
    const site = new EditedSite(newer);
    const path = `/v1/exports/${site.pointer.revision}/products.ndjson.gz`;
    site.remove(site.objectOf(path));
    expect(await failure(older, site.folder)).toMatch(
      /\/objects\/..\/\S+: expected a file with that SHA-256, got no such file$/,
    );
    // The database is still being read then.
    site.remove(site.objectOf(`/v1/exports/${site.pointer.revision}/inventory.ndjson.gz`));
    expect(await failure(database, site.folder)).toMatch(/: expected a file with that SHA-256, got no such file$/);
    await using host = await StaticHost.start(site.folder);
    expect(await failure(older, host.url)).toMatch(/\/objects\/..\/\S+: expected \d+ bytes, got none$/);
  });
});
