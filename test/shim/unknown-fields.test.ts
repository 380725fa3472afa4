import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { knownValue } from '../../contract/schemas/checked-value.ts';
import { pageIndex } from '../../contract/schemas/pages.ts';
import { shard } from '../../contract/schemas/site-files.ts';
import { jsonObject } from '../../generator/http/json-object.ts';
import { SiteFolder } from '../../shim/node/site-folder.ts';
import { EditedSite } from '../verify/edited-site.ts';
import { buildExampleSite, type ExampleSite } from '../verify/example-site.ts';
import { asking } from './asking.ts';

/*
 * A site of a later version can have fields that this version does not know. Readers ignore them.
 */

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

/** A JSON value with an extra field in every object. */
function extended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extended);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, inner]) => [key, extended(inner)]);
  return { ...Object.fromEntries(fields), later: { reason: 'new' } };
}

const questions = [
  '/v1/changes?types=price_changed&limit=5',
  '/v1/products/by-sku/001204',
  '/v1/brands?q=wren',
  '/v1/search?q=rye&kinds=brand',
  '/v1/availability/comparison?skus=001204&lat=40.76&lng=-111.89&strategies=best_single_store&radius_m=500000',
];

test('a host with the shim answers from a site that has unknown fields', async () => {
  const site = new EditedSite(example.folder);
  const ask = async (question: string) => {
    const { status, body } = await asking(new SiteFolder(site.folder)).ask(question);
    // Cursors are signed for the bytes of the list that was read, so they differ.
    return { status, data: (body as { data?: unknown } | null)?.data };
  };
  const before = [];
  for (const question of questions) before.push(await ask(question));
  const read = [
    '/v1/changes/pages.json',
    '/v1/brands/index.json',
    '/v1/categories',
    '/v1/products/former-skus.json',
    '/v1/availability/stores.json',
  ];
  for (const path of read) site.replace(path, Buffer.from(`${JSON.stringify(extended(site.document(path)))}\n`));
  site.editTable(({ root, shards }) => {
    for (const routes of shards) for (const route of routes) Object.assign(route, { later: [1] });
    Object.assign(root, { later: null });
  });
  site.editPointer((pointer) => Object.assign(pointer, { later: true }));
  for (const [index, question] of questions.entries()) expect(await ask(question), question).toEqual(before[index]);
  expect(before.map(({ status }) => status)).toEqual(questions.map(() => 200));
});

test('verify names the fields that it does not know', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1/changes/pages.json', (index) => Object.assign(index, { later: 1 }));
  expect(await site.faults()).toContain('document_schema /v1/changes/pages.json');
});

test('a reader drops unknown fields from a value, and keeps a value without any as it is', () => {
  const site = new EditedSite(example.folder);
  const index = site.document('/v1/changes/pages.json');
  expect(knownValue(pageIndex, extended(index))).toEqual({ value: index });
  expect(knownValue(pageIndex, index)).toEqual({ value: index });
  const routes = { routes: site.table.shards[0] };
  expect(jsonObject(Buffer.from(JSON.stringify(extended(routes))), shard, 'a shard')).toEqual(routes);
});

test('a fault next to an unknown field, or in a list of objects that have some, is still found', () => {
  const schema = z.strictObject({ rows: z.array(z.strictObject({ id: z.string() })).max(1) });
  const refused = (value: unknown) => 'fault' in knownValue(schema, value);
  expect(refused({ rows: [{ id: 'a', later: 1 }], later: 2 })).toBe(false);
  expect(refused({ rows: [{ id: 1, later: 1 }] })).toBe(true);
  expect(refused({ rows: [{ id: 'a', later: 1 }, { id: 'b' }] })).toBe(true);
  expect(refused({ later: 2 })).toBe(true);
  expect(() => jsonObject(Buffer.from('{"routes":[{"later":1}]}'), shard, 'a shard')).toThrow('at routes[0].path');
});

test('in a union of schemas, the one that fits apart from unknown fields is used', () => {
  const schema = z.union([
    z.strictObject({ kind: z.literal('a'), at: z.number() }),
    z.strictObject({ kind: z.literal('b'), name: z.strictObject({ text: z.string() }) }),
  ]);
  const value = { kind: 'b', name: { text: 'x', later: 1 }, later: 2 };
  expect(knownValue(schema, value)).toEqual({ value: { kind: 'b', name: { text: 'x' } } });
  expect(knownValue(schema, { kind: 'c' })).toHaveProperty('fault');
});
