import { expect, test } from 'vitest';
import { type Reading, VerifiedObjects } from '../../../shim/site/verified-objects.ts';
import { MemoryReader } from '../memory-reader.ts';
import { tinySite } from '../tiny-site.ts';

const site = tinySite({ revision: '11111111-1111-4111-8111-111111111111', documents: { '/v1': { body: 'four' } } });
const [object] = site.routes;
const text: Reading<string> = { name: 'text', of: (bytes) => Buffer.from(bytes).toString() };
const length: Reading<number> = { name: 'length', of: (bytes) => bytes.length };

test('an object that is read in two ways has the value of each, and keeps the one made last', async () => {
  if (!object) throw new Error('expected a site with an object');
  const reader = new MemoryReader(site);
  const objects = new VerifiedObjects(reader);
  expect(await objects.read(text, object)).toBe('four');
  expect(objects.kept(length, object)).toBeUndefined();
  expect(await objects.read(length, object)).toBe(4);
  expect([objects.kept(text, object), objects.kept(length, object)]).toEqual([undefined, 4]);
  expect(await objects.read(length, object)).toBe(4);
  expect(await objects.read(text, object)).toBe('four');
  expect(reader.reads).toHaveLength(3);
});
