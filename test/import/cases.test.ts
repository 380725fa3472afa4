import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importOf, productRecipe } from './small-import.ts';

/* Values that an agency wrote in its own way, and that were once taken for something else. */

const fields = { sku: 'Code', source_name: 'Name', name: 'Name' };
const finnish = { currency: 'EUR', country: 'FI', language: 'fi', sku: { pattern: '^[0-9]{5}$', example: '00009' } };

/** A recipe of products whose snapshot has this profile. */
function withProfile(profile: object, more: object = {}) {
  const recipe = productRecipe({ ...fields, ...more });
  return {
    ...recipe,
    snapshot: { ...(recipe.snapshot as object), profile: { ...finnish, inventory: 'none', ...profile } },
  };
}

test('alcohol as a fraction is asked about, and read with times', async () => {
  const profile = { product_facts: ['alcohol_by_volume'] };
  const file = { 'catalog.csv': 'Code,Name,ABV\n00009,A,0.135\n00010,B,0.4\n' };
  const refused = await importOf(withProfile(profile, { alcohol_by_volume: 'ABV' }), file);
  expect(refused.lines[0]).toMatch(
    /^catalog\.csv ABV: row 2: expected percent: "times": 100 .+, got 0\.135, and no value above 1$/,
  );
  const read = await importOf(withProfile(profile, { alcohol_by_volume: { column: 'ABV', times: 100 } }), file);
  expect(read.part('products.ndjson').map((line) => line.alcohol_by_volume)).toEqual([13.5, 40]);
  const stated = await importOf(withProfile(profile, { alcohol_by_volume: { column: 'ABV', times: 1 } }), file);
  expect(stated.part('products.ndjson').map((line) => line.alcohol_by_volume)).toEqual([0.135, 0.4]);
});

test('percent signs are read, and above 1 nothing is asked', async () => {
  const recipe = withProfile({ product_facts: ['alcohol_by_volume'] }, { alcohol_by_volume: 'ABV' });
  const { part } = await importOf(recipe, { 'catalog.csv': 'Code,Name,ABV\n00009,A,46.00%\n00010,B,0.5 %\n' });
  expect(part('products.ndjson').map((line) => line.alcohol_by_volume)).toEqual([46, 0.5]);
});

test('codes are read as the pattern of the profile allows them', async () => {
  const profile = { sku: { pattern: '^[A-Z]{2}-[0-9]+$', example: 'AB-12' } };
  const { part } = await importOf(withProfile(profile), { 'catalog.csv': 'Code,Name\nAB-12,A\n' });
  expect(part('products.ndjson')[0]?.sku).toBe('AB-12');
  const { lines } = await importOf(withProfile(profile), { 'catalog.csv': 'Code,Name\nab_12,A\n' });
  expect(lines[0]).toBe("catalog.csv Code: row 2: expected a SKU like AB-12, got 'ab_12'");
});

test('a pattern that no code can match says what codes are made of', async () => {
  const profile = { sku: { pattern: '^[a-z]{2}$', example: 'ab' } };
  const { lines } = await importOf(withProfile(profile), { 'catalog.csv': 'Code,Name\nab,A\n' });
  expect(lines[0]).toContain('0-9, A-Z and -');
});

/** The names of the products of a small file. */
const namesIn = ({ part }: Awaited<ReturnType<typeof importOf>>) => part('products.ndjson').map(({ name }) => name);

