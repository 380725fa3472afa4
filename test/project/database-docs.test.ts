import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tables } from '../../generator/database/schema.ts';
import type { Table } from '../../generator/database/table.ts';
import { readText, root } from './repository.ts';

const page = 'docs/database.md';

test(`${page} is what the schema says; UPDATE=1 rewrites it`, () => {
  if (process.env.UPDATE === '1') writeFileSync(join(root, page), describeSchema());
  expect(readText(page)).toBe(describeSchema());
});

test('every table and column has a meaning', () => {
  const described = tables.flatMap(({ meaning, columns }) => [meaning, ...columns.map((column) => column.meaning)]);
  expect(described.filter((meaning) => meaning.trim() === '')).toEqual([]);
});

const introduction = `# The publication database

The database is one SQLite file, which \`publish\` creates and fills and \`build\` reads. \`sqlite3 FILE .schema\` prints types, keys
and indexes.

A row with a span is true from \`first_publication\` to \`last_publication\`, both included. While
\`last_publication\` is null, it is still true. So you can read the state at any publication. Publications and events are only
ever added. Instants are UTC text, as the service prints them. Booleans are 0 and 1. A column with the name of a table, such as
\`product\`, refers to the rows of that table.

Columns in **bold** are public: readers see them in a document or export. The others never appear in an answer.

The first row of the table \`seal\` has a SHA-256 of the file. The others have one of the rows that each publication wrote; they prove
a database whose first row is missing because \`publish\` was killed. \`publish\` and \`unpublish\` write the table, and every command
that reads the file compares it. After an edit by hand, or a \`VACUUM\`, the file is refused as damaged. \`sqlite3 FILE ".backup COPY"\` makes a valid
copy.`;

/** The columns of a span, which the introduction explains. */
const introduced = ['first_publication', 'last_publication'];

/** The tables as a Markdown page: what every column means, and whether readers of the service ever see it. */
function describeSchema(): string {
  return `${[introduction, ...tables.map(describeTable)].join('\n\n')}\n`;
}

function describeTable({ name, meaning, columns }: Table): string {
  const hasSpan = introduced.every((column) => columns.some((other) => other.name === column));
  const rows = columns.flatMap((column) => {
    if (hasSpan && column.name === 'last_publication') return [];
    if (hasSpan && column.name === 'first_publication') return ['- `first_publication`, `last_publication`: the span'];
    const shown = column.visibility === 'public' ? `**\`${column.name}\`**` : `\`${column.name}\``;
    return [`- ${shown}: ${column.meaning}`];
  });
  return [`## ${name}`, '', meaning, '', ...rows].join('\n');
}
