import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareInstants } from '../../contract/instant.ts';
import { changeType } from '../../contract/schemas/change.ts';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { guardNames } from '../../generator/publish/guards/guards.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { isCheck } from '../support/check-mode.ts';
import { randomWorld, type WorldSnapshot } from '../support/random-world.ts';
import { writeSnapshot } from '../support/snapshot-writer.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { type ExpectedEvent, type ExpectedState, ExpectedWorld } from './expected-world.ts';
import { PublishedWorld } from './published-world.ts';

const options = { quarantine: false, accept: guardNames };
const worldSize = fc.noBias(
  fc.record({
    seed: fc.nat(),
    products: fc.integer({ min: 1, max: 8 }),
    stores: fc.integer({ min: 1, max: 5 }),
    publications: fc.integer({ min: 2, max: 6 }),
  }),
);

const root = folderForFile();

/** Publishes a world into a database. Returns the expected result of each publication too. */
async function publishWorld(snapshots: readonly WorldSnapshot[]) {
  const folder = mkdtempSync(join(root, 'world-'));
  const world = new ExpectedWorld();
  const expected: { readonly events: ExpectedEvent[]; readonly state: ExpectedState }[] = [];
  const connection = openForPublishing(join(folder, 'publication.sqlite'));
  for (const [index, snapshot] of snapshots.entries()) {
    await publishSnapshot(connection, writeSnapshot(join(folder, `snapshot-${index}`), snapshot), options);
    expected.push({ events: world.publish(snapshot), state: world.state as ExpectedState });
  }
  return { connection, expected };
}

test('each publication gives the events of what changed, and no others; its state can be read back at the end', async () => {
  const compared = new Set<string>();
  const property = fc.asyncProperty(worldSize, async (size) => {
    const { connection, expected } = await publishWorld(randomWorld(size));
    try {
      const published = new PublishedWorld(connection);
      for (const [index, { events, state }] of expected.entries()) {
        const found = published.events(index + 1);
        expect(sorted(found), `publication ${index + 1}`).toEqual(sorted(events));
        expect(published.state(index + 1), `publication ${index + 1}`).toEqual(state);
        for (const { type } of found) compared.add(type);
      }
      expectLogInOrder(connection);
      expectSpansAndTotals(connection);
    } finally {
      connection.close();
    }
  });
  await fc.assert(property, { seed: 20250303, numRuns: isCheck ? 24 : 12 });
  expect(compared).toEqual(new Set(changeType.options));
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
