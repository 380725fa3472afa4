import type { Result } from '../project/duckdb-query.ts';

/** A section of a page with a query, the table that it printed, and a chart of that table. */
export type Question = { readonly heading: string; readonly sql: string; readonly chart: string };

/** A heading, the query, its table, and the chart, with prose between them. */
const section =
  /^## (.+)\n((?:(?!^## ).*\n)*?)```sql\n((?:(?!^## ).*\n)*?)```\n\n((?:\|.*\n)*)\n!\[([^\]]*)\]\(charts\/([\w-]+)\.svg\)$/gm;

export function questionsIn(page: string): Question[] {
  return [...page.matchAll(section)].map(([, heading = '', , sql = '', , , chart = '']) => ({ heading, sql, chart }));
}

/** The page with the table of each question as it is now. `tables` and `titles`: by the name of the chart. */
export function withTables(
  page: string,
  tables: ReadonlyMap<string, string>,
  titles: ReadonlyMap<string, string>,
): string {
  return page.replace(section, (_all, heading, prose, sql, _table, _title, chart) => {
    const image = `![${titles.get(chart)}](charts/${chart}.svg)`;
    return `## ${heading}\n${prose}\`\`\`sql\n${sql}\`\`\`\n\n${tables.get(chart)}\n${image}`;
  });
}

/** A result as a table of Markdown. Columns of numbers are aligned to the right. */
export function markdownTable({ columns, rows }: Result): string {
  const isNumber = columns.map((_, i) => rows.every((row) => row[i] === null || /^-?[\d.]+$/.test(row[i] ?? '')));
  const lines = [columns, isNumber.map((is) => (is ? '---:' : '---')), ...rows];
  return lines.map((row) => `| ${row.map((value) => (value ?? '').replaceAll('|', '\\|')).join(' | ')} |\n`).join('');
}
