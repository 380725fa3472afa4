import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { displayPrice } from '../../contract/profile.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { depositPublication, zenodoFile } from '../../generator/catalogs/deposit.ts';
import { RunningServer } from '../serve/running-server.ts';
import {
  curationOf,
  headerOf,
  productLine,
  retrievalLine,
  type SnapshotParts,
  storeLine,
} from '../support/snapshot-writer.ts';
import { build, expectAsFromNothing, publishParts, temporaryFolder } from './fixture-series.ts';
import { documentAt } from './site-tree.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const days = ['2025-03-01T12:00:00Z', '2025-03-02T12:00:00Z'];

type Parts = Omit<SnapshotParts, 'header'>;

/**
 * Publishes and builds two days of an agency, one at a time. Returns the site, which is sound and equals one that is
 * built from scratch.
 */
async function buildAgency(
  name: string,
  profile: object,
  partsOf: (day: number, at: string) => Parts,
): Promise<string> {
  const database = join(folder.path, `${name}.sqlite`);
  const dist = join(folder.path, name);
  for (const [day, at] of days.entries()) {
    const parts = { curation: curationOf(), ...partsOf(day, at) };
    await publishParts(database, { header: headerOf({ published_at: at, profile }, parts), ...parts });
    await build(database, dist);
  }
  expect((await verifySite(dist)).faults).toEqual([]);
  await expectAsFromNothing(database, dist);
  return dist;
}

type Problem = {
  readonly code: string;
  readonly detail: string;
  readonly invalid_params?: { readonly reason: string }[];
};

/** Sends a request to the site on a host that computes. */
async function getAnswers<Answer>(dist: string, paths: readonly string[]): Promise<Answer[]> {
  await using server = await RunningServer.start([dist]);
  const replies = await Promise.all(paths.map((path) => server.get(path)));
  return replies.map(({ body }) => JSON.parse(body.toString()));
}

const schemaNamed = (dist: string, name: string) =>
  documentAt<{ components: { schemas: Record<string, { properties: Record<string, object> }> } }>(
    dist,
    '/v1/openapi.json',
  ).components.schemas[name]?.properties;

const finland = {
  currency: 'EUR',
  country: 'FI',
  language: 'fi',
  time_zone: 'Europe/Helsinki',
  statement: 'agency',
  sku: { pattern: '^[0-9]{7}$', example: '7648301' },
  store_code: { pattern: '^[0-9]{2}-[A-Z]{2}$', example: '01-HL' },
  product_facts: ['alcohol_by_volume', 'gtin'],
};

test('a site in another country uses its currency, codes, facts and addresses, and says who publishes it', async () => {
  const dist = await buildAgency('finland', finland, (day, at) => ({
    products: [
      productLine('7648301', { price_minor: 1290 + 10 * day, alcohol_by_volume: 37.5 + day, gtin: null }),
      productLine('7648302', { price_minor: null, alcohol_by_volume: null, gtin: '6415600501811' }),
    ],
    stores: [
      storeLine('01-HL', { address: { line1: 'Katu 1', line2: null, city: 'Åbo', region: null, postal_code: null } }),
    ],
    inventory: { scope: ['01-HL'], lines: [retrievalLine('7648301', at, [['01-HL', 5]])] },
  }));
  const { service } = documentAt<{ data: { service: object } }>(dist, '/v1/metadata').data;
  expect(service).toMatchObject({ statement: expect.stringContaining('agency itself'), profile: finland });
  const { data } = documentAt<{ data: object }>(dist, '/v1/products/by-sku/7648301');
  expect(data).toMatchObject({
    price: { amount_minor: 1300, currency: 'EUR', display: '13.00 EUR' },
    facts: { alcohol_by_volume: 38.5, gtin: null },
  });
  expect(documentAt(dist, '/v1/stores/by-code/01-HL')).toMatchObject({
    data: { address: { city: 'Åbo', region: null, postal_code: null, country: 'FI' } },
  });
  const changes = documentAt<{ data: { type: string; change: object }[] }>(dist, '/v1/changes').data;
  expect(changes.find(({ type }) => type === 'product_presentation_changed')?.change).toEqual({
    fields: [
      {
        field: 'facts',
        previous: { alcohol_by_volume: 37.5, gtin: null },
        current: { alcohol_by_volume: 38.5, gtin: null },
      },
    ],
  });
  expect(schemaNamed(dist, 'MoneyObservation')?.currency).toMatchObject({ const: 'EUR' });
  const [found, wrong, missing] = await getAnswers<Problem & { data: { agency_sku: string }[] }>(dist, [
    '/v1/search?q=7648301',
    '/v1/changes?sku=764830',
    '/v1/products/by-sku/764830',
  ]);
  expect(found?.data.map(({ agency_sku }) => agency_sku)).toEqual(['7648301']);
  expect(wrong?.invalid_params?.[0]?.reason).toBe("expected a SKU like 7648301, got '764830'");
  expect(missing?.code).toBe('RESOURCE_NOT_FOUND');
});

