import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixtureSite } from '../http/fixture-site.ts';
import { readText } from '../project/repository.ts';
import { type EdgeReads, measureReads } from '../support/edge-reads.ts';

let site: FixtureSite;
let reads: ReadonlyMap<string, EdgeReads>;

beforeAll(async () => {
  site = await FixtureSite.build();
  reads = new Map((await measureReads(site.dist)).map((found) => [found.kind, found]));
});

afterAll(() => site?.[Symbol.dispose]());

test('are those of docs/hosting.md', () => {
  const rows = [...readText('docs/hosting.md').matchAll(/^\| ([a-z].*?) \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
  const documented = rows.map(([, kind = '', ...counts]) => {
    const [first, settled, again] = counts.map(Number);
    return { kind, first, settled, again };
  });
  expect(documented).toEqual([...reads.values()]);
});

/** Reads of the pointer and the route table's root, once per isolate and publication. */
const once = 2;

test.each([
  // A shard and an object. For a client that has the document, only the shard.
  ['document', once + 2, 2],
  ['document that the client has', once + 1, 1],
  // An earlier request has read the shard.
  ['page of a list', once + 2, 1],
  ['search', once + 2, 1],
  ['export', once + 2, 2],
])('%s: %i reads by a new isolate, %i by one that knows the publication, then none', (kind, first, settled) => {
  expect(reads.get(kind)).toEqual({ kind, first, settled, again: 0 });
});

test.each([
  // A selection reads the list itself, its index and the pages that can match, with at most one shard for each.
  ['list', 2],
  ['selection', 3],
  // The stores, and each product's document and availability.
  ['comparison of 3 products', 7],
  ['comparison of 25 products', 51],
])('%s: %i objects, and a shard for each at most', (kind, objects) => {
  const { first = 0, settled = 0, again } = reads.get(kind) ?? {};
  expect(settled).toBeGreaterThan(objects);
  expect(settled).toBeLessThanOrEqual(2 * objects);
  expect(first).toBeGreaterThan(once + objects);
  expect(first).toBeLessThanOrEqual(once + 2 * objects);
  expect(again).toBe(0);
});
