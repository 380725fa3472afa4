import { expect, test } from 'vitest';
import {
  compareEqualRanks,
  makeRanker,
  nameKey,
  nameLength,
  queryWords,
  ranks,
  type Searchable,
  searchText,
  searchWords,
} from '../../contract/search-order.ts';

const searchable = (name: string, code: string | null = null): Searchable => ({
  text: searchText([...searchWords([name]), ...(code === null ? [] : [code])]),
  ...{ code, names: code === null ? [nameKey([name])] : [], length: nameLength([name]) },
});
const rank = (entry: Searchable, query: string) => makeRanker(queryWords(query), () => true)(entry);

test('texts with all words whole come before those with their beginnings, and others do not match', () => {
  expect(rank(searchable('Beefeater Gin'), 'gin')).toBe(ranks.wholeWords);
  expect(rank(searchable('Gingerbread Stout'), 'gin')).toBe(ranks.beginnings);
  expect(rank(searchable('Glenmorangie Original'), 'gin')).toBe(ranks.none);
  expect(rank(searchable("Añejo Founder's Cask"), 'FOUNDERS anejo')).toBe(ranks.wholeWords);
  expect(rank(searchable('Beefeater Gin'), 'beef gin')).toBe(ranks.beginnings);
  expect(makeRanker(['beef', 'gin'], (word) => word === 'gin')(searchable('Beefeater Gin'))).toBe(ranks.none);
  expect(rank(searchable('Beefeater Gin'), '')).toBe(ranks.none);
});

test('a code comes before a whole name, in any order of words, and both before other words', () => {
  const gin = searchable('Beefeater Gin', '028086');
  expect(rank(gin, '028086')).toBe(ranks.code);
  expect(rank(gin, 'beefeater 028086')).toBe(ranks.code);
  expect(rank(gin, '0280')).toBe(ranks.beginnings);
  expect(rank(gin, 'gin beefeater')).toBe(ranks.productName);
  expect(rank(gin, 'Beefeater Gin 0280')).toBe(ranks.beginnings);
  expect(rank(gin, 'beefeater')).toBe(ranks.wholeWords);
  expect(rank(searchable('Beefeater Gin'), 'gin beefeater')).toBe(ranks.name);
  expect(rank({ ...searchable('Rye', 'a 12'), code: 'A-12' }, 'a-12')).toBe(ranks.code);
});

test('two digits after an apostrophe are a year, in names and queries', () => {
  for (const query of ["'19", '2019', "sauv '19", 'sauv 2019']) {
    for (const name of ["Sauv Bl '19", "Sauv Bl Sect 94'19", 'Sauv Bl 2019'])
      expect(rank(searchable(name), query), `${query} in ${name}`).toBe(ranks.wholeWords);
    expect(rank(searchable("Sauv Bl '18"), query)).toBe(ranks.none);
  }
  expect(rank(searchable("Vintage Port '77"), '1977')).toBe(ranks.wholeWords);
  expect(rank(searchable("Vintage Port '77", '1'), "vintage port '77")).toBe(ranks.productName);
  // The written form matches too, and other apostrophes mean nothing.
  expect(rank(searchable("Vintage Port '07"), '07')).toBe(ranks.wholeWords);
  expect(rank(searchable("Pumpkin 'n Spice 14's"), '2014')).toBe(ranks.none);
});

test('of equal rank the shorter name comes first, then the one that more stores report', () => {
  const entries = [
    { length: 3, stores: 90, id: 'long' },
    { length: 2, stores: null, id: 'unknown' },
    { length: 2, stores: 0, id: 'none' },
    { length: 2, stores: 4, id: 'some' },
  ];
  expect(entries.sort(compareEqualRanks).map(({ id }) => id)).toEqual(['some', 'none', 'unknown', 'long']);
});