test('words for nothing are noticed, read as none, or kept as text, as the recipe says', async () => {
  const words = ['NULL', 'n/a', '#N/A', '–', 'ingen', 'brak', 'keine Angabe', 'não aplicável', 'нет данных'];
  const lines = ['Code,Name,Maker', ...words.map((word, at) => `${at + 1},Gin ${at},${word}`), '99,Rye,Null & Sons'];
  const file = { 'catalog.csv': `${lines.join('\n')}\n` };
  const recipe = (more: object) => productRecipe({ size_text: 'Maker' }, {}, { ...more });
  const kept = await importOf(recipe({}), file);
  expect(kept.summary?.notices).toEqual([
    expect.stringMatching(
      /^catalog\.csv Maker: 9 rows \(2, 3, 4, …\): expected a value; "nothing": "empty" .*, got 'NULL'$/,
    ),
  ]);
  expect(kept.part('products.ndjson').map((line) => line.size_text)).toEqual([...words, 'Null & Sons']);
  const none = await importOf(recipe({ nothing: 'empty' }), file);
  expect(none.summary?.notices).toEqual([]);
  expect(none.part('products.ndjson').map((line) => line.size_text)).toEqual([...words.map(() => null), 'Null & Sons']);
  const some = await importOf(recipe({ nothing: ['ingen'] }), file);
  expect(some.part('products.ndjson').filter((line) => line.size_text === null)).toHaveLength(1);
  expect((await importOf(recipe({ nothing: 'text' }), file)).summary?.notices).toEqual([]);
});

test('character references of HTML are noticed, and decoded on request', async () => {
  const file = { 'catalog.csv': 'Code,Name\n1,Jack &amp; Jill&#39;s &eacute;clat\n2,A&B; C & D\n' };
  const kept = await importOf(productRecipe(), file);
  expect(namesIn(kept)).toEqual(['Jack &amp; Jill&#39;s &eacute;clat', 'A&B; C & D']);
  expect(kept.summary?.notices).toEqual([expect.stringContaining('Name: row 2: expected text without HTML')]);
  const decoded = await importOf(productRecipe({}, {}, { entities: 'decode' }), file);
  expect(namesIn(decoded)).toEqual(["Jack & Jill's éclat", 'A&B; C & D']);
  expect(decoded.summary?.notices).toEqual([]);
});

test('two encodings in one file are noticed, and read line by line', async () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const lines = [latin('Code,Name\n1,Caf\xe9\n'), Buffer.from('2,Rosé\n'), latin('3,M\xfcller'), latin('\n4,Gin\n')];
  const file = { 'catalog.csv': Buffer.concat(lines) };
  const kept = await importOf(productRecipe({}, {}, { encoding: 'windows-1252' }), file);
  expect(namesIn(kept)).toEqual(['Café', 'RosÃ©', 'Müller', 'Gin']);
  expect(kept.summary?.notices).toEqual([
    expect.stringMatching(/Name: row 3: expected text in windows-1252; "encoding": "mixed"/),
  ]);
  const { lines: refused } = await importOf(productRecipe(), file);
  expect(refused[0]).toContain('or "mixed" if lines differ');
  const mixed = await importOf(productRecipe({}, {}, { encoding: 'mixed' }), file);
  expect(namesIn(mixed)).toEqual(['Café', 'Rosé', 'Müller', 'Gin']);
  expect(mixed.summary?.notices).toEqual([]);
});

test('prices in a column of cents, and packs in a column without a rule, are asked about', async () => {
  const cents = { 'catalog.csv': 'Code,Name,priceCents\n1,A,1728\n2,B,2995\n' };
  const refused = await importOf(productRecipe({ price_minor: 'priceCents' }), cents);
  expect(refused.lines[0]).toMatch(
    /priceCents: row 2: expected .*names? .*cents.*"as": "integer" .*\$17\.28, "as": "price" .*\$1728\.00/i,
  );
  const read = await importOf(productRecipe({ price_minor: { column: 'priceCents', as: 'integer' } }), cents);
  expect(read.part('products.ndjson').map((line) => line.price_minor)).toEqual([1728, 2995]);
  const whole = { 'catalog.csv': 'Code,Name,Price\n1,A,149\n2,B,29\n' };
  const noticed = await importOf(productRecipe({ price_minor: 'Price' }), whole);
  expect(noticed.summary?.notices).toEqual([expect.stringContaining('Price: row 2')]);
  const stated = await importOf(productRecipe({ price_minor: { column: 'Price', as: 'price' } }), whole);
  expect([stated.summary?.notices, stated.part('products.ndjson')[0]?.price_minor]).toEqual([[], 14_900]);

  const packs = {
    'catalog.csv': 'Code,Name,Size,Bottles,Case\n1,A,750,1,12\n2,B,750,9,12\n3,C,355,6,24\n4,D,473,1,24\n',
  };
  const unread = await importOf(productRecipe({ size_ml: 'Size' }), packs);
  expect(unread.summary?.notices).toEqual([
    expect.stringMatching(/Bottles: row 3: .* 2 of 4 rows have more than 1.*pack_count/),
  ]);
  const ignored = await importOf(productRecipe({ size_ml: 'Size' }, {}, { ignore: ['Bottles'] }), packs);
  expect(ignored.summary?.notices).toEqual([]);
  const rules = { size_ml: 'Size', pack_count: 'Bottles', size_of: { value: 'container' } };
  const counted = await importOf(productRecipe(rules), packs);
  expect(counted.part('products.ndjson').map((line) => line.pack_count)).toEqual([1, 9, 6, 1]);
});

