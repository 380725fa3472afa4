import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { readExplorer } from '../../generator/explorer/explorer-files.ts';
import { build, publishParts } from '../build/fixture-series.ts';
import { curatedProduct, curationOf, headerOf, productLine, retrievalLine, storeLine } from './snapshot-writer.ts';

/** Names that a page or a spreadsheet could take for something else than text. A script in one would set `owned`. */
export const hostileNames = [
  '<img src=x onerror="globalThis.owned = 1">',
  '</script><script>globalThis.owned = 1</script>',
  'javascript:globalThis.owned=1',
  '\u202eright to left\u202c שלום مرحبا',
  '🍷👩‍👩‍👧‍👦🏴‍☠️ e\u0301\u0302\u0303\u0304',
  'W'.repeat(300),
  'Long words in a row '.repeat(15).trim(),
  '=1+1',
  '+1+1',
  '-2+3',
  '@SUM(A1:A9)',
  'a "quoted" name, with a comma',
  'two\nlines',
  "it's &amp; %2F ../.. #/home?x=1",
] as const;

/** Ordinary products, so that tables are long. No store is asked about them. */
const ordinaryProducts = 200;

/** What the operator states of these data. */
export const hostileStatement = {
  title: 'Orchard </title><script>globalThis.owned = 1</script>',
  agency: 'Orchard & Board',
  notice: 'Reports "of" the board.',
  license: { name: 'CC-BY-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  source_url: 'https://board.example/lists',
  contact: 'prices@orchard.example',
};

export const hostileSku = (number: number) => String(900_000 + number);
export const ordinarySku = (number: number) => String(100_000 + number);

/**
 * A site of two publications whose products, brands, families, categories and stores have these names. In the second one the
 * price and the reported quantity of each of these products have changed. The first test that needs it builds it.
 */
export async function hostileSite(): Promise<string> {
  const site = join(inject('publishedFixtures'), 'hostile-site');
  if (existsSync(site)) return site;
  const folder = mkdtempSync(`${site}.`);
  const database = join(folder, 'hostile.sqlite');
  for (const [index, day] of ['2025-05-01', '2025-05-02'].entries()) {
    await publishParts(database, partsOf(`${day}T08:00:00Z`, index));
  }
  await build(database, join(folder, 'dist'), { explorer: await readExplorer() });
  // Another process may have finished it in the meantime.
  if (!existsSync(site)) renameSync(join(folder, 'dist'), site);
  return site;
}

function partsOf(published_at: string, index: number) {
  const code = (number: number) => String(number + 1).padStart(4, '0');
  const ordinary = Array.from({ length: ordinaryProducts }, (_, number) => productLine(ordinarySku(number)));
  const parts = {
    products: [
      ...ordinary,
      ...hostileNames.map((name, number) =>
        productLine(hostileSku(number), {
          name,
          source_name: name,
          size_text: name,
          status_label: name,
          price_minor: 1000 + number + index,
          category_id: `cat_hostile_${number}`,
        }),
      ),
    ],
    stores: hostileNames.map((name, number) =>
      storeLine(code(number), {
        name,
        address: { line1: name, line2: name, city: name, region: 'CX', postal_code: '00210' },
      }),
    ),
    inventory: {
      scope: hostileNames.map((_, number) => code(number)),
      lines: hostileNames.map((_, number) =>
        retrievalLine(
          hostileSku(number),
          published_at,
          [
            [code(number), 5 + index],
            [code(0), 7 + index],
          ].slice(number === 0 ? 1 : 0) as [string, number][],
        ),
      ),
    },
    curation: curationOf({
      about: hostileStatement,
      categories: hostileNames.map((name, number) => ({
        id: `cat_hostile_${number}`,
        parent_id: number === 0 ? null : 'cat_hostile_0',
        name,
        active: true,
      })),
      brands: hostileNames.map((name, number) => ({ slug: `brand-${number}`, name, aliases: [name], reviewed: true })),
      families: [
        ...hostileNames.map((name, number) => ({ slug: `family-${number}`, name, brand: `brand-${number}` })),
        { slug: 'never-checked', name: 'Never checked', brand: 'brand-0' },
      ],
      products: [
        ...hostileNames.map((_, number) =>
          curatedProduct(hostileSku(number), { brand: `brand-${number}`, family: `family-${number}` }),
        ),
        // A member that stores were not asked about, in a family with one that they were, and in one without.
        curatedProduct(ordinarySku(1), { brand: 'brand-0', family: 'family-0' }),
        curatedProduct(ordinarySku(2), { brand: 'brand-0', family: 'never-checked' }),
      ],
    }),
  };
  return { header: headerOf({ published_at }, parts), ...parts };
}
