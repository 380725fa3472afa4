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
