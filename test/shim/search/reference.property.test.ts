import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchKind } from '../../../contract/schemas/search.ts';
import { search } from '../../../shim/search.ts';
import { ReferenceSearch } from './reference-search.ts';
import { makeEntry, openView, siteWith } from './searchable-site.ts';

/** Words of so few letters that they share beginnings, repeat and tie in every way. */
const word = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[abc]{1,4}$/) },
  { weight: 1, arbitrary: fc.constantFrom('é', 'ﬁn', '0', '00', '000', '𝒳', 'ß') },
);
const phrase = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));

const entries = fc.array(
  fc
    .record({ kind: fc.constantFrom(...searchKind.options), name: phrase, brand: fc.option(phrase) })
    .map(({ kind, name, brand }) => makeEntry(kind, name, kind === 'store' ? null : brand)),
  { minLength: 1, maxLength: 200 },
);

const query = fc.record({
  q: fc.oneof(phrase, word, fc.constantFrom('a', 'b', 'ab', '0', '00', '000', '0000')),
  kinds: fc.option(fc.subarray([...searchKind.options], { minLength: 1 })),
  limit: fc.integer({ min: 1, max: 100 }),
});

test('the answer is what ranking and sorting every entry gives, to the last hit', async () => {
  await fc.assert(
    fc.asyncProperty(entries, fc.array(query, { minLength: 1, maxLength: 10 }), async (all, queries) => {
      const view = await openView(siteWith(all));
      const reference = new ReferenceSearch(all);
      for (const { q, kinds, limit } of queries) {
        const { data, meta } = await search(view, { q, kinds, limit });
        expect({ data, total: meta.total }).toEqual(reference.search(q, kinds, limit));
      }
    }),
    { numRuns: 100 },
  );
});

test('an exact SKU is found by its digits among all that begin with the same ones', async () => {
  const all = Array.from({ length: 300 }, (_, i) => makeEntry('product', `Vodka ${i % 7} ${i % 3}`, 'Old Pellander'));
  const view = await openView(siteWith(all));
  const reference = new ReferenceSearch(all);
  for (const { hit } of all.slice(0, 40)) {
    const sku = hit.kind === 'product' ? hit.agency_sku : '';
    for (const q of [sku, sku.slice(0, 5), `${sku} vodka`, `vodka ${sku.slice(0, 4)}`]) {
      const { data, meta } = await search(view, { q, kinds: null, limit: 20 });
      expect({ data, total: meta.total }).toEqual(reference.search(q, null, 20));
    }
  }
});
