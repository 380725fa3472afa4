import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeRanker, queryWords, ranks, searchText, searchTexts } from '../../explorer/search/ranking.ts';

const rank = (text: string, query: string) => makeRanker(queryWords(query))(searchText(text));

test('texts with all words whole come before those with their beginnings, and others do not match', () => {
  expect(rank('Beefeater Gin', 'gin')).toBe(ranks.wholeWords);
  expect(rank('Gingerbread Stout', 'gin')).toBe(ranks.beginnings);
  expect(rank('Glenmorangie Original', 'gin')).toBe(ranks.none);
  expect(rank("Añejo Founder's Cask", 'FOUNDERS anejo')).toBe(ranks.wholeWords);
  expect(rank('Beefeater Gin', 'beef gin')).toBe(ranks.beginnings);
});

test('two digits after an apostrophe are a year, in names and queries', () => {
  for (const query of ["'19", '2019', "sauv '19", 'sauv 2019']) {
    for (const name of ["Sauv Bl '19", "Sauv Bl Sect 94'19", 'Sauv Bl 2019'])
      expect(rank(name, query), `${query} in ${name}`).toBe(ranks.wholeWords);
    expect(rank("Sauv Bl '18", query)).toBe(ranks.none);
  }
  expect(rank("Vintage Port '77", '1977')).toBe(ranks.wholeWords);
  // The written form matches too, and other apostrophes mean nothing.
  expect(rank("Vintage Port '07", '07')).toBe(ranks.wholeWords);
  expect(rank("Pumpkin 'n Spice 14's", '2014')).toBe(ranks.none);
});

test('many texts at once give the same words as each of them alone', () => {
  const texts = fc.array(
    fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[A-Z é'`\n]*['’]\d\d ?$/)),
  );
  fc.assert(
    fc.property(texts, (all) => {
      expect(searchTexts(all)).toEqual(all.map(searchText));
    }),
  );
});
