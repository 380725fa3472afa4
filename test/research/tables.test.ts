import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicationTable, type TableName, tableColumns } from '../../generator/contract/formats/parquet.ts';
import { copyBuiltFixtures } from '../build/built-fixtures.ts';
import { Duckdb } from '../project/duckdb-query.ts';
import { readText, root } from '../project/repository.ts';
import { columnTable, duckdbTypes } from './duckdb-types.ts';
import { withContent } from './page-sections.ts';

// `npx vitest run test/research/tables.test.ts --update` writes the tables instead of checking them.
const page = 'docs/tables.md';
const revision = '85ef18c4-89e1-5562-8520-9b2f35e6bf17';
const folder = mkdtempSync(join(tmpdir(), 'shelfpress-tables-'));
const exportsOf = join(folder, 'dist/site/v1/exports');
let duckdb: Duckdb;

const fileOf: Readonly<Record<TableName, string>> = {
  ...(Object.fromEntries(
    publicationTable.options.map((table) => [table, join(exportsOf, revision, `${table}.parquet`)]),
  ) as Record<(typeof publicationTable.options)[number], string>),
  changes: join(exportsOf, 'changes/newest.parquet'),
};

beforeAll(async () => {
  await copyBuiltFixtures(join(folder, 'dist'), 12);
  duckdb = await Duckdb.open(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.entries(fileOf))('DuckDB sees the types of %s that the page gives', async (table, file) => {
  const { rows } = await duckdb.query(`DESCRIBE FROM '${file}'`);
  const expected = tableColumns(table as TableName).map(({ name, type }) => [name, duckdbTypes[type]]);
  expect(rows.map(([name, type]) => [name, type])).toEqual(expected);
});

describe(page, () => {
  test('describes every column, its type, and what events fill it', async () => {
    const types = Object.entries(duckdbTypes).map(([type, own]) => `| ${type} | \`${own}\` |\n`);
    const parts: [string, string][] = [
      ['Fields of daily', columnTable('daily')],
      ['Fields of changes', columnTable('changes')],
      ['What each type of event fills', await filledTable()],
      ['Types', ['| type | in DuckDB |\n', '|---|---|\n', ...types].join('')],
    ];
    const printed = parts.reduce((text, [heading, table]) => withContent(text, heading, table), readText(page));
    await expect(printed).toMatchFileSnapshot(join(root, page));
  });
});

/** By type of event: the columns that may be null and that its events in the fixtures fill. */
async function filledTable(): Promise<string> {
  const optional = tableColumns('changes').filter(({ isNullable }) => isNullable);
  const counts = optional.map(({ name }) => `count(${name}) AS ${name}`);
  const { columns, rows } = await duckdb.query(
    `SELECT type, ${counts.join(', ')} FROM '${fileOf.changes}' GROUP BY type ORDER BY min(number), type`,
  );
  const lines = rows.map(([type, ...found]) => {
    const filled = columns.slice(1).filter((_, i) => found[i] !== '0');
    return `| \`${type}\` | ${filled.map((name) => `\`${name}\``).join(', ')} |\n`;
  });
  return ['| type | columns |\n', '|---|---|\n', ...lines].join('');
}
