import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchWords } from '../../contract/search-order.ts';
import { searchTexts } from '../../explorer/products/ranking.ts';

test('many texts at once give the same words as each of them alone', () => {
  const texts = fc.array(
    fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[A-Z é'`\n]*['’]\d\d ?$/)),
  );
  const words = (text: string) => [...new Set(text.split(' '))].filter(Boolean).sort();
  fc.assert(
    fc.property(texts, (all) => {
      expect(searchTexts(all).map(words)).toEqual(all.map((text) => searchWords([text]).sort()));
    }),
  );
});
