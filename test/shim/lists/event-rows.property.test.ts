import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareInstants } from '../../../generator/contract/instant.ts';
import {
  type EventFilter,
  type EventRows,
  eventPageReading,
  eventRowsReading,
} from '../../../shim/lists/event-rows.ts';
import { Work } from '../../../shim/scheduling/work.ts';

/** Texts with what a page's text must not be cut at: quotes, brackets, keys of events, characters of several bytes. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"},{"id":"', '","times":{"source_updated_at":', '\\', 'Moët', '],"meta":{', '🍾'),
);
const id = fc.integer({ min: 1, max: 6 }).map((number) => `0000000${number}-0000-4000-8000-000000000000`);
const time = fc.integer({ min: 10, max: 30 }).map((day) => `2024-01-${day}T00:00:00Z`);
const types = ['price_changed', 'store_inventory_changed', 'status_changed'];
const summary = (source: Record<string, string>) =>
  fc.record({ id, source_ids: fc.constant(source), name: text }, { noNullPrototype: true });

const usualEvent = fc.record(
  {
    id,
    type: fc.constantFrom(...types),
    product: fc
      .tuple(summary({ agency_sku: '000001' }), fc.option(text))
      .map(([product, brand]) => ({ ...product, brand })),
    store: fc.option(summary({ inventory_store_code: '0001' })),
    change: fc.record({ previous: text, current: text }, { noNullPrototype: true }),
    semantics: fc.constant('reported_quantity_change_not_a_sale'),
    times: fc
      .tuple(fc.option(time), time)
      .map(([source, retrieved]) => ({ source_updated_at: source, retrieved_at: retrieved, published_at: retrieved })),
    upstream_age_known: fc.boolean(),
  },
  { noNullPrototype: true },
);
type Event = typeof usualEvent extends fc.Arbitrary<infer Value> ? Value : never;

/** Events with fields that nobody knows today, or with their fields in another order. */
const unusualEvent = fc.oneof(
  usualEvent.map((event) => ({ ...event, unknown: 'field' })),
  usualEvent.map(({ id, ...rest }) => ({ ...rest, id })),
);

const history = {
  tracking_started_at: '2024-01-01T00:00:00Z',
  earliest_available_at: null,
  latest_available_at: null,
  retention_days: 365,
  retained_event_count: 12,
  source_update_time_known: false,
};
const meta = { history, warnings: [] };
const links = { self: '/v1/changes', next: null };
const encoder = new TextEncoder();

function bytesOf(events: readonly Event[], indent: number): Uint8Array {
  return encoder.encode(`${JSON.stringify({ data: events, meta, links }, null, indent)}\n`);
}

function passes({ types, store, since, until }: EventFilter, event: Event): boolean {
  const { retrieved_at } = event.times;
  if (types !== null && !types.includes(event.type)) return false;
  if (store !== undefined && event.store?.id !== store) return false;
  if (since !== undefined && compareInstants(retrieved_at, since) < 0) return false;
  return until === undefined || compareInstants(retrieved_at, until) <= 0;
}

const filters: fc.Arbitrary<EventFilter> = fc.record(
  {
    types: fc.option(fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 })),
    store: fc.option(id, { nil: undefined }),
    since: fc.option(time, { nil: undefined }),
    until: fc.option(time, { nil: undefined }),
  },
  { noNullPrototype: true },
);
const asked = fc.record({ filter: filters, start: fc.nat(20), most: fc.nat(20) }, { noNullPrototype: true });
const pages = fc.oneof(
  fc.array(usualEvent, { maxLength: 20 }),
  fc.array(fc.oneof(usualEvent, unusualEvent), { maxLength: 20 }),
);

test('rows are those that pass when the page is parsed, and their texts are those that its events print', async () => {
  await fc.assert(
    fc.asyncProperty(
      pages,
      fc.constantFrom(0, 2),
      fc.array(asked, { maxLength: 8 }),
      async (events, indent, questions) => {
        const bytes = bytesOf(events, indent);
        let kept = (await eventPageReading.of(bytes, new Work())) as EventRows;
        for (const { filter, start, most } of questions) {
          const expected = events.flatMap((event, row) => (row >= start && passes(filter, event) ? [event] : []));
          const found = kept.passing(filter, start, most);
          // As a cache does: a value that is not enough is read again, and memory is short between two questions.
          const reading = eventRowsReading(found);
          if (reading.isEnough?.(kept) !== true) kept = await reading.of(bytes, new Work(), kept);
          const before = kept.memory;
          expect(kept.texts(found)).toEqual(expected.slice(0, most).map((event) => JSON.stringify(event)));
          const left = kept.shrink();
          if (left !== null) expect(left).toBe(kept.memory);
          expect(kept.memory).toBeLessThanOrEqual(before + 80 * events.length);
          expect(kept.shrink()).toBeNull();
          expect(kept.around).toEqual({ meta, links });
          expect(kept.count).toBe(events.length);
        }
      },
    ),
  );
});

test('a page that gave up its text has the rows that were taken before, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(usualEvent, { minLength: 2, maxLength: 20 }), fc.nat(), async (events, seed) => {
      const row = seed % events.length;
      const rows = await eventRowsReading([row]).of(bytesOf(events, 0), new Work());
      rows.shrink();
      const holds = (wanted: number) => eventRowsReading([wanted]).isEnough?.(rows);
      expect(events.map((_, one) => holds(one))).toEqual(events.map((_, one) => one === row));
      expect(() => rows.texts([row === 0 ? 1 : 0])).toThrow('expected rows that were taken');
    }),
  );
});

test('a text that is no page is refused', () => {
  const page = new TextDecoder().decode(bytesOf([], 0));
  for (const wrong of ['', '{"data":[', page.replace('[]', '[,]'), page.replace('[]', '[{}]'), page.slice(0, -3)]) {
    expect(() => eventPageReading.of(encoder.encode(wrong), new Work()), wrong).toThrow();
  }
});
