import { type Command, InvalidArgumentError } from 'commander';
import { canonicalInstant } from '../../contract/instant.ts';
import { cut } from '../../contract/schemas/checked-value.ts';
import { printable } from '../../contract/text.ts';
import { countOf } from '../files/failure.ts';
import { createFile } from '../files/new-file.ts';
import { expandedPaths } from '../files/path-patterns.ts';
import type { ColumnGuess } from '../import/draft/described-columns.ts';
import { type Draft, draftRecipe } from '../import/draft/draft.ts';
import { isCountry, isCurrency } from '../import/draft/questions.ts';
import { type ImportSummary, importFiles } from '../import/import.ts';
import { undecided } from '../import/recipe/recipe.ts';
import { faultsOfFolder } from '../publish/checked-snapshot.ts';
import { isZone } from '../snapshot/time-zones.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { tableLines } from '../terminal/texts.ts';

type Options = {
  out?: string;
  draft: boolean;
  currency?: string;
  country?: string;
  zone?: string;
  publishedAt?: string;
  retrievedAt?: string;
  quarantine: boolean;
  json: boolean;
};

export function defineImport(command: Command, output: Output): void {
  command
    .argument('<recipe>', 'the recipe; with --draft, the first file')
    .argument('[file...]', 'CSV, TSV, NDJSON, JSON or XLSX files; ROLE=FILE says which file of the recipe a file is')
    .option('--out <path>', 'new snapshot folder; with --draft, a new file for the recipe')
    .option('--draft', 'write a first recipe for the files, guessed from their values and headers', false);
  addDraftOptions(command, 'with --draft: ');
  command
    .option('--published-at <time>', "published_at of the snapshot, instead of the recipe's time", parseTime)
    .option('--retrieved-at <time>', "when the files were retrieved, instead of the recipe's times", parseTime)
    .option(
      '--quarantine',
      'keep faulty rows (at most 1 % of a part), so that publish --quarantine can set them aside',
      false,
    )
    .option('--json', 'print one JSON object', false)
    .action(async (recipe: string, paths: string[], options: Options) => {
      const files = expandedPaths(paths);
      const { out, publishedAt = null, retrievedAt = null, quarantine, json, draft } = options;
      const { currency = null, country = null, zone = null } = options;
      if (draft) {
        const drafted = await draftRecipe([...expandedPaths([recipe]), ...files], { currency, country, zone });
        return printDraft(output, drafted, options);
      }
      if (currency ?? country ?? zone) command.error('error: --currency, --country and --zone need --draft');
      if (out === undefined || files.length === 0) {
        command.error(`error: expected ${out === undefined ? '--out' : 'files'} with the recipe`, { exitCode: 2 });
      }
      const summary = await importAs({ recipe, files, out, quarantine, publishedAt, retrievedAt }, output);
      if (json) output.json({ snapshot: out, ...summary });
      else printSummary(output, out, summary);
    });
  withExample(
    command,
    'shelfpress import fixtures/imports/csv/recipe.json fixtures/imports/csv/*.csv --out my-snapshot --published-at 2025-03-03T22:00:00Z',
  );
}

export function addDraftOptions(command: Command, when: string): void {
  command
    .option('--currency <code>', `${when}the currency of prices, such as EUR`, parseCurrency)
    .option('--country <code>', `${when}the country of the stores, such as FI`, parseCountry)
    .option('--zone <name>', `${when}the time zone of dates, such as Europe/Helsinki`, parseZone);
}

function printDraft(output: Output, draft: Draft, { out, json }: Options): void {
  const { recipe, columns, unplaced, unused, undecided: count } = draft;
  const text = `${JSON.stringify(recipe, null, 2)}\n`;
  for (const line of tableLines(columns, guessColumns)) output.notice(line);
  for (const table of unused) output.notice(table);
  if (out === undefined) output.write(text);
  else {
    createFile(out, (append) => append(text));
    if (json) output.json({ recipe: out, undecided: count, columns, unplaced, unused });
    else output.line(`drafted ${out}; ${countOf(count, 'place')} left for you to decide, marked "${undecided}"`);
  }
}

export const guessColumns: Parameters<typeof tableLines<ColumnGuess>>[1] = [
  ['file', ({ file }) => printable(file)],
  ['column', ({ column }) => cut(column)],
  ['example', ({ example }) => cut(example)],
  ['field', ({ field }) => field ?? '–'],
  ['why', ({ why }) => why],
];

function parseCurrency(text: string): string {
  if (isCurrency(text)) return text;
  throw new InvalidArgumentError('expected an ISO 4217 currency code, such as EUR');
}

function parseCountry(text: string): string {
  if (isCountry(text)) return text;
  throw new InvalidArgumentError('expected an ISO 3166 country code, such as FI');
}

function parseZone(text: string): string {
  if (isZone(text)) return text;
  throw new InvalidArgumentError('expected a time zone such as Europe/Helsinki');
}

/** Imports files. Times that are null are taken from the recipe. */
export function importAs(options: Omit<Parameters<typeof importFiles>[0], 'check'>, output: Output) {
  const check = options.quarantine ? null : (folder: string) => faultsOfFolder(folder, null, false);
  return importFiles({ ...options, check }, (file, done, total) =>
    output.progress(`reading ${file}, bytes`, done, total),
  );
}

export function importNotices(summary: ImportSummary): string[] {
  const { inventory } = summary;
  return [
    ...summary.notices,
    ...summary.unused_columns.map(({ file, columns }) => `${file}: columns not used by the recipe: ${listed(columns)}`),
    ...summary.unused_lookups.map(({ lookup, entries }) => `${lookup}: entries that no row uses: ${listed(entries)}`),
    ...summary.set_aside.map(
      ({ part, rows }) => `${part}: ${countOf(rows, 'row')} for publish --quarantine to set aside`,
    ),
    ...summary.left_out.map(({ part, reason, rows }) => `${part}: ${countOf(rows, 'row')} left out: ${reason}`),
    ...(inventory && inventory.stores_without_rows.length > 0
      ? [`inventory: stores in scope without a row: ${listed(inventory.stores_without_rows)}`]
      : []),
  ];
}

function printSummary(output: Output, out: string, summary: ImportSummary): void {
  const { products, stores, inventory, categories } = summary;
  for (const notice of importNotices(summary)) output.notice(notice);
  output.line(`imported ${out}, dated ${summary.published_at}`);
  const counts = [
    products === null ? null : countOf(products, 'product'),
    stores === null ? null : countOf(stores, 'store'),
    inventory && retrievalsText(inventory),
    categories === null ? null : countOf(categories, 'category', 'categories'),
  ];
  output.line(counts.filter((text) => text !== null).join(', '));
}

function retrievalsText({ retrievals, rows, stores }: NonNullable<ImportSummary['inventory']>): string {
  const counted = countOf(retrievals, 'retrieval');
  return stores === null ? counted : `${counted} with ${countOf(rows, 'row')} in ${countOf(stores, 'store')}`;
}

const listedNames = 50;

function listed(names: readonly string[]): string {
  const more = names.length > listedNames ? ` and ${countOf(names.length - listedNames, 'more', 'more')}` : '';
  return names.slice(0, listedNames).join(', ') + more;
}

function parseTime(text: string): string {
  const time = canonicalInstant(text);
  if (time === null) throw new InvalidArgumentError('expected a date-time like 2024-01-02T22:26:37Z');
  return time;
}
