import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { canonicalInstant } from '../contract/instant.ts';
import { countOf, explainFile, printable } from '../failure.ts';
import { type Draft, draftRecipe } from '../import/draft/draft.ts';
import { type ImportSummary, importFiles } from '../import/import.ts';
import { undecided } from '../import/recipe/recipe.ts';
import type { Output } from './command-line.ts';
import { withExample } from './command-line.ts';
import { expandedPaths } from './paths.ts';

type Options = { out?: string; draft: boolean; publishedAt?: string; retrievedAt?: string; json: boolean };

/** `import RECIPE FILE... --out SNAPSHOT`: a snapshot folder from the files of an agency. */
export function defineImport(command: Command, output: Output): void {
  command
    .argument('<recipe>', 'recipe; with --draft the first file')
    .argument('[file...]', 'CSV, TSV, NDJSON, JSON or XLSX files; ROLE=FILE says which file of the recipe it is')
    .option('--out <path>', 'new snapshot folder; with --draft a new file for the recipe')
    .option('--draft', 'write a first recipe for the files, guessed from their headers', false)
    .option('--published-at <time>', 'published_at of the snapshot, instead of that of the recipe', parseTime)
    .option('--retrieved-at <time>', 'when the files were retrieved, instead of the times of the recipe', parseTime)
    .option('--json', 'print one JSON object', false)
    .action(async (recipe: string, paths: string[], options: Options) => {
      const files = expandedPaths(paths);
      const { out, publishedAt = null, retrievedAt = null, json, draft } = options;
      if (draft) return printDraft(output, await draftRecipe([...expandedPaths([recipe]), ...files]), options);
      if (out === undefined || files.length === 0) {
        command.error(`error: expected ${out === undefined ? '--out' : 'files'} with the recipe`, { exitCode: 2 });
      }
      const times = { publishedAt, retrievedAt };
      const summary = await importFiles({ recipe, files, out, ...times }, (file, done, total) =>
        output.progress(`reading ${file}, bytes`, done, total),
      );
      if (json) output.json({ snapshot: out, ...summary });
      else printSummary(output, out, summary);
    });
  withExample(
    command,
    'shelfpress import fixtures/imports/csv/recipe.json fixtures/imports/csv/*.csv --out my-snapshot --published-at 2025-03-03T22:00:00Z',
  );
}

function printDraft(output: Output, draft: Draft, { out, json }: Options): void {
  const { recipe, unplaced, unused, undecided: count } = draft;
  const text = `${JSON.stringify(recipe, null, 2)}\n`;
  for (const { file, columns } of unplaced) output.notice(`${file}: columns without a field: ${listed(columns)}`);
  for (const table of unused) output.notice(printable(table));
  if (out === undefined) output.line(text.trimEnd());
  else {
    explainFile(out, 'a new file', () => writeFileSync(out, text, { flag: 'wx' }));
    if (json) output.json({ recipe: out, undecided: count, unplaced, unused });
    else output.line(`drafted ${out}; ${countOf(count, 'place')} to decide, marked "${undecided}"`);
  }
}

function printSummary(output: Output, out: string, summary: ImportSummary): void {
  const { products, stores, inventory, categories } = summary;
  for (const doubt of summary.doubts) output.notice(doubt);
  for (const { file, columns } of summary.unused_columns)
    output.notice(`${file}: columns that the recipe does not name: ${listed(columns)}`);
  for (const { lookup, entries } of summary.unused_lookups)
    output.notice(`${printable(lookup)}: entries that no row has: ${listed(entries)}`);
  for (const { part, reason, rows } of summary.left_out)
    output.notice(`${part}: ${countOf(rows, 'row')} left out: ${printable(reason)}`);
  if (inventory && inventory.stores_without_rows.length > 0)
    output.notice(`inventory: stores of the scope without a row: ${listed(inventory.stores_without_rows)}`);
  output.line(`imported ${out}, to be published as of ${summary.published_at}`);
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

/** Names from files, as a notice lists them. */
function listed(names: readonly string[]): string {
  const more = names.length > listedNames ? ` and ${countOf(names.length - listedNames, 'more', 'more')}` : '';
  return printable(names.slice(0, listedNames).join(', ')) + more;
}

function parseTime(text: string): string {
  const time = canonicalInstant(text);
  if (time === null) throw new InvalidArgumentError('expected a date-time like 2024-01-02T22:26:37Z');
  return time;
}
