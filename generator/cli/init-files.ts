import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cut } from '../../contract/checked-value.ts';
import { copyWithoutLinks, isThere, makeFolder } from '../files/durable-files.ts';
import { countOf, Failure } from '../files/failure.ts';
import { nameFits } from '../files/name-patterns.ts';
import { createFile } from '../files/new-file.ts';
import { packageFolder } from '../files/package-files.ts';
import { useTemporaryFolder } from '../files/temporary-folder.ts';
import { type ColumnGuess, draftFrom, type Stated, tablesIn } from '../import/draft/draft.ts';
import type { DraftTable } from '../import/draft/draft-tables.ts';
import { type PreviewedProduct, previewedProducts, previewPage } from '../import/draft/preview.ts';
import { type Answer, answered, marked, type Question, questionsIn } from '../import/draft/questions.ts';
import { importFiles } from '../import/import.ts';
import { type Part, partRule, parts, type Recipe } from '../import/recipe/recipe.ts';
import { readRecipe } from '../import/recipe/recipe-file.ts';
import { type OtherCommands, type Output, tableLines } from './command-line.ts';
import { guessColumns } from './import.ts';

/** Asks a person at the terminal. */
export type Ask = (question: Question) => Promise<Answer>;

/** What `init FILE…` found out. `left`: what is still to be decided. `faults`: what the import would refuse. */
export type FirstDraft = {
  readonly recipe: Recipe;
  readonly bundled: string | null;
  readonly columns: readonly ColumnGuess[];
  readonly notes: readonly string[];
  readonly left: readonly Question[];
  readonly products: readonly PreviewedProduct[];
  readonly faults: readonly string[];
};

/** A file, and the part that a person says it has: `PART=FILE`. */
export type GivenFile = { readonly path: string; readonly part: Part | null };

/** Splits `PART=FILE`, unless there is a file of that name. */
export function givenFile(argument: string): GivenFile {
  const [, named, path = ''] = /^(\w+)=(.+)$/s.exec(argument) ?? [];
  const part = parts.find((one) => one === named) ?? null;
  return part === null || isThere(argument) ? { path: argument, part: null } : { path, part };
}

/** The answer for a table that is of no use. */
const neither = 'nothing of these';

const recipes = new URL('templates/recipes/', packageFolder);

/** Finds a recipe for files: a bundled one whose columns they have, or else a draft that a person completes. */
export async function firstDraft(
  files: readonly GivenFile[],
  given: Stated,
  {
    bundled: names,
    ask,
    day,
    others,
    output,
  }: {
    readonly bundled: readonly string[];
    readonly ask: Ask | null;
    readonly day: string;
    readonly others: OtherCommands;
    readonly output: Output;
  },
): Promise<FirstDraft> {
  output.progress('reading the files');
  const tables = await tablesIn(files.map(({ path }) => path));
  const known = knownRecipe(tables, names);
  const decided = {
    parts: new Map(
      files.flatMap(({ path, part }) => (part === null ? [] : [[basename(path).replace(/\.gz$/i, ''), part] as const])),
    ),
    columns: new Map<Part, Map<string, string>>(),
  };
  let stated = given;
  let drafted = known === null ? draftFrom(tables, stated, decided) : null;
  output.clearProgress();
  for (const name of drafted?.unassigned ?? []) {
    if (ask === null) break;
    const choices = [...parts, neither];
    const text = `What does ${name} have?`;
    const part = await ask({ kind: 'choice', text, choices, allowed: choices.join(', '), places: [] });
    if (part === neither) continue;
    decided.parts.set(name, part as Part);
    drafted = draftFrom(tables, stated, decided);
  }
  const columnsOf = (part: string) => drafted?.columnsOf.get(part) ?? [];
  // The currency says how prices are written, and the country what an address needs.
  for (const member of ['currency', 'country']) {
    const next = drafted && questionsIn(drafted.recipe, columnsOf).find(({ places }) => places[0]?.at(-1) === member);
    if (!next || ask === null) continue;
    stated = { ...stated, [member]: await ask(next) };
    drafted = draftFrom(tables, stated, decided);
  }
  const isColumn = ({ places }: Question) => places[0]?.at(-1) === 'column';
  // A column decides how its values are read, and perhaps those of other fields.
  for (const asked = new Set<string>(); ; ) {
    if (ask === null || drafted === null) break;
    const nextPlace = (question: Question) => question.places.join(' ');
    const next = questionsIn(drafted.recipe, columnsOf).find((one) => isColumn(one) && !asked.has(nextPlace(one)));
    if (next === undefined) break;
    asked.add(nextPlace(next));
    const [part = '', , field = ''] = next.places[0] ?? [];
    const ofPart = decided.columns.get(part as Part) ?? new Map<string, string>();
    decided.columns.set(part as Part, ofPart.set(field, String(await ask(next))));
    drafted = draftFrom(tables, stated, decided);
  }
  let recipe = known?.recipe ?? (drafted?.recipe as Recipe);
  const columns = drafted?.columns ?? [];
  for (const line of columns.length === 0 ? [] : tableLines(columns, guessColumns)) output.notice(line);
  // An answer can make another question needless: a country may have one time zone.
  for (const asked = new Set<string>(); ; ) {
    const next = questionsIn(recipe, columnsOf).find(({ places }) => !asked.has(places.join(' ')));
    if (next === undefined) break;
    asked.add(next.places.join(' '));
    const usual = next.kind === 'text' && next.isCertain ? next.usual : null;
    const answer = usual ?? (ask === null ? null : await ask(next));
    if (answer !== null) recipe = answered(recipe, next, answer);
  }
  const left = questionsIn(recipe, columnsOf);
  const notes = drafted?.unused ?? [];
  const found = { recipe, bundled: known?.name ?? null, columns, notes, left };
  const paths = files.map(({ path }) => path);
  if (left.length === 0) return { ...found, ...(await tried(recipe, paths, day, others, output)) };
  // A status or a time zone changes nothing that the preview is for.
  const isMinor = left.every((question) => question.provisional !== undefined);
  const supposed = left.reduce((one, question) => answered(one, question, question.provisional ?? ''), recipe);
  const { products, faults } = isMinor
    ? await tried(supposed, paths, day, others, output)
    : { products: [], faults: [] };
  return { ...found, recipe: marked(recipe, left), products: products.map((one) => decidedOnly(one, left)), faults };
}

