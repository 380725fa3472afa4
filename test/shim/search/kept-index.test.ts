import { expect, test } from 'vitest';
import { formatPath } from '../../../contract/paths.ts';
import { UnreadableError } from '../../../contract/site/source.ts';
import { search } from '../../../shim/search.ts';
import { PublicationView } from '../../../shim/site/publication-view.ts';
import { VerifiedObjects } from '../../../shim/site/verified-objects.ts';
import { MemoryReader } from '../memory-reader.ts';
import { tinySite } from '../tiny-site.ts';
import { makeEntry, openView, siteWith } from './searchable-site.ts';

const entries = Array.from({ length: 3000 }, (_, n) => makeEntry('product', `Vodka number ${n}`, `Brand ${n % 50}`));
const site = siteWith(entries);
const indexHash = site.routes[0]?.sha256 ?? '';
const query = { q: 'vodka', kinds: null, limit: 3 };
const text = { name: 'text', of: (bytes: Uint8Array) => Buffer.from(bytes).toString() };

test('no other document evicts the search index, and publications with the same index share it', async () => {
  const reader = new MemoryReader(site);
  const objects = new VerifiedObjects(reader, { keptBytes: 1 });
  const [first, second] = [
    await PublicationView.load(objects, site.pointer),
    await PublicationView.load(objects, { ...site.pointer, revision: '22222222-2222-4222-8222-222222222222' }),
  ];
  for (const view of [first, second, first]) {
    await search(view, query);
    await view.read('/v1/search/index.json', text);
  }
  // One read for the index, and one for each read of the text, which is not kept.
  expect(reader.reads.filter((read) => read === indexHash)).toHaveLength(4);
});

test('if reads are shared, simultaneous searches prepare the index once', async () => {
  const reader = new MemoryReader(site);
  const view = await PublicationView.load(
    new VerifiedObjects(reader, { keptBytes: 1, sharesReadings: true }),
    site.pointer,
  );
  const answers = await Promise.all(Array.from({ length: 50 }, () => search(view, query)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(reader.reads.filter((read) => read === indexHash)).toHaveLength(1);
});

test('one that is missing or of another shape is refused', async () => {
  const revision = '11111111-1111-4111-8111-111111111111';
  for (const documents of [{}, { [formatPath('search_index')]: { body: '{"entries":[]}' } }]) {
    await expect(search(await openView(tinySite({ revision, documents })), query)).rejects.toThrow(UnreadableError);
  }
});

test('the warnings are those of the index', async () => {
  const view = await openView(siteWith(entries, [{ code: 'FIXTURE_DATA' }]));
  expect((await search(view, query)).meta.warnings).toEqual([{ code: 'FIXTURE_DATA' }]);
});
