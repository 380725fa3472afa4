import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { changeType } from '../../generator/contract/documents/change.ts';
import { compareInstants } from '../../generator/contract/instant.ts';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { isCheck } from '../support/check-mode.ts';
import { randomWorld, type WorldSnapshot } from '../support/random-world.ts';
import { writeSnapshot } from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { type ExpectedEvent, type ExpectedState, ExpectedWorld } from './expected-world.ts';
import { PublishedWorld } from './published-world.ts';

/** A world published into a database of its own, with the expected result of each publication. */
type Published = {
  readonly connection: Connection;
  readonly snapshots: readonly WorldSnapshot[];
  readonly expected: readonly { readonly events: ExpectedEvent[]; readonly state: ExpectedState }[];
};

/** How many worlds are looked at, and how many are published once more. */
const [many, few] = isCheck ? [24, 4] : [12, 2];

const options = { quarantine: false, acceptShrink: true };
const worldSize = fc.noBias(
  fc.record({
    seed: fc.nat(),
    products: fc.integer({ min: 1, max: 8 }),
    stores: fc.integer({ min: 1, max: 5 }),
    publications: fc.integer({ min: 2, max: 6 }),
  }),
);

const root = temporaryFolder();
afterAll(() => removeFolder(root));

/** Checks published worlds. Shrinks a failure to the smallest world that fails. */
async function everyWorld(runs: number, check: (world: Published) => void): Promise<void> {
  const property = fc.asyncProperty(worldSize, async (size) => checkWorld(randomWorld(size), check));
  await fc.assert(property, { seed: 20250303, numRuns: runs });
}

async function checkWorld(snapshots: readonly WorldSnapshot[], check: (world: Published) => void): Promise<void> {
  const world = await publishWorld(snapshots);
  try {
    check(world);
  } finally {
    world.connection.close();
  }
}

async function publishWorld(snapshots: readonly WorldSnapshot[]): Promise<Published> {
  const folder = mkdtempSync(join(root, 'world-'));
  const world = new ExpectedWorld();
  const expected = [];
  const connection = openForPublishing(join(folder, 'publication.sqlite'));
  for (const [index, snapshot] of snapshots.entries()) {
    await publishSnapshot(connection, writeSnapshot(join(folder, `snapshot-${index}`), snapshot), options);
    expected.push({ events: world.publish(snapshot), state: world.state as ExpectedState });
  }
  return { connection, snapshots, expected };
}

test('each publication gives the events of what changed, and no others; its state can be read back at the end', async () => {
  const compared = new Map<string, number>();
  await everyWorld(many, ({ connection, expected }) => {
    const published = new PublishedWorld(connection);
    for (const [index, { events, state }] of expected.entries()) {
      const found = published.events(index + 1);
      expect(sorted(found), `publication ${index + 1}`).toEqual(sorted(events));
      expect(published.state(index + 1), `publication ${index + 1}`).toEqual(state);
      for (const { type } of found) compared.set(type, (compared.get(type) ?? 0) + 1);
    }
    expectLogInOrder(connection);
    expectSpansAndTotals(connection);
  });
  for (const type of changeType.options) expect(compared.get(type), type).toBeGreaterThan(0);
});

test('observing the same once more, under other times, is no event', async () => {
  await fc.assert(
    fc.asyncProperty(worldSize, async (size) => {
      const snapshots = randomWorld(size);
      const world = new ExpectedWorld();
      for (const snapshot of snapshots) world.publish(snapshot);
      const last = snapshots[snapshots.length - 1] as WorldSnapshot;
      const repeats = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00.5Z'].map((at) => world.again(last, at));
      await checkWorld([...snapshots, ...repeats], ({ connection, expected }) => {
        const published = new PublishedWorld(connection);
        for (let sequence = snapshots.length + 1; sequence <= expected.length; sequence += 1) {
          expect(published.events(sequence)).toEqual([]);
          expect(published.state(sequence)).toEqual(expected[sequence - 1]?.state);
        }
      });
    }),
    { seed: 20250303, numRuns: few },
  );
});

/** The log is numbered without gaps, by publication, retrieval time and id. */
function expectLogInOrder(connection: Connection): void {
  type LogRow = { number: number; id: string; publication: number; retrieved_at: string };
  const log = connection
    .prepare<[], LogRow>('SELECT number, id, publication, retrieved_at FROM event ORDER BY number')
    .all();
  expect(log.map(({ number }) => number)).toEqual(log.map((_, index) => index + 1));
  expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
  const inOrder = [...log].sort(
    (a, b) =>
      a.publication - b.publication ||
      Date.parse(a.retrieved_at) - Date.parse(b.retrieved_at) ||
      (a.id < b.id ? -1 : 1),
  );
  expect(log).toEqual(inOrder);
}

/** Compares a publication's counts of its own events, and the running totals of products, with the log itself. */
function expectSpansAndTotals(connection: Connection): void {
  type Span = { sequence: number; last_event: number; min: string | null; max: string | null; dated: number };
  const spans = connection.prepare<[], Span>(`
    SELECT sequence, last_event, events_retrieved_min AS min, events_retrieved_max AS max, events_with_source_time AS dated
    FROM publication ORDER BY sequence`);
  type LogRow = {
    number: number;
    type: string;
    product: number;
    retrieved_at: string;
    source_updated_at: string | null;
  };
  const events = connection.prepare<[number], LogRow>('SELECT * FROM event WHERE publication <= ? ORDER BY number');
  const own = connection.prepare<[number], LogRow>('SELECT * FROM event WHERE publication = ? ORDER BY number');
  const totals = connection.prepare('SELECT * FROM product_history WHERE publication = ? ORDER BY product');
  for (const { sequence, ...span } of spans.all()) {
    const log = events.all(sequence);
    const brought = own.all(sequence);
    const times = brought.map(({ retrieved_at }) => retrieved_at).sort(compareInstants);
    expect(span).toEqual({
      last_event: log.length,
      min: times[0] ?? null,
      max: times[times.length - 1] ?? null,
      dated: brought.filter(({ source_updated_at }) => source_updated_at !== null).length,
    });
    const newest = (product: number, types: readonly string[]) =>
      log
        .filter((event) => event.product === product && types.includes(event.type))
        .map(({ retrieved_at }) => retrieved_at)
        .sort(compareInstants)
        .at(-1) ?? null;
    const touched = [...new Set(brought.map(({ product }) => product))].sort((a, b) => a - b);
    expect(totals.all(sequence)).toEqual(
      touched.map((product) => ({
        product,
        publication: sequence,
        event_count: log.filter((event) => event.product === product).length,
        last_price_change_at: newest(product, ['price_changed']),
        last_inventory_change_at: newest(product, ['aggregate_inventory_changed', 'store_inventory_changed']),
      })),
    );
  }
}

function sorted(events: readonly ExpectedEvent[]): ExpectedEvent[] {
  const key = ({ product, type, store }: ExpectedEvent) => `${product.sku} ${type} ${store?.address ?? ''}`;
  return [...events].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
