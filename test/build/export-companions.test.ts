import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DataPackage } from '../../generator/contract/formats/data-package.ts';
import { describeFields } from '../../generator/contract/formats/export.ts';
import { describeTable, publicationTable } from '../../generator/contract/formats/parquet.ts';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { temporaryFolder } from './fixture-series.ts';
import { readSite } from './site-tree.ts';

const folder = temporaryFolder();
const site = join(folder.path, 'site');
let revisions: string[];

/** The folder of a publication's export files, in the checkout. */
const filesOf = (revision: string) => join(site, 'site', 'v1', 'exports', revision);

beforeAll(async () => {
  await copyBuiltFixtures(site, 12);
  revisions = readdirSync(join(site, 'site', 'v1', 'exports')).filter((name) => name.includes('-'));
});
afterAll(folder.remove);

test('every retained publication has them beside its files', () => {
  const retained = readSite(site).pointer.publications.map(({ revision }) => revision);
  expect(revisions.sort()).toEqual(retained.sort());
  for (const revision of revisions) {
    expect(readdirSync(filesOf(revision)).sort()).toEqual([
      'CITATION.cff',
      'SHA256SUMS',
      'daily.parquet',
      'datapackage.json',
      'inventory.ndjson.gz',
      'inventory.parquet',
      'products.ndjson.gz',
      'products.parquet',
      'stores.ndjson.gz',
      'stores.parquet',
    ]);
  }
});

test('sha256sum takes the checksums of the downloaded files', () => {
  for (const revision of revisions) {
    const checked = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: filesOf(revision),
      encoding: 'utf8',
    });
    expect(checked).toMatchObject({ status: 0, stderr: '' });
    expect(checked.stdout.match(/^\S+\.(gz|parquet): OK$/gm)).toHaveLength(7);
  }
});

describe('the data package', () => {
  const packageOf = (revision: string): DataPackage =>
    JSON.parse(readFileSync(join(filesOf(revision), 'datapackage.json'), 'utf8'));

  test('has every column of the records, with what it means', () => {
    for (const { name, format, schema } of packageOf(revisions[0] ?? '').resources) {
      const columns = format === 'ndjson' ? schema.fields.slice(2) : schema.fields;
      const expected =
        format === 'ndjson'
          ? describeFields(name)
          : describeTable(publicationTable.parse(name.slice(0, -'_parquet'.length)));
      expect(columns.map(({ name, description }) => [name, description])).toEqual(
        expected.map(({ name, meaning }) => [name, meaning]),
      );
    }
    const [products] = packageOf(revisions[0] ?? '').resources;
    const typeOf = (name: string) => products?.schema.fields.find((field) => field.name === name)?.type;
    expect(['agency_sku', 'category_ids', 'price_amount_minor', 'price_retrieved_at'].map(typeOf)).toEqual([
      'string',
      'array',
      'integer',
      'datetime',
    ]);
  });
});