test('a comma that groups no thousands is a decimal sign, and zeros at the end of a price change nothing', async () => {
  const file = { 'catalog.csv': 'Code;Name;Size;Price\n1;A;0,750;0,990\n2;B;0,375;12\n3;C;1,500;012,345\n' };
  const rules = { size_ml: { column: 'Size', unit: 'l' }, price_minor: 'Price' };
  const { lines } = await importOf(productRecipe(rules, {}, { delimiter: ';' }), file);
  expect(lines.slice(0, 3)).toEqual([
    expect.stringMatching(/Size: 2 rows \(2, 3\): expected a size/),
    expect.stringMatching(/Price: 2 rows \(2, 4\): expected a price/),
    '"decimal": "," in files.catalog: tried, and it leaves 1 of the 4 faults of rows',
  ]);
  const points = { 'catalog.csv': 'Code,Name,Price\n1,A,442.000\n2,B,12.9900\n3,C,.900\n' };
  const { part } = await importOf(productRecipe({ price_minor: 'Price' }, {}, { decimal: '.' }), points);
  expect(part('products.ndjson').map((line) => line.price_minor)).toEqual([44_200, 1299, 90]);
});

test('categories keep apart, and those that do not are named', async () => {
  const file = { 'catalog.csv': 'Code,Name,Class\n1,A,Вино 1\n2,B,Пиво 1\n3,C,Rosé\n4,D,Rose\n5,E,ROSE\n' };
  const recipe = productRecipe(
    { category_id: { column: 'Class', as: 'category' } },
    { curation: { categories: 'from_products' } },
  );
  const { part, summary } = await importOf(recipe, file);
  expect(part('products.ndjson').map((line) => line.category_id)).toEqual([
    'cat_vino_1_19f8c2',
    'cat_pivo_1_c2b79f',
    'cat_rose',
    'cat_rose',
    'cat_rose',
  ]);
  expect(summary?.notices).toEqual([
    expect.stringMatching(/Class: 2 rows .*a name that does not make cat_rose, as 'Rosé' does/),
  ]);
});

test('the version of the zone rules is beside a snapshot whose times needed them, and changes none of its ids', async () => {
  const recipe = (rule: object) => ({
    ...withProfile({ product_facts: ['promotion_ends_at'] }, { promotion_ends_at: { column: 'Until', ...rule } }),
  });
  const file = { 'catalog.csv': 'Code,Name,Until\n00009,A,2025-03-10\n' };
  const zoned = await importOf(recipe({ format: 'yyyy-MM-dd', zone: 'Europe/Helsinki' }), file);
  expect(JSON.parse(readFileSync(join(zoned.folder, 'out/snapshot/import.json'), 'utf8'))).toEqual({
    time_zone_rules: expect.stringMatching(/^\d{4}[a-z]+$/),
  });
  expect(readFileSync(join(zoned.folder, 'out/snapshot/snapshot.json'), 'utf8')).not.toContain('rules');
  const instant = await importOf(recipe({}), { 'catalog.csv': 'Code,Name,Until\n00009,A,2025-03-10T00:00:00+02:00\n' });
  expect(existsSync(join(instant.folder, 'out/snapshot/import.json'))).toBe(false);
});
