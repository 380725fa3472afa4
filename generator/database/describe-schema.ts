import { type Table, tables } from './schema.ts';

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
export function describeSchema(): string {
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
