import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Duckdb, type Result } from '../project/duckdb-query.ts';
import { readText, root } from '../project/repository.ts';
import { RunningServer } from '../serve/running-server.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { publishFixtures } from '../units/fixture-series.ts';
import { databaseAnswers } from './database-answers.ts';
import { onFiles } from './downloaded-files.ts';
import { questionCharts } from './question-charts.ts';
import { svgChart } from './svg-chart.ts';

/** A section of a page with a query, the table that it printed, and a chart of that table. */
type Question = { readonly heading: string; readonly sql: string; readonly title: string; readonly chart: string };

/** A heading, the query, its table, and the chart, with prose between them. */
const section =
  /^## (.+)\n((?:(?!^## ).*\n)*?)```sql\n((?:(?!^## ).*\n)*?)```\n\n((?:\|.*\n)*)\n!\[([^\]]*)\]\(charts\/([\w-]+)\.svg\)$/gm;

function questionsIn(page: string): Question[] {
  return [...page.matchAll(section)].map(([, heading = '', , sql = '', , title = '', chart = '']) => ({
    ...{ heading, sql, title, chart },
  }));
}

/** The page with the table of each question as it is now. `tables`: by the name of the chart. */
function withTables(page: string, tables: ReadonlyMap<string, string>): string {
  return page.replace(section, (_all, heading, prose, sql, _table, title, chart) => {
    const image = `![${title}](charts/${chart}.svg)`;
    return `## ${heading}\n${prose}\`\`\`sql\n${sql}\`\`\`\n\n${tables.get(chart)}\n${image}`;
  });
}

/** A result as a table of Markdown. Columns of numbers are aligned to the right. */
function markdownTable({ columns, rows }: Result): string {
  const isNumber = columns.map((_, i) => rows.every((row) => row[i] === null || /^-?[\d.]+$/.test(row[i] ?? '')));
  const lines = [columns, isNumber.map((is) => (is ? '---:' : '---')), ...rows];
  return lines.map((row) => `| ${row.map((value) => (value ?? '').replaceAll('|', '\\|')).join(' | ')} |\n`).join('');
}

/** Some columns of a row, as text. */
function pick(row: Readonly<Record<string, unknown>>, columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column, String(row[column])]));
}

// `npx vitest run test/research/questions.test.ts --update` writes tables and charts instead of checking them.
const page = readText('docs/questions.md');
const questions = questionsIn(page);
const drawn = readdirSync(join(root, 'docs/charts')).sort();

/** The block before the first question, which names the tables. */
const setup = /^```sql\n(.*?)^```$/ms.exec(page.split('\n## ')[0] ?? '')?.[1] ?? '';

const folder = temporaryFolder();
const tables = new Map<string, string>();
let server: RunningServer;
let duckdb: Duckdb;

beforeAll(async () => {
  await copyBuiltFixtures(join(folder, 'dist'), 12);
  server = await RunningServer.start([join(folder, 'dist')]);
  duckdb = await Duckdb.open(folder);
  const local = setup.replaceAll('http://127.0.0.1:8080', server.origin);
  await duckdb.query(await onFiles(local, folder));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  removeFolder(folder);
});

describe('docs/questions.md', () => {
  test('has fifteen questions, each with a chart of its own', () => {
    expect(questions).toHaveLength(15);
    expect(page.match(/^## .+\?$/gm)).toHaveLength(15);
    expect(questions.map(({ chart }) => chart).sort()).toEqual(Object.keys(questionCharts).sort());
    expect(drawn).toEqual(questions.map(({ chart }) => `${chart}.svg`).sort());
  });

  test.each(questions)('$heading', async ({ sql, title, chart: name }) => {
    const result = await duckdb.query(sql);
    expect(result.rows.length).toBeGreaterThan(0);
    tables.set(name, markdownTable(result));
    const chart = questionCharts[name];
    if (!chart) throw new Error(`no chart ${name} in test/research/question-charts.ts`);
    expect(result.columns).toEqual(expect.arrayContaining([chart.rows.column, ...Object.keys(chart.series)]));
    const rows = result.rows.map((row) =>
      Object.fromEntries(result.columns.map((column, i) => [column, row[i] ?? null])),
    );
    await expect(svgChart(title, chart, rows)).toMatchFileSnapshot(join(root, `docs/charts/${name}.svg`));
  });

  test.each(Object.entries(databaseAnswers))('the database has the same answer: %s', async (name, sql) => {
    const database = join(folder, `${name}.sqlite`);
    await publishFixtures(database);
    const connection = new Database(database, { readonly: true });
    const expected = connection.prepare<[], Record<string, unknown>>(sql).all();
    connection.close();
    const { columns, rows } = await duckdb.query(questions.find(({ chart }) => chart === name)?.sql ?? '');
    const found = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
    expect(expected.length).toBeGreaterThan(1);
    expect(found.map((row, index) => pick(row, Object.keys(expected[index] ?? {})))).toEqual(
      expected.map((row) => pick(row, Object.keys(row))),
    );
  });

  test('has the results of its queries', async () => {
    expect([...tables.keys()].sort()).toEqual(Object.keys(questionCharts).sort());
    await expect(withTables(page, tables)).toMatchFileSnapshot(join(root, 'docs/questions.md'));
  });
});
