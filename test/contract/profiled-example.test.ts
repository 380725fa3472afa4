import { expect, test } from 'vitest';
import { openApi } from '../../contract/openapi/openapi.ts';
import { usualProfile } from '../../contract/profile.ts';

const profile = {
  ...usualProfile,
  currency: 'ISK',
  country: 'IS',
  sku: { pattern: '^[0-9]{1,4}$', example: '25' },
  store_code: { pattern: '^[A-Z-]{2,32}$', example: 'AKUREYRI' },
};

/** Every value that a description has under a key, anywhere. */
function valuesUnder(description: unknown, wanted: string): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(description, (key, value) => {
    if (key === wanted && typeof value !== 'object') found.push(value);
    return value;
  });
  return found;
}

test("a site's examples have its currency, country and codes", () => {
  const description = openApi('https://data.example.is/v1', null, null, profile);
  const examples: unknown[] = [];
  JSON.stringify(description, (key, value) => {
    if (key === 'example') examples.push(value);
    return value;
  });
  expect(examples.length).toBeGreaterThan(20);
  for (const [key, value] of [
    ['currency', 'ISK'],
    ['country', 'IS'],
    ['agency_sku', '25'],
    ['inventory_store_code', 'AKUREYRI'],
  ] as const)
    expect(new Set(valuesUnder(examples, key)), key).toEqual(new Set([value]));
  expect(valuesUnder(examples, 'display')).toContain('1199 ISK');
  expect(JSON.stringify(description)).not.toMatch(/USD|"US"|\bcents\b|\$\d/);
  expect(description.info).not.toHaveProperty('license');
});

test('the examples of a site with the usual profile are those of the bundled snapshots', () => {
  const examples = JSON.stringify(openApi('https://data.example.org/v1'));
  expect(examples).toContain('"display":"$11.99"');
});
