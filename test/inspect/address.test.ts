import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatPath } from '../../contract/paths.ts';
import { outcomeInProcess } from '../support/command-in-process.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { temporaryFolder } from '../units/fixture-series.ts';
import { readSite } from '../units/site-tree.ts';

const folder = temporaryFolder();
const [site, other] = [join(folder.path, 'site'), join(folder.path, 'other')];
let revisions: string[];
beforeAll(async () => {
  await copyBuiltFixtures(site, 1, 2, 3);
  await copyBuiltFixtures(other, 2);
  const { publications } = readSite(site).pointer;
  revisions = publications.map(({ revision }) => revision).reverse();
});
afterAll(folder.remove);

const inspect = async (...args: string[]) => {
  const { text, failure } = await outcomeInProcess('inspect', ...args);
  return (failure ?? text).replaceAll(folder.path, '');
};

test('an address names its unit, the publication in which it was made, why, and from what', async () => {
  const text = await inspect(site, formatPath('metadata'));
  expect(text).toMatch(/made by the unit 'service' in publication 3: revision was \S+, and is \S+$/m);
  expect(text).toMatch(/inputs: revision=\S+, /);
});

test('what an earlier build made is kept for the same inputs', async () => {
  const bySku = await inspect(site, formatPath('product_by_sku', { sku: '014100' }));
  const text = await inspect(
    site,
    '--json',
    formatPath('export', { revision: revisions[0] ?? '', resource: 'stores' }),
  );
  expect(JSON.parse(text)).toMatchObject({ unit: { name: 'exports of 1', made: 1, isKept: true } });
  expect(bySku).toMatch(/made by the unit 'product [0-9a-f-]{36}' in publication [123]: /);
});

test('two sites are compared by the first input and the first field that differ', async () => {
  const text = await inspect(site, formatPath('metadata'), '--against', other);
  expect(text).toMatch(/first input that differs: revision: "[0-9a-f-]{36}" and "[0-9a-f-]{36}"/);
  expect(text).toMatch(/first field that differs: data\.\S+: \S+ and \S+/);
  expect(await inspect(site, formatPath('metadata'), '--against', site)).toContain('no field differs');
});

test('an address that the site lacks, or a site without its ledger, is named', async () => {
  expect(await inspect(site, '/v1/nothing')).toBe('/site has no /v1/nothing (try /v1/metadata)');
  rmSync(join(other, 'build-ledger.json'));
  expect(await inspect(other, formatPath('metadata'))).toContain('no build ledger in this folder');
});
