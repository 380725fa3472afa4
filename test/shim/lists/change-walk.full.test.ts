import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageSize, segmentSize } from '../../../contract/pages.ts';
import { type Asking, asking } from '../asking.ts';
import { MemoryReader } from '../memory-reader.ts';
import { sha256 } from '../tiny-site.ts';
import { type FeedEvent, feedSite, hour, revisionNumber, stores, syntheticEvents, types } from './synthetic-feed.ts';

type Filter = { store_id?: string; types?: string[]; since?: string; until?: string };

const filters = fc
  .record(
    {
      store_id: fc.constantFrom(...stores),
      types: fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
      since: fc.integer({ min: 0, max: 100 }).map(hour),
      until: fc.integer({ min: 100, max: 200 }).map(hour),
    },
    { requiredKeys: [] },
  )
  .map((filter): Filter => filter);

function passes({ store_id, types: asked, since, until }: Filter, { type, store, times }: FeedEvent): boolean {
  if (store_id !== undefined && store?.id !== store_id) return false;
  if (asked !== undefined && !asked.includes(type)) return false;
  // All times here are whole seconds, so their texts sort like the times.
  if (since !== undefined && times.retrieved_at < since) return false;
  return until === undefined || times.retrieved_at <= until;
}

function selectionTarget(filter: Filter, limit: number | null): string {
  const pairs = Object.entries({ ...filter, limit }).filter(([, value]) => value !== null);
  return `/v1/changes${pairs.length > 0 ? '?' : ''}${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
}

type Walk = { readonly ids: number[]; readonly sizes: number[] };

/** Follows links.next to the end. Calls `between` before each step except the first. */
async function walk({ ask }: Asking, target: string, between: (step: number) => void = () => {}): Promise<Walk> {
  const walked: Walk = { ids: [], sizes: [] };
  let next: string | null = target;
  let history: unknown = null;
  for (let step = 0; next !== null; step += 1) {
    if (step > 0) between(step);
    const asked = await ask(next);
    expect([asked.status, asked.headers['X-Publication-Revision']]).toEqual([200, revisionNumber(1)]);
    const { data, meta, links } = asked.page<FeedEvent>();
    expect(meta.history).toEqual(history ?? meta.history);
    history = meta.history;
    expect(meta.page.has_more).toBe(links.next !== null);
    walked.ids.push(...data.map(({ id }) => id));
    walked.sizes.push(data.length);
    next = links.next;
  }
  return walked;
}

function expected(events: readonly FeedEvent[], filter: Filter): number[] {
  return events
    .filter((event) => passes(filter, event))
    .map(({ id }) => id)
    .reverse();
}

describe('contract 4: reading a change list page by page', () => {
  test('gives each row of its revision once, newest first, whatever is published in the meantime', async () => {
    const world = fc.record({
      count: fc.integer({ min: 0, max: 900 }),
      seed: fc.nat(1000),
      filter: filters,
      limit: fc.option(fc.constantFrom(1, 7, 99, 100)),
      growth: fc.array(fc.integer({ min: 0, max: 250 }), { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(world, async ({ count, seed, filter, limit, growth }) => {
        const all = syntheticEvents(count + growth.reduce((sum, more) => sum + more, 0), seed);
        const events = all.slice(0, count);
        const reader = new MemoryReader(feedSite(events, 1));
        const asked = asking(reader);
        let published = count;
        const walked = await walk(asked, selectionTarget(filter, limit), (step) => {
          const more = growth[step - 1];
          if (more === undefined) return;
          published += more;
          reader.publishAfter(feedSite(all.slice(0, published), step + 1));
        });
        expect(walked.ids).toEqual(expected(events, filter));
        if (limit !== null) for (const size of walked.sizes.slice(0, -1)) expect(size).toBe(limit);
        for (const size of walked.sizes) expect(size).toBeLessThanOrEqual(limit ?? 100);
      }),
      { numRuns: 30 },
    );
  });

  test('gives the same answers however little memory there is, even to simultaneous requests', async () => {
    const events = syntheticEvents(1500, 7);
    const site = feedSite(events, 1);
    const ample = asking(new MemoryReader(site));
    const questions = fc.array(fc.tuple(filters, fc.constantFrom(1, 7, 100)), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(questions, fc.constantFrom(0, 20_000, 60_000, 200_000), async (drawn, keptBytes) => {
        const short = asking(new MemoryReader(site), ['a secret of this test'], { keptBytes });
        const targets = drawn.map(([filter, limit]) => selectionTarget(filter, limit));
        for (const one of [targets, targets.toReversed()]) {
          const answers = await Promise.all(one.map((target) => short.ask(target)));
          const expected = await Promise.all(one.map((target) => ample.ask(target)));
          expect(answers.map(({ body }) => body)).toEqual(expected.map(({ body }) => body));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('skips pages that cannot match, across segments, and reads within its budget', async () => {
    const count = 20_450;
    // One event in a thousand has the first type; all others have the second.
    const events = syntheticEvents(count, 1).map((event, index) => ({
      ...event,
      type: index === 150 ? 'store_inventory_changed' : index % 1000 === 500 ? 'price_changed' : 'status_changed',
      store: index === 150 ? { id: stores[0] as string } : null,
    }));
    const reader = new MemoryReader(feedSite(events, 1));
    const asked = asking(reader);
    expect((await walk(asked, selectionTarget({ types: ['price_changed'] }, 3))).ids).toEqual(
      expected(events, { types: ['price_changed'] }),
    );
    const fresh = new MemoryReader(feedSite(events, 1));
    const found = await asking(fresh).ask(selectionTarget({ store_id: stores[0] as string }, 5));
    expect(found.page<FeedEvent>().data.map(({ id }) => id)).toEqual([151]);
    // Reads of the route table (root and shards), then of the list, its index, one segment and one page.
    expect(fresh.reads.length).toBeLessThan(14);
  });

  test('finds the newest event of a segment below one that it skips', async () => {
    const newestBelow = segmentSize * pageSize;
    const events = syntheticEvents(2 * newestBelow + 50, 6).map((event) => ({
      ...event,
      type: event.id === newestBelow ? 'price_changed' : 'status_changed',
      store: null,
    }));
    const { ids } = await walk(
      asking(new MemoryReader(feedSite(events, 1))),
      selectionTarget({ types: ['price_changed'] }, 5),
    );
    expect(ids).toEqual([newestBelow]);
  });

  test('a selection past its budget gives fewer rows and a cursor, and no row is lost', async () => {
    // Every page has both stores, an early time and a late time, so that no summary can rule out a page.
    const events = syntheticEvents(13_050, 2).map((event, index) => ({
      ...event,
      type: 'store_inventory_changed',
      store: { id: stores[index % 2 === 0 ? 0 : 1] as string },
      times: { retrieved_at: index % 100 === 0 || index < 40 ? hour(0) : hour(5) },
    }));
    const filter = { store_id: stores[1] as string, until: hour(1) };
    const walked = await walk(asking(new MemoryReader(feedSite(events, 1))), selectionTarget(filter, 10));
    expect(walked.ids).toEqual(expected(events, filter));
    expect(walked.sizes.slice(0, -1)).toContain(0);
  });

  test('expires with its publication', async () => {
    const events = syntheticEvents(450, 4);
    const reader = new MemoryReader(feedSite(events, 1));
    const asked = asking(reader);
    const first = await asked.ask('/v1/changes');
    reader.publish(feedSite(events, 2));
    expect((await asked.ask(first.next)).code).toBe('CURSOR_EXPIRED');
  });

  test('ends cleanly at the limit of retention', async () => {
    const events = syntheticEvents(650, 3);
    const reader = new MemoryReader(feedSite(events, 1));
    const asked = asking(reader);
    const walked = await walk(asked, '/v1/changes?limit=100', (step) => {
      if (step === 2) reader.publishAfter(feedSite(syntheticEvents(700, 3), 2, { firstPage: 4 }));
    });
    expect(walked.ids).toEqual(Array.from({ length: 350 }, (_, index) => 650 - index));
  });
});

describe("contract 4: reading a family's changes page by page, while its members change", () => {
  const list = '/v1/product-families/ffffffff-0000-4000-8000-000000000000/changes';
  const events = syntheticEvents(350, 5);
  const before = feedSite(events, 1, { list, cut: `${list}/aaaaaaaaaaaaaaaa` });
  const fewer = events.filter(({ id }) => id % 3 !== 0);
  const after = feedSite(fewer, 2, { list, cut: `${list}/bbbbbbbbbbbbbbbb` });

  test('continues with the same members while the documents are kept', async () => {
    const reader = new MemoryReader(before);
    const walked = await walk(asking(reader), `${list}?limit=60`, (step) => {
      if (step === 2) reader.publishBeside(after);
    });
    expect(walked.ids).toEqual(expected(events, {}));
  });

  test.each([
    ['disappears with its documents, instead of continuing with other members', fewer, 'bbbbbbbbbbbbbbbb'],
    ['is divided differently, though it is longer', syntheticEvents(500, 5), 'bbbbbbbbbbbbbbbb'],
    ['is shorter than what was read, though divided as before', syntheticEvents(250, 5), 'aaaaaaaaaaaaaaaa'],
  ])('expires when the list %s', async (_, others, cut) => {
    const reader = new MemoryReader(before);
    const asked = asking(reader);
    const first = await asked.ask(`${list}?limit=60`);
    reader.publishAfter(feedSite(others, 2, { list, cut: `${list}/${cut}` }));
    expect((await asked.ask(first.next)).code).toBe('CURSOR_EXPIRED');
  });

  test('continues in a newer publication if the members are the same', async () => {
    const reader = new MemoryReader(before);
    const more = syntheticEvents(500, 5);
    const walked = await walk(asking(reader), list, (step) => {
      if (step === 1) reader.publishAfter(feedSite(more, 2, { list, cut: `${list}/aaaaaaaaaaaaaaaa` }));
    });
    expect(walked.ids).toEqual(expected(events, {}));
  });
});

describe("contract 4: reading a family's changes when all are in the list itself", () => {
  const list = '/v1/product-families/ffffffff-0000-4000-8000-000000000000/changes';
  const [one, other] = ['aaaaaaaa-0000-4000-8000-000000000000', 'bbbbbbbb-0000-4000-8000-000000000000'];
  const cut = `${list}/${sha256(Buffer.from(`${one}\n${other}`)).slice(0, 16)}`;
  const of = (count: number, sequence: number, members = [other, one]) =>
    feedSite(syntheticEvents(count, 5), sequence, { list, cut, members });
  const ids = Array.from({ length: 80 }, (_, index) => 80 - index);

  test.each([90, 250])('continues when there are %i of them', async (count) => {
    const reader = new MemoryReader(of(80, 1));
    const walked = await walk(asking(reader), `${list}?limit=30`, (step) => {
      if (step === 1) reader.publishAfter(of(count, 2));
    });
    expect(walked.ids).toEqual(ids);
  });

  test('expires when its members change', async () => {
    const reader = new MemoryReader(of(80, 1));
    const asked = asking(reader);
    const first = await asked.ask(`${list}?limit=30`);
    reader.publishAfter(of(90, 2, [one]));
    expect((await asked.ask(first.next)).code).toBe('CURSOR_EXPIRED');
  });

  test('gives no page of the former members, whose index is still there', async () => {
    const former = of(350, 1);
    const bytes = (path: string) =>
      former.objects.get(former.routes.find((route) => route.path === path)?.sha256 ?? '');
    const kept = Object.fromEntries(
      [`${list}/pages.json`, `${cut}/pages/3.json`].map((path) => [path, { body: bytes(path) ?? '' }]),
    );
    const reader = new MemoryReader(feedSite(syntheticEvents(80, 5), 1, { list, members: [one], others: kept }));
    expect((await walk(asking(reader), `${list}?limit=30`)).ids).toEqual(ids);
  });
});
