import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { tables } from '../../generator/database/schema.ts';
import type { Table } from '../../generator/database/table.ts';
import { readText, root } from './repository.ts';

const page = 'docs/database.md';

test(`${page} is what the schema says; UPDATE=1 rewrites it`, () => {
  if (process.env.UPDATE === '1') writeFileSync(join(root, page), describeSchema());
  expect(readText(page)).toBe(describeSchema());
});

test('every column is public or private and has a meaning', () => {
  for (const { name, meaning, columns } of tables) {
    expect(meaning, name).toMatch(/\S/);
    for (const column of columns) {
      const where = `${name}.${column.name}`;
      expect(['public', 'private'], where).toContain(column.visibility);
      expect(column.meaning, where).toMatch(/\S/);
    }
  }
});

describe('a database as publish makes it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelfpress-schema-'));
  let connection: Connection;
  beforeAll(() => {
    connection = openForPublishing(join(folder, 'empty.sqlite'));
  });
  afterAll(() => {
    connection.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('has the tables that are described and no other', () => {
    const found = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
    expect(found).toEqual(tables.map(({ name }) => name).sort());
  });

  test.each(tables.map((table) => [table.name, table] as const))('%s has the columns described', (name, table) => {
    type Info = { name: string; type: string; notnull: number; pk: number };
    const found = connection.pragma(`table_info(${name})`) as Info[];
    const described = table.columns.map((column) => ({
      name: column.name,
      type: column.type.split(' ')[0],
      notnull: Number(column.type.includes('NOT NULL')),
    }));
    expect(found.map((column) => ({ name: column.name, type: column.type, notnull: column.notnull }))).toEqual(
      described,
    );
  });

  test('has the indexes described', () => {
    const found = connection.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").pluck();
    expect(found.all().sort()).toEqual(tables.flatMap(({ indexes }) => indexes).sort());
  });
});

const introduction = `# The publication database

One SQLite file, made and filled by \`publish\` and read by \`build\`. This page is printed from
\`generator/database/schema.ts\`; a test holds the two together.

Facts are kept as versions: a row holds from \`first_publication\` to \`last_publication\`, both included, and while
\`last_publication\` is null it still holds. So the state at any publication can be read back. Publications and events
are only ever added. Instants are UTC text as the service prints them, with the fraction of a second where the source
gave one. Truth values are 0 and 1.

A **public** column reaches readers through the service: in a document, in an export, or as part of one. A **private**
column serves publishing and building alone and never appears in an answer.`;

/** The tables as a page of Markdown: what every column means, and whether readers of the service ever see it. */
function describeSchema(): string {
  const contents = tables.map(({ name, meaning }) => `| [${name}](#${name}) | ${cell(meaning)} |`);
  const overview = ['| table | what a row is |', '|---|---|', ...contents].join('\n');
  return `${[introduction, overview, ...tables.map(describeTable)].join('\n\n')}\n`;
}

function describeTable({ name, meaning, columns, constraints, indexes, withoutRowid }: Table): string {
  const rows = columns.map(
    (column) => `| ${column.name} | ${column.type} | ${column.visibility} | ${cell(column.meaning)} |`,
  );
  const statements = [...constraints, ...(withoutRowid ? ['WITHOUT ROWID'] : []), ...indexes];
  return [
    `## ${name}`,
    '',
    meaning,
    '',
    '| column | type | visibility | meaning |',
    '|---|---|---|---|',
    ...rows,
    ...(statements.length > 0 ? ['', ...statements.map((statement) => `- \`${statement}\``)] : []),
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
