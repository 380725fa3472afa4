import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { SeriesReader } from '../../generator/database/product-series.ts';
import { Catalog } from '../../generator/model/catalog.ts';
import { lastBefore, lastExpired } from '../../generator/model/retention.ts';
import { State } from '../../generator/model/state.ts';
import { touchedSince } from '../../generator/model/touched.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { randomWorld, thinned, type WorldSnapshot } from '../support/random-world.ts';
import {
  curatedProduct,
  curationOf,
  failureLine,
  productLine,
  retrievalLine,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { TestDatabase } from '../support/test-database.ts';

let root: string;
beforeAll(() => {
  root = temporaryFolder();
});
afterAll(() => removeFolder(root));

const recentSeconds = 30 * 86_400;

/** By key or id, as text, all inputs of the documents of each product and family that not all products share. */
type Inputs = { readonly products: ReadonlyMap<number, string>; readonly families: ReadonlyMap<string, string> };

/** Reads the inputs of every product and family of a publication, touched or not. */
function inputsAt(connection: Connection, sequence: number): Inputs {
  const state = new State(connection, sequence);
  const expired = lastExpired(state);
  const now = state.reader.productTotals();
  const gone = state.reader.productTotals(expired);
  const beforeRecent = state.reader.productTotals(lastBefore(state, recentSeconds));
  const lengths = new SeriesReader(connection, sequence).lengths(expired);
  const products = new Map(
    state.products.map((product) => {
      const { key, sku, success } = product;
      const older = [...(state.older.get(key) ?? [])].map(([store, at]) => [store, at, state.meetsPolicy(at)]);
      const { attempts, versions } = lengths.get(key) ?? {};
      const meetsPolicy = state.meetsPolicy(success?.retrievedAt ?? null);
      const skus = [state.formerSkus.of(sku), state.formerSkus.resolvingTo(sku)];
      const events = [now.get(key), gone.get(key)];
      const rows = state.reader.inventory(key).map(({ store, quantity }) => [store, quantity]);
      return [key, JSON.stringify([product, meetsPolicy, older, skus, events, rows, attempts, versions])];
    }),
  );
  const families = new Map(
    new Catalog(state).families.map(({ members, ...family }) => [
      family.id,
      JSON.stringify([family, members.map(({ key }) => [key, products.get(key), beforeRecent.get(key)])]),
    ]),
  );
  return { products, families };
}

function different<Key>(before: ReadonlyMap<Key, string>, after: ReadonlyMap<Key, string>): Key[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
}

async function published(snapshots: readonly WorldSnapshot[]): Promise<Connection> {
  const folder = mkdtempSync(join(root, 'world-'));
  const connection = openForPublishing(join(folder, 'db.sqlite'));
  for (const [index, snapshot] of snapshots.entries()) {
    const source = writeSnapshot(join(folder, `snapshot-${index}`), snapshot);
    await publishSnapshot(connection, source, { quarantine: false, acceptShrink: true });
  }
  return connection;
}

test.each([1, 2, 3])('what differs between two publications is touched (seed %i)', async (seed) => {
  const connection = await published(thinned(randomWorld({ seed, products: 12, stores: 6, publications: 30 })));
  const inputs = Array.from({ length: 30 }, (_, index) => inputsAt(connection, index + 1));
  const seen = { pairs: 0, further: 0, different: 0, spared: 0 };
  for (const [from, before] of inputs.entries()) {
    for (const [to, after] of inputs.entries()) {
      const touched = from < to ? touchedSince(connection, from + 1, to + 1, recentSeconds) : null;
      if (touched === null) continue;
      const where = `from publication ${from + 1} to ${to + 1}`;
      const products = different(before.products, after.products);
      const families = different(before.families, after.families);
      expect([...touched.products], where).toEqual(expect.arrayContaining(products));
      expect([...touched.families], where).toEqual(expect.arrayContaining(families));
      seen.pairs += 1;
      if (to > from + 1) seen.further += 1;
      seen.different += products.length + families.length;
      seen.spared += after.products.size - touched.products.size;
    }
  }
  connection.close();

  expect(seen.pairs).toBeGreaterThan(50);
  expect(seen.further).toBeGreaterThan(20);
  expect(seen.different).toBeGreaterThan(200);
  expect(seen.spared).toBeGreaterThan(50);
});

describe('of a few products', () => {
  const at = (day: number, hour = 12) => `2025-01-${String(day).padStart(2, '0')}T${hour}:00:00Z`;
  const skus = ['000001', '000002', '000003', '000004'];
  const keys = new Map(skus.map((sku, index) => [sku, index + 1]));
  const former = [{ former_sku: '900001', sku: '000001' }];
  const curationWith = (sku_history: readonly object[], brand = 'harbor', name = 'Harbor') =>
    curationOf({
      brands: ['harbor', 'meadow'].map((slug) => ({ slug, name, aliases: [], reviewed: true })),
      families: [{ slug: 'fine', name: 'Fine', brand }],
      products: [curatedProduct('000004', { family: 'fine' })],
      sku_history,
    });
  const first = {
    header: { retention: { history_days: 20, publication_days: 1 } },
    products: skus.map((sku) => productLine(sku)),
    stores: [storeLine('0001'), storeLine('0002')],
    inventory: {
      scope: ['0001', '0002'],
      lines: [retrievalLine('000001', at(1, 10), [['0001', 3]]), retrievalLine('000002', at(1, 11), [['0001', 3]])],
    },
    curation: curationWith(former),
  };
  const { header } = first;

  /** What the last publication touches: a second snapshot, or one without parts at each later time. */
  async function touchedBy(second: Parameters<TestDatabase['publish']>[1], ...later: readonly string[]) {
    const database = new TestDatabase();
    await database.publish(at(1), first);
    await database.publish(at(2), { header, ...second });
    for (const instant of later) await database.publish(instant, { header });
    const last = 2 + later.length;
    const touched = touchedSince(database.connection, last - 1, last, recentSeconds);
    return touched && { products: [...touched.products], families: touched.families.size };
  }
  const inventory = (...lines: ReturnType<typeof retrievalLine | typeof failureLine>[]) => ({
    inventory: { scope: ['0001'], lines },
  });
  const of = (...codes: string[]) => codes.map((sku) => keys.get(sku));

  test('a snapshot without parts touches none', async () => {
    expect(await touchedBy({})).toEqual({ products: [], families: 0 });
  });

  test('an attempt touches its product, also a failed one or one without any change', async () => {
    const lines = [failureLine('000003', at(2, 10)), retrievalLine('000001', at(2, 10), [['0001', 3]])];
    expect(await touchedBy(inventory(...lines))).toEqual({ products: of('000001', '000003'), families: 0 });
  });

  test('an attempt for a member touches its family', async () => {
    expect(await touchedBy(inventory(failureLine('000004', at(2, 10))))).toEqual({
      products: of('000004'),
      families: 1,
    });
  });

  test('another catalog touches all', async () => {
    expect(await touchedBy({ products: first.products })).toBeNull();
  });

  test('a former code touches those that have it', async () => {
    const curation = curationWith([...former, { former_sku: '900001', sku: '000003' }]);
    expect(await touchedBy({ curation })).toEqual({ products: of('000001', '000003'), families: 0 });
  });

  test('another brand of a family, or another name of it, touches the family', async () => {
    const otherBrand = curationWith(former, 'meadow');
    expect(await touchedBy({ curation: otherBrand })).toEqual({ products: [], families: 1 });
    const otherName = curationWith(former, 'harbor', 'Harbour');
    expect(await touchedBy({ curation: otherName })).toEqual({ products: [], families: 1 });
  });

  test('an observation that becomes too old touches its product, whether current or older', async () => {
    // At noon of the third day, two days are the maximum age.
    expect(await touchedBy({}, at(3))).toEqual({ products: of('000001', '000002'), families: 0 });
    // The second snapshot covers store 0001 alone, and leaves store 0002 its older observation.
    const again = inventory(retrievalLine('000001', at(2, 10), [['0001', 3]]));
    expect(await touchedBy(again, at(3))).toEqual({ products: of('000001', '000002'), families: 0 });
    const both = { inventory: { ...first.inventory, lines: [retrievalLine('000001', at(2, 10), [['0001', 3]])] } };
    expect(await touchedBy(both, at(3))).toEqual({ products: of('000002'), families: 0 });
    expect(await touchedBy(both, at(3), at(4))).toEqual({ products: of('000001'), families: 0 });
    expect(await touchedBy(both, at(3), at(4), at(5))).toEqual({ products: [], families: 0 });
    const inSecond = inventory(retrievalLine('000003', '2025-01-02T10:00:00.25Z', []));
    const [then, later] = ['2025-01-04T10:00:00.2Z', '2025-01-04T10:00:00.3Z'];
    expect(await touchedBy(inSecond, at(3), then, later)).toMatchObject({ products: of('000003') });
  });

  test('events that pass history_days touch their products', async () => {
    expect(await touchedBy({}, at(19), at(21))).toEqual({ products: [], families: 0 });
    expect(await touchedBy({}, at(21), at(22))).toEqual({ products: of(...skus), families: 1 });
  });
});

test('every query about products is answered from an index', async () => {
  const connection = await published(randomWorld({ seed: 1, products: 12, stores: 6, publications: 4 }));
  connection.exec('UPDATE publication SET catalog_publication = 1');
  const statements: string[] = [];
  const logged = new Database(connection.name, { verbose: (sql) => statements.push(String(sql)) });
  expect(touchedSince(logged, 1, 4, recentSeconds)).not.toBeNull();
  const plans = statements.flatMap((sql) =>
    connection
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail),
  );
  logged.close();
  connection.close();
  const scanned = plans.flatMap((detail) => /^SCAN (\S+)/.exec(detail)?.[1] ?? []);
  // Of the tables, those of the curation alone. The others are lists that a query has made or was given.
  expect([...new Set(scanned)].sort()).toEqual([
    'brand',
    'brand_version',
    'code',
    'family_version',
    'former_sku',
    'key',
  ]);
  expect(plans.join('\n')).not.toContain('AUTOMATIC');
});
