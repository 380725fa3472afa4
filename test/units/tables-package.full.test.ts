import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TablesPackage } from '../../contract/schemas/tables-package.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { Duckdb } from '../project/duckdb-query.ts';
import { EditedSite } from '../verify/edited-site.ts';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { temporaryFolder } from './fixture-series.ts';
import { documentAt } from './site-tree.ts';

const folder = temporaryFolder();
const site = join(folder.path, 'site');
const path = '/v1/exports/datapackage.json';
let described: TablesPackage;
let duckdb: Duckdb;

beforeAll(async () => {
  await copyBuiltFixtures(site, 12);
  described = documentAt<TablesPackage>(site, path);
  duckdb = await Duckdb.open(folder.path);
  for (const { name, path: file } of described.resources) {
    await duckdb.query(`CREATE VIEW ${name} AS FROM '${join(site, 'site/v1/exports', file)}'`);
  }
});
afterAll(folder.remove);

const count = async (sql: string) => Number((await duckdb.query(sql)).rows[0]?.[0]);

test('the package has every table, with the columns that its file has', async () => {
  expect(described.resources).toHaveLength(10);
  for (const { name, schema } of described.resources) {
    const { rows } = await duckdb.query(`DESCRIBE ${name}`);
    expect(schema.fields.map((field) => field.name)).toEqual(rows.map(([column]) => column));
  }
});

test('keys identify rows, and references lead to a row', async () => {
  for (const { name, schema } of described.resources) {
    // The key of `coverage` has a column that may be null, and a key must not.
    expect(schema.primaryKey === undefined).toBe(name === 'coverage');
    const key = schema.primaryKey ?? ['store_id', 'top_category_id', 'publication'];
    expect(await count(`SELECT count(*) - count(DISTINCT (${key.join(', ')})) FROM ${name}`), name).toBe(0);
    for (const column of schema.primaryKey ?? [])
      expect(await count(`SELECT count(*) FROM ${name} WHERE ${column} IS NULL`), `${name}.${column}`).toBe(0);
    for (const { fields, reference } of schema.foreignKeys ?? []) {
      const lost = `SELECT count(*) FROM ${name} WHERE ${fields} IS NOT NULL
        AND ${fields} NOT IN (SELECT ${reference.fields} FROM ${reference.resource})`;
      expect(await count(lost), `${name}.${fields}`).toBe(0);
    }
  }
  const references = described.resources.flatMap(({ schema }) => schema.foreignKeys ?? []);
  expect(references.length).toBeGreaterThan(4);
});

test('required columns are never null, and columns with an enumeration have no other values', async () => {
  let enumerations = 0;
  for (const { name, schema } of described.resources) {
    for (const { name: column, constraints = {} } of schema.fields) {
      const { required, enum: words } = constraints;
      if (required) expect(await count(`SELECT count(*) FROM ${name} WHERE ${column} IS NULL`), column).toBe(0);
      if (!words) continue;
      enumerations += 1;
      const others = `SELECT count(*) FROM ${name} WHERE ${column} NOT IN (${words.map((word) => `'${word}'`).join(', ')})`;
      expect(await count(others), `${name}.${column}`).toBe(0);
    }
  }
  expect(enumerations).toBeGreaterThan(10);
});

test('verify notices another size, hash or path', async () => {
  expect((await verifySite(site)).faults).toEqual([]);
  const edited = new EditedSite(site);
  edited.editDocument(path, ({ resources }) => {
    resources[0].bytes += 1;
    resources[1].hash = resources[2].hash;
    resources[3].path = resources[4].path;
  });
  const faults = await edited.explainedFaults();
  for (const what of ['bytes', 'hash', 'path'])
    expect(faults).toContainEqual(expect.stringContaining(`publication_mismatch ${path}: ${what} `));
});
