import { expect, test } from 'vitest';
import { UnreadableError } from '../../../contract/site/source.ts';
import { SiteFolder } from '../../../shim/node/site-folder.ts';
import type { Reading } from '../../../shim/site/reading.ts';
import { VerifiedObjects } from '../../../shim/site/verified-objects.ts';
import { FixtureSite } from '../../http/fixture-site.ts';
import { MemoryReader } from '../memory-reader.ts';
import { tinySite } from '../tiny-site.ts';

const site = tinySite({ revision: '11111111-1111-4111-8111-111111111111', documents: { '/v1': { body: 'four' } } });
const [object] = site.routes;
const text: Reading<string> = { name: 'text', of: (bytes) => Buffer.from(bytes).toString() };
const length: Reading<number> = { name: 'length', of: (bytes) => bytes.length };

test('an object that is parsed in two ways has the value of each', async () => {
  if (!object) throw new Error('expected a site with an object');
  const reader = new MemoryReader(site);
  const objects = new VerifiedObjects(reader);
  for (let n = 0; n < 2; n += 1) {
    expect(await objects.read(text, object)).toBe('four');
    expect(await objects.read(length, object)).toBe(4);
  }
  expect(reader.reads).toHaveLength(2);
});

test.each([2 ** 31 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER])(
  'a size of %i, which no file has, is refused',
  async (size) => {
    using site = await FixtureSite.build();
    const objects = new VerifiedObjects(new SiteFolder(site.dist));
    await expect(objects.bytes('route table', { ...site.pointer.routes, size })).rejects.toThrow(UnreadableError);
  },
);
