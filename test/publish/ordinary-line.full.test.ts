import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  curationProduct,
  inventoryLine,
  productLine as productSchema,
} from '../../generator/publish/snapshot/format.ts';
import {
  ordinaryCurationProduct,
  ordinaryInventoryLine,
  ordinaryProductLine,
} from '../../generator/publish/snapshot/ordinary-line.ts';
import { failureLine, productLine, retrievalLine } from '../support/snapshot-writer.ts';

const odd = fc.constantFrom(
  undefined,
  null,
  '',
  0,
  -0,
  -1,
  1.5,
  2 ** 53,
  [],
  {},
  '12345',
  '1234567',
  '12345٠',
  '0001',
  true,
);
const oneOf = (...texts: readonly string[]) => fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...texts) }, odd);
const instant = fc.oneof(
  oneOf('2024-01-02T22:26:37Z', '2024-02-30T00:00:00Z', '2024-02-29T23:59:60Z', '2024-01-02t22:26:37.500+01:00'),
  fc.constant(null),
);
const quantity = fc.oneof({ weight: 6, arbitrary: fc.nat(20) }, odd, fc.constant(Number.MAX_SAFE_INTEGER));
const pair = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(oneOf('0001', '0002', '0003', '0004'), quantity) },
  { weight: 1, arbitrary: fc.oneof(odd, fc.constant(['0001']), fc.constant(['0001', 1, 2])) },
);
/** A sound value of which some fields are as they come. */
function partly<Value extends object>(sound: Value, fields: fc.Arbitrary<object>) {
  return fc.tuple(fields, fc.subarray([...Object.keys(sound), 'more'])).map(([made, from]) => ({
    ...sound,
    ...Object.fromEntries(Object.entries(made).filter(([field]) => from.includes(field))),
  }));
}
const lineFields = fc.record({
  sku: oneOf('000001', '999999'),
  attempted_at: instant,
  status: oneOf('succeeded', 'failed'),
  retrieved_at: instant,
  source_updated_at: instant,
  rows: fc.oneof({ weight: 6, arbitrary: fc.array(pair, { maxLength: 4 }) }, odd),
  more: fc.anything(),
});
const retrieval = retrievalLine('000001', '2024-01-02T22:26:37Z', [['0001', 12]]);
const { source_updated_at: _, ...withoutSourceTime } = retrieval;
const failure = failureLine('000001', '2024-01-02T22:26:37Z');
const line = fc.oneof(...[retrieval, withoutSourceTime, failure].map((sound) => partly(sound, lineFields)));

const number = fc.oneof({ weight: 9, arbitrary: fc.nat(3000) }, odd);
const text = fc.oneof(
  { weight: 12, arbitrary: oneOf('Château 12 Años 750ml', 'G', 'cat_red_wine', ' ') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('x'.repeat(1001), 'é'.repeat(10_001), '\ud800', 'a\0b', 'two\nlines', '\u00a0'),
  },
);
const productFields = fc.record({
  sku: oneOf('000001', '999999'),
  source_name: text,
  name: text,
  size_ml: number,
  size_text: text,
  pack_count: number,
  price_minor: number,
  price_source: oneOf('agency_workbook', 'agency_locator', 'agency_workbook', 'other'),
  status_code: text,
  status_label: text,
  status_raw: text,
  lifecycle: oneOf('active', 'discontinued', 'restricted', 'other'),
  category_id: oneOf('cat_red_wine', 'cat_beer', 'cat_', 'red'),
  more: fc.anything(),
});
const product = partly(productLine('000001'), productFields);

const slug = oneOf('red-label', 'a1', 'A', 'x'.repeat(201));
const volume = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 3000 }) }, odd);
const soundPackage = {
  container_count: 1,
  unit_milliliters: 750,
  total_milliliters: 750,
  display: '750 mL',
  interpretation: 'single_container',
  basis: 'normalized_source_size',
  normalization_state: 'normalized',
};
const soundCurated = {
  sku: '000001',
  brand: 'red-label',
  family: null,
  relationship_type: null,
  vintage_year: 2019,
  age_statement: '12 years',
  package: soundPackage,
};
const size = partly(
  soundPackage,
  fc.record({
    container_count: volume,
    unit_milliliters: volume,
    total_milliliters: volume,
    display: text,
    interpretation: oneOf('single_container', 'multi_container', 'other'),
    basis: oneOf('none', 'normalized_source_size', 'other'),
    normalization_state: oneOf('normalized', 'missing', 'other'),
    more: fc.anything(),
  }),
);
const curated = partly(
  soundCurated,
  fc.record({
    sku: oneOf('000001', '999999'),
    brand: slug,
    family: slug,
    relationship_type: text,
    vintage_year: number,
    age_statement: text,
    package: fc.oneof({ weight: 9, arbitrary: size }, odd),
    more: fc.anything(),
  }),
);

test.each([
  ['inventory', line, ordinaryInventoryLine, inventoryLine],
  ['products', product, ordinaryProductLine, productSchema],
  ['curated products', curated, ordinaryCurationProduct, curationProduct],
] as const)('what it makes of a line of %s is what the schema makes of it', (_, lines, ordinaryLine, schema) => {
  let ordinary = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 20, arbitrary: lines as fc.Arbitrary<unknown> }, fc.anything()), (value) => {
      const row = ordinaryLine(value);
      if (row === null) return;
      ordinary += 1;
      const checked = schema.safeParse(value);
      expect(checked.data).toStrictEqual(row);
      expect(JSON.stringify(checked.data)).toBe(JSON.stringify(row));
    }),
    { numRuns: 4_000 },
  );
  expect(ordinary).toBeGreaterThan(100);
});

test('a line as agencies write it is ordinary', () => {
  const lines = [
    retrievalLine('000001', '2024-01-02T22:26:37Z', [
      ['0001', 12],
      ['0002', 0],
    ]),
    retrievalLine('000001', '2024-12-31T22:26:37.123+05:00', []),
    failureLine('000001', '2024-01-02T22:26:37Z'),
    { ...failureLine('000001', '2024-01-02T22:26:37Z'), note: 'a column of the collector' },
  ];
  for (const value of lines) expect(ordinaryInventoryLine(value)).toStrictEqual(inventoryLine.parse(value));
  const product = productLine('000001', { name: 'Château Margaux', category_id: 'cat_wine_red', size_text: null });
  expect(ordinaryProductLine(product)).toStrictEqual(productSchema.parse(product));
  expect(ordinaryCurationProduct(soundCurated)).toStrictEqual(curationProduct.parse(soundCurated));
});
