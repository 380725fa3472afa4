import { describe, expect, test } from 'vitest';
import { searchResult } from '../../../generator/contract/documents/search.ts';
import { pathOf } from '../../../generator/contract/paths.ts';
import { search } from '../../../shim/search.ts';
import { UnreadableError } from '../../../shim/site/verified-objects.ts';
import { MemoryReader } from '../memory-reader.ts';
import { tinySite } from '../tiny-site.ts';
import { type Entry, entryOf, searchIn, siteWith, viewOf } from './searchable-site.ts';

const names = ({ data }: Awaited<ReturnType<typeof searchIn>>) => data.map(({ kind, name }) => `${kind} ${name}`);

const gin = entryOf('product', 'London Cut Gin', 'Marrowgate');
const reserve = entryOf('product', 'Réserve Rouge', "Château d'Ombre");
const ginger = entryOf('product', 'Ginger Liqueur', 'Velloire');
const ginFamily = entryOf('product_family', 'Gin', 'Marrowgate');
const marrowgate = entryOf('brand', 'Marrowgate');
const chateau = entryOf('brand', "Château d'Ombre", null, ['Ch. d’Ombre']);
const store = entryOf('store', 'Store 1, Gin Alley');
const everything = [gin, reserve, ginger, ginFamily, marrowgate, chateau, store];

function skuOf({ hit }: Entry): string {
  if (hit.kind !== 'product') throw new Error(`${hit.name} is no product`);
  return hit.agency_sku;
}

describe('contract 3: what a search finds', () => {
  test.each([
    ['case, accents and apostrophes are ignored', 'CHÂTEAU D’OMBRE reserve', ['product Réserve Rouge']],
    ['an apostrophe left out is no blank', 'dombre rouge', ['product Réserve Rouge']],
    ['any order', 'gin london cut', ['product London Cut Gin']],
    ['words said twice are said once', 'gin gin london gin', ['product London Cut Gin']],
    ['brand and name together', 'marrowgate london', ['product London Cut Gin']],
    ['the last word is a prefix', 'marrowgate lon', ['product London Cut Gin']],
    ['and only the last one', 'lon marrowgate', []],
    ['an alias', 'ch dombre', ["brand Château d'Ombre"]],
    ['punctuation parts words', 'store-1,alley', ['store Store 1, Gin Alley']],
    ['every word must be there', 'gin velloire', []],
    ['nothing but punctuation asks for nothing', '—?! *', []],
    ['blanks at the ends', '  london  ', ['product London Cut Gin']],
    ['a word that no name has', 'zzz', []],
    ['names of every object', '__proto__ constructor toString hasOwnProperty', []],
  ])('%s: %s', async (_, q, expected) => {
    const result = await searchIn(everything, q);
    expect([names(result), result.meta.total]).toEqual([expected, expected.length]);
  });

  test('a SKU and the beginning of one find products', async () => {
    const sku = skuOf(ginger);
    expect(names(await searchIn(everything, sku))).toEqual(['product Ginger Liqueur']);
    const beginning = sku.slice(0, 5);
    const alike = [gin, reserve, ginger].filter((entry) => skuOf(entry).startsWith(beginning));
    expect((await searchIn(everything, beginning)).data).toHaveLength(alike.length);
  });

  test('kinds narrow the hits and the total', async () => {
    expect(names(await searchIn(everything, 'marrowgate', ['brand', 'product_family']))).toEqual([
      'brand Marrowgate',
      'product_family Gin',
    ]);
    expect((await searchIn(everything, 'marrowgate', ['store'])).meta.total).toBe(0);
  });

  test('the limit cuts the hits and not the total', async () => {
    const view = await viewOf(siteWith(everything));
    const all = await search(view, { q: 'gin', kinds: null, limit: 100 });
    const two = await search(view, { q: 'gin', kinds: null, limit: 2 });
    expect(two).toEqual({ data: all.data.slice(0, 2), meta: { total: 4, warnings: [] } });
  });

  test('the warnings are those of the index, and the answer has its schema', async () => {
    const view = await viewOf(siteWith(everything, [{ code: 'FIXTURE_DATA' }]));
    const result = await search(view, { q: 'a', kinds: null, limit: 20 });
    expect(result.meta.warnings).toEqual([{ code: 'FIXTURE_DATA' }]);
    expect(searchResult.parse(result)).toEqual(result);
  });
});

describe('contract 3: best first', () => {
  test('an exact SKU comes before names that have the same digits', async () => {
    const product = entryOf('product', 'Something with a long name of many words', 'Wrenmoor');
    const sku = skuOf(product);
    const brand = entryOf('brand', sku);
    const shorter = entryOf('product', sku);
    expect(names(await searchIn([shorter, product, brand], sku))).toEqual([
      'product Something with a long name of many words',
      `brand ${sku}`,
      `product ${sku}`,
    ]);
  });

  test('a family, brand or store whose whole name is asked for comes before what merely has the words', async () => {
    const whole = [entryOf('product_family', 'Gin', 'Gin'), entryOf('brand', 'Gin'), entryOf('store', 'Gin')];
    const entries = [entryOf('product', 'Gin'), entryOf('brand', 'Gin Works'), ginFamily, ...whole, gin];
    const found = names(await searchIn(entries, 'gin'));
    expect(found.slice(0, 4).sort()).toEqual(['brand Gin', 'product_family Gin', 'product_family Gin', 'store Gin']);
    expect(names(await searchIn(entries, 'gin marrowgate'))[0]).toBe('product_family Gin');
  });

  test('the last word itself comes before words that begin with it, however common it is', async () => {
    const common = Array.from({ length: 30 }, (_, i) => entryOf('product', `Van number ${i}`, 'Wrenmoor'));
    const result = names(await searchIn([entryOf('product', 'Vanquish'), ...common], 'van'));
    expect(result).toHaveLength(31);
    expect(result.at(-1)).toBe('product Vanquish');
  });

  test('of two that have the words, the one with fewer others', async () => {
    const long = entryOf('product', 'Straight Rye Aged Six Years', 'Wrenmoor');
    const short = entryOf('product', 'Straight Rye', 'Wrenmoor');
    expect(names(await searchIn([long, short], 'rye'))).toEqual(['product Straight Rye', nameOf(long)]);
  });

  test('equals stand in the order of the index', async () => {
    const same = Array.from({ length: 12 }, () => entryOf('product', 'Vodka', 'Old Pellander'));
    const ids = (await searchIn(same, 'pellander vodka')).data.map(({ id }) => id);
    expect(ids).toEqual(same.map(({ hit }) => hit.id));
  });
});

describe('reading the index', () => {
  test('it is read and prepared once', async () => {
    const site = siteWith(everything);
    const reader = new MemoryReader(site);
    const view = await viewOf(site, reader);
    for (const q of ['gin', 'rouge', 'gin']) await search(view, { q, kinds: null, limit: 1 });
    const { sha256 } = site.routes[0] as { sha256: string };
    expect(reader.reads.filter((read) => read === sha256)).toHaveLength(1);
  });

  test('one that is missing or of another shape is refused', async () => {
    const revision = '11111111-1111-4111-8111-111111111111';
    const query = { q: 'gin', kinds: null, limit: 1 };
    for (const documents of [{}, { [pathOf('search_index')]: { body: '{"entries":[]}' } }]) {
      await expect(search(await viewOf(tinySite({ revision, documents })), query)).rejects.toThrow(UnreadableError);
    }
  });
});

function nameOf({ hit }: Entry): string {
  return `${hit.kind} ${hit.name}`;
}
