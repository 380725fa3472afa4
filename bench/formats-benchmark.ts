import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFields } from '../contract/columns/export.ts';
import type { ExportFields } from '../contract/columns/table.ts';
import { checkoutPath } from '../contract/paths.ts';
import { usualProfile } from '../contract/profile.ts';
import { changeFieldDescriptions } from '../contract/schemas/change-pieces.ts';
import { readPreviousSite } from '../generator/site/built-site.ts';
import { Storage } from '../generator/site/storage.ts';
import { installed } from '../test/support/installed-programs.ts';
import { type Figure, figuresOf } from './figure.ts';
import type { Lab } from './lab.ts';
import type { Run } from './measure.ts';

const duckdbQuery = fileURLToPath(new URL('./queries/duckdb-query.mjs', import.meta.url));

/** A Python that reads Parquet: the one that test/python/install.sh installs, or the system's, or null. */
const interpreter = installed('Python with pyarrow') ?? null;

/** The same records in both formats, and a question about them in SQL and in pandas. */
type Subject = {
  readonly name: string;
  readonly lines: readonly string[];
  readonly tables: readonly string[];
  readonly columns: ExportFields;
  readonly sql: (from: string) => string;
  readonly pandas: string;
  /** The columns that the question needs. */
  readonly needed: readonly string[];
};

/**
 * Has DuckDB and pandas answer the same question from the NDJSON and from the Parquet of the latest publication. All
 * programs must give the same answer.
 */
export async function formatsBenchmark(lab: Lab): Promise<Figure[]> {
  const site = lab.workspace.path('formats');
  await lab.build((await lab.databases()).at(-1) ?? '', site, 'current');
  if (interpreter === null) lab.say('no Python with pandas and pyarrow: only DuckDB is measured');
  const figures: Figure[] = [];
  for (const subject of subjectsOf(site)) {
    const programs = programsFor(subject);
    const runs: Run[][] = programs.map(() => []);
    for (let repetition = 1; repetition <= lab.repetitions; repetition += 1) {
      lab.say(`${subject.name}, ${repetition} of ${lab.repetitions}`);
      for (const [index, { command }] of programs.entries()) runs[index]?.push(await lab.run(command));
    }
    const answers = new Set(runs.flat().map(({ output }) => output.trim()));
    if (answers.size !== 1) throw new Error(`${subject.name}: expected one answer, got ${[...answers].join(' | ')}`);
    const bytes = `${megabytes(subject.lines)} as NDJSON, ${megabytes(subject.tables)} as Parquet`;
    const [first, ...others] = programs.map(({ program }, index) => ({
      program,
      runs: runs[index] ?? [],
      amounts: {},
    }));
    if (first) figures.push(...figuresOf(`${subject.name}, ${bytes}`, [first, ...others]));
  }
  return figures;
}

function subjectsOf(site: string): Subject[] {
  const routes = readPreviousSite(new Storage(site))?.routes;
  const paths = [...(routes?.values() ?? [])].map(({ path }) => path);
  const files = (pattern: RegExp) =>
    paths.filter((path) => pattern.test(path)).map((path) => join(site, 'site', checkoutPath(path)));
  const byNumber = (names: string[]) => names.sort((a, b) => numberIn(a) - numberIn(b));
  const subjects: Subject[] = [
    {
      name: 'packages reported in the inventory',
      lines: files(/\/inventory\.ndjson\.gz$/),
      tables: files(/\/inventory\.parquet$/),
      columns: describeFields('inventory', usualProfile),
      sql: (from) => `SELECT sum(reported_quantity)::BIGINT FROM ${from}`,
      pandas: "int(t['reported_quantity'].sum())",
      needed: ['reported_quantity'],
    },
    {
      name: 'price rises in the change history',
      lines: byNumber(files(/\/changes\/\d+\.ndjson\.gz$/)),
      tables: files(/\/exports\/changes\.parquet$/),
      columns: changeFieldDescriptions(usualProfile),
      sql: (from) => `SELECT count(*)::BIGINT FROM ${from} WHERE price_difference_minor > 0`,
      pandas: "int((t['price_difference_minor'] > 0).sum())",
      needed: ['price_difference_minor'],
    },
  ];
  return subjects.filter(({ lines }) => lines.length > 0);
}

function numberIn(path: string): number {
  return Number(/(\d+)\.ndjson/.exec(path)?.[1]);
}

type Program = { readonly program: string; readonly command: readonly string[] };

function programsFor({ lines, tables, columns, sql, pandas, needed }: Subject): Program[] {
  const list = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`;
  const types = columns.map(({ name, type }) => `${name}: '${duckTypes[type.replace(' or null', '')] ?? 'VARCHAR'}'`);
  const json = `read_json(${list(lines)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
  const duckdb = (query: string) => [process.execPath, duckdbQuery, query];
  const programs: Program[] = [
    { program: 'DuckDB, NDJSON with explicit columns', command: duckdb(sql(json)) },
    { program: 'DuckDB, Parquet', command: duckdb(sql(`read_parquet(${list(tables)})`)) },
  ];
  if (interpreter === null) return programs;
  const frames = (each: string, names: readonly string[]) =>
    `import pandas as pd\nt = pd.concat([${each} for f in ${list(names)}])\nprint(${pandas})`;
  return [
    ...programs,
    {
      program: 'pandas, NDJSON',
      command: [interpreter, '-c', frames('pd.read_json(f, lines=True, dtype=False)', lines)],
    },
    { program: 'pandas, Parquet', command: [interpreter, '-c', frames('pd.read_parquet(f)', tables)] },
    {
      program: 'pandas, Parquet, one column of it',
      command: [interpreter, '-c', frames(`pd.read_parquet(f, columns=${list(needed)})`, tables)],
    },
  ];
}

const duckTypes: Readonly<Record<string, string>> = {
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
  'date-time': 'TIMESTAMPTZ',
  'array of string': 'VARCHAR[]',
};

function megabytes(files: readonly string[]): string {
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return `${(bytes / 1e6).toPrecision(3)} MB`;
}