test('a site with one stock for the whole state has no stores, and counts packages', async () => {
  const dist = await buildAgency(
    'county',
    { sku: { pattern: '^[0-9]{1,5}$', example: '91572' }, inventory: 'statewide' },
    (day, at) => ({
      products: [
        productLine('91572', { size_ml: 355, size_of: 'container', pack_count: 24 }),
        productLine('7', { size_ml: 187.5, size_text: '4/187.5ML', size_of: 'container', pack_count: 4 }),
        productLine('8', { size_ml: 355, size_of: 'container', pack_count: null }),
      ],
      inventory: { lines: [{ ...retrievalLine('91572', at, []), rows: undefined, quantity: 40 - day }] },
    }),
  );
  const product = (sku: string) =>
    documentAt<{ data: { package_size: object; availability_summary: object } }>(dist, `/v1/products/by-sku/${sku}`)
      .data;
  expect(product('91572').package_size).toMatchObject({
    container_count: 24,
    unit_milliliters: 355,
    total_milliliters: 8520,
    interpretation: 'multi_container',
    normalization_state: 'normalized',
  });
  expect(product('7').package_size).toMatchObject({ unit_milliliters: 188, total_milliliters: 750 });
  expect(product('8').package_size).toMatchObject({ total_milliliters: null, normalization_state: 'unconfirmed' });
  expect(product('91572').availability_summary).toMatchObject({ scope_store_count: 0, reported_quantity: 39 });
  expect(product('7').availability_summary).toMatchObject({ reported_quantity: null });
  const [newest] = documentAt<{ data: object[] }>(dist, '/v1/changes').data;
  expect(newest).toMatchObject({ type: 'aggregate_inventory_changed', change: { difference: -1 } });
  const [comparison, index] = await getAnswers<Problem & { data: { links: object } }>(dist, [
    '/v1/availability/comparison?skus=91572&lat=39&lng=-77',
    '/v1',
  ]);
  expect(comparison?.invalid_params?.[0]?.reason).toContain('no inventory of stores');
  expect(Object.keys(index?.data.links ?? {})).not.toContain('comparison');
});

test('a catalog alone makes a site, in a currency without a minor unit', async () => {
  const dist = await buildAgency('catalog', { currency: 'JPY', country: 'JP', inventory: 'none' }, (day) => ({
    products: [productLine('000001', { price_minor: 1200 + day })],
  }));
  expect(documentAt(dist, '/v1/products/by-sku/000001')).toMatchObject({
    data: { price: { amount_minor: 1201, display: '1201 JPY' } },
    meta: { warnings: [] },
  });
  const deposit = `${dist}-deposit`;
  depositPublication(dist, deposit, null);
  const { metadata } = JSON.parse(readFileSync(`${deposit}/${zenodoFile}`, 'utf8'));
  expect(metadata.keywords).toContain('retail prices');
  expect(metadata.keywords).not.toContain('store inventory');
});

test.each([
  [0, 'USD', '$0.00'],
  [2699, 'USD', '$26.99'],
  [5, 'EUR', '0.05 EUR'],
  [1200, 'JPY', '1200 JPY'],
  [1200, 'KWD', '1.200 KWD'],
])('%i of the minor unit of %s is %s', (amount, currency, text) => {
  expect(displayPrice(amount, currency)).toBe(text);
});

test.each([
  [
    'another currency than before',
    { currency: 'SEK' },
    'profile.currency: expected "EUR" as in all publications before, got "SEK"',
  ],
  ['a currency that is none', { currency: 'XQX' }, 'a currency of ISO 4217'],
  ['a pattern that is costly to match', { sku: { pattern: '^([0-9]+)+$', example: '1' } }, 'profile.sku.pattern'],
  [
    'an example that does not match',
    { sku: { pattern: '^[0-9]{3}$', example: '1234' } },
    'a code that ^[0-9]{3}$ matches',
  ],
  ['a zone that is none', { time_zone: 'Mars/Olympus' }, 'a time zone like Europe/Helsinki'],
  ['a member of another name', { currancy: 'EUR' }, 'currancy'],
])('a snapshot with %s is refused', async (_what, profile, expected) => {
  const database = join(folder.path, 'refused.sqlite');
  const parts = { products: [productLine('000001')], stores: [], curation: curationOf() };
  const publish = (published_at: string, stated: object) =>
    publishParts(database, { header: headerOf({ published_at, profile: stated }, parts), ...parts });
  await publish(days[0] ?? '', { currency: 'EUR' }).catch(() => undefined);
  await expect(publish(days[1] ?? '', { currency: 'EUR', ...profile })).rejects.toThrow(expected);
});

test('a snapshot without a profile is refused if earlier publications have one', async () => {
  const database = join(folder.path, 'without.sqlite');
  const parts = { products: [productLine('000001')], stores: [], curation: curationOf() };
  await publishParts(database, {
    header: headerOf({ published_at: days[0] ?? '', profile: { currency: 'EUR' } }, parts),
    ...parts,
  });
  const later = { header: headerOf({ published_at: days[1] ?? '' }, parts), ...parts };
  await expect(publishParts(database, later)).rejects.toThrow('got "USD", as it has no profile');
});