/** A previewed product without a status that nobody has decided. */
function decidedOnly({ source, result }: PreviewedProduct, left: readonly Question[]): PreviewedProduct {
  const isOpen = left.some(({ places }) => places.some(([, , field]) => field === 'lifecycle'));
  return { source, result: isOpen ? result.filter(([title]) => title !== 'status') : result };
}

/** The bundled recipe whose columns the files have; null if there is none. */
function knownRecipe(tables: readonly DraftTable[], names: readonly string[]) {
  for (const name of names) {
    const recipe: Recipe = JSON.parse(readFileSync(new URL(`${name}.json`, recipes), 'utf8'));
    const fits = Object.entries(recipe.files).every(([role, rule]) => {
      const used = parts.flatMap((part) => {
        const of = partRule(recipe, part);
        return of?.from === role ? Object.values(of.fields).flatMap(columnsIn) : [];
      });
      const table = tables.find(({ rule: read, columns }) => {
        return read.type === rule.type && used.length > 2 && used.every((column) => columns.includes(column));
      });
      // The files of other years may have other names.
      if (table && !nameFits(rule.match, table.file)) rule.match = [rule.match, table.rule.match].flat();
      return table !== undefined || rule.optional === true;
    });
    if (fits) return { name, recipe };
  }
  return null;
}

function columnsIn(rule: Recipe['products'] extends infer _ ? unknown : never): string[] {
  if (typeof rule === 'string') return [rule];
  const { column, join: joined } = rule as { column?: string; join?: { columns: string[] } };
  return [...(column === undefined ? [] : [column]), ...(joined?.columns ?? [])].filter((name) => !name.includes('.'));
}

/** Imports the files as `update` would, and has the result checked. Nothing of it is kept. */
function tried(recipe: Recipe, files: readonly string[], day: string, others: OtherCommands, output: Output) {
  return useTemporaryFolder(async (folder) => {
    const [file, out] = [join(folder, 'recipe.json'), join(folder, 'snapshot')];
    createFile(file, (append) => append(JSON.stringify(recipe)));
    const time = `${day}T12:00:00Z`;
    let whole: Recipe;
    try {
      whole = readRecipe(file);
      await importFiles({ recipe: file, files, out, publishedAt: time, retrievedAt: time }, (name, done, total) =>
        output.progress(`trying ${name}, bytes`, done, total),
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { products: [], faults: error.lines.length > 0 ? error.lines : [error.message] };
    }
    const faults: string[] = [];
    const step = output.forStep(
      (text) => faults.push(...text.trimEnd().split('\n')),
      (text) => faults.push(text),
    );
    const code = await others.run(['check', out], step);
    const products = await previewedProducts(out, whole, files);
    output.clearProgress();
    return { products, faults: code === 0 ? [] : faults.map((line) => line.replaceAll(`${folder}/`, '')) };
  });
}

/** The day of a delivery: in the name of a file, or else of the newest file, UTC. */
export function dayOf(files: readonly string[]): string {
  const named = files.flatMap((file) => {
    const [, year, month, day] = /(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?!\d)/.exec(basename(file)) ?? [];
    const text = `${year}-${month}-${day}`;
    const isDay = !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
    return isDay ? [text] : [];
  });
  const newest = Math.max(...files.map((file) => statSync(file).mtimeMs));
  return named.sort().at(-1) ?? new Date(newest).toISOString().slice(0, 10);
}

/** Copies files into a new folder, and leaves the originals. */
export function copyDelivery(files: readonly string[], folder: string): void {
  if (isThere(folder)) throw new Failure('already_there', `${folder} already exists: move or remove it first`);
  makeFolder(folder);
  for (const file of files) copyWithoutLinks(file, join(folder, basename(file)));
}

/** Writes the page with the preview. */
export function writePreview(file: string, draft: FirstDraft): void {
  const page = previewPage('What the files would become', draft.products, draft.columns, [
    ...draft.notes,
    ...draft.faults,
  ]);
  createFile(file, (append) => append(page));
}

/** The products of the preview, for a terminal. */
export function previewLines(products: readonly PreviewedProduct[]): string[] {
  return products.flatMap(({ source, result }) => [
    ...(source.length === 0 ? [] : [`  ${source.map(([, text]) => cut(text)).join(' | ')}`]),
    `  → ${result.map(([title, text]) => (['alcohol', 'name', 'size', 'price'].includes(title) ? text : `${title} ${text}`)).join(', ')}`,
  ]);
}

/** What is left to decide, a line for each question. */
export function questionLines(left: readonly Question[]): string[] {
  return left.map(({ text, allowed, places }) => {
    const [first] = places;
    const more = places.length > 1 ? ` and ${countOf(places.length - 1, 'more place')}` : '';
    return `  ${text} ${first?.join('.')}${more}: ${allowed}`;
  });
}
