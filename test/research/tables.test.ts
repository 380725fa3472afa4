import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvTable } from '../../contract/columns/csv-tables.ts';
import { exportResource } from '../../contract/columns/export.ts';
import {
  type HistoryTable,
  historyTable,
  type TableName,
  tableColumns,
  tableResource,
  type VersionTable,
  versionTable,
} from '../../contract/columns/parquet.ts';
import { usualProfile } from '../../contract/profile.ts';
import { Duckdb } from '../project/duckdb-query.ts';
import { readText, root } from '../project/repository.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { columnTable, csvColumnTable, duckdbTypes } from './duckdb-types.ts';

// `npx vitest run test/research/tables.test.ts --update` writes the tables instead of checking them.
const page = 'docs/research.md';
const revision = 'a286b3df-3aba-5ef2-9c40-5bc6d794994c';
const folder = temporaryFolder();
const exportsOf = join(folder, 'dist/site/v1/exports');
let duckdb: Duckdb;

/** Tables over time are described as a whole; the part of `daily` in a revision has fewer columns. */
const tableNames: readonly TableName[] = [...exportResource.options, ...historyTable.options, ...versionTable.options];
const historyFiles: Readonly<Record<HistoryTable | VersionTable, string>> = {
  daily_history: 'daily.parquet',
  changes_history: 'changes/newest.parquet',
  coverage: 'coverage.parquet',
  products_over_time: 'products_over_time.parquet',
  stores_over_time: 'stores_over_time.parquet',
  categories: 'categories.parquet',
};
const fileOf = (table: TableName) =>
  join(exportsOf, historyFiles[table as keyof typeof historyFiles] ?? `${revision}/${table}.parquet`);

beforeAll(async () => {
  await copyBuiltFixtures(join(folder, 'dist'), 12);
  duckdb = await Duckdb.open(folder);
});
afterAll(() => removeFolder(folder));

test.each(tableNames)('DuckDB sees the types of %s that the page gives', async (table) => {
  const { rows } = await duckdb.query(`DESCRIBE FROM '${fileOf(table)}'`);
  const expected = tableColumns(table, usualProfile).map(({ name, type }) => [name, duckdbTypes[type]]);
  expect(rows.map(([name, type]) => [name, type])).toEqual(expected);
});

describe(page, () => {
  test('describes every column, its type, and what events fill it', async () => {
    const types = Object.entries(duckdbTypes).map(([type, own]) => `| ${type} | \`${own}\` |\n`);
    const parts: [string, string][] = [
      ...csvTable.options.map((table): [string, string] => [`Columns of ${table}.csv`, csvColumnTable(table)]),
      ...tableNames.map((table): [string, string] => [`Columns of ${tableResource(table)}`, columnTable(table)]),
      ['What each type of event fills', await filledTable()],
      ['Types', ['| type | in DuckDB |\n', '|---|---|\n', ...types].join('')],
    ];
    const printed = parts.reduce((text, [heading, table]) => withContent(text, heading, table), readText(page));
    await expect(printed).toMatchFileSnapshot(join(root, page));
  });
});

/** A page with another table in the section of a heading: its first one is replaced. */
function withContent(page: string, heading: string, content: string): string {
  const [before, section] = page.split(`\n## ${heading}\n`);
  if (before === undefined || section === undefined) throw new Error(`the page has no section ${heading}`);
  const old = /(?:^\|.*\n)+/m;
  if (!old.test(section.split('\n## ')[0] ?? '')) throw new Error(`the section ${heading} has nothing to replace`);
  return `${before}\n## ${heading}\n${section.replace(old, () => content)}`;
}

/** What the page says, as a query of the cases that it is about and of those that contradict it. */
const claims: Readonly<Record<string, string>> = {
  'a pair without a row has no quantity, a zero is 0, and a positive report is more': `
    SELECT count(*), count(*) FILTER (CASE current_state
      WHEN 'row_absent' THEN current_reported_quantity IS NOT NULL
      WHEN 'reported_zero' THEN current_reported_quantity IS DISTINCT FROM 0
      ELSE coalesce(current_reported_quantity, 0) <= 0 END)
    FROM changes WHERE current_state IS NOT NULL`,
  'a difference is null where one of its values is': `
    SELECT count(*), count(*) FILTER (
      price_difference IS DISTINCT FROM current_price - previous_price
      OR reported_quantity_difference IS DISTINCT FROM current_reported_quantity - previous_reported_quantity)
    FROM changes WHERE type LIKE '%_changed'`,
  'the events of a publication have its time': `
    SELECT count(DISTINCT daily.published_at), count(*) FILTER (changes.number IS NULL)
    FROM daily LEFT JOIN changes ON changes.published_at = daily.published_at`,
};

test.each(Object.entries(claims))('%s', async (_claim, sql) => {
  const tables = [
    ['changes', fileOf('changes_history')],
    ['daily', fileOf('daily_history')],
  ];
  const views = tables.map(([table, file]) => `CREATE OR REPLACE VIEW ${table} AS FROM '${file}';`);
  const { rows } = await duckdb.query(views.join('\n') + sql);
  const [cases, contradictions] = rows[0] ?? [];
  expect(Number(cases)).toBeGreaterThan(1);
  expect(contradictions).toBe('0');
});

/** By type of event: the columns that may be null and that its events in the fixtures fill. */
async function filledTable(): Promise<string> {
  const optional = tableColumns('changes_history', usualProfile).filter(({ isNullable }) => isNullable);
  const counts = optional.map(({ name }) => `count(${name}) AS ${name}`);
  const { columns, rows } = await duckdb.query(
    `SELECT type, ${counts.join(', ')} FROM '${fileOf('changes_history')}' GROUP BY type ORDER BY min(number), type`,
  );
  const lines = rows.map(([type, ...found]) => {
    const filled = columns.slice(1).filter((_, i) => found[i] !== '0');
    return `| \`${type}\` | ${filled.map((name) => `\`${name}\``).join(', ')} |\n`;
  });
  return ['| type | columns |\n', '|---|---|\n', ...lines].join('');
}
