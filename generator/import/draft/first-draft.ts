import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isThere } from '../../files/durable-files.ts';
import { Failure } from '../../files/failure.ts';
import { type Faults, FaultyInput } from '../../files/faults.ts';
import { nameFits } from '../../files/name-patterns.ts';
import { createFile } from '../../files/new-file.ts';
import { packageFolder } from '../../files/package-files.ts';
import { useTemporaryFolder } from '../../files/temporary-folder.ts';
import { importFiles } from '../import.ts';
import { type Part, partRule, parts, type Recipe } from '../recipe/recipe.ts';
import { noColumn } from './column-guesses.ts';
import type { ColumnGuess } from './described-columns.ts';
import { draftFrom, tablesIn } from './draft.ts';
import type { Stated } from './draft-rules.ts';
import type { DraftTable } from './draft-tables.ts';
import { type PreviewedProduct, previewedProducts } from './preview.ts';
import { type Answer, answered, marked, noneOfThese, type Question, questionsIn } from './questions.ts';

export type Ask = (question: Question) => Promise<Answer>;

/** `left`: open decisions. `faults`: what the import would refuse. */
export type FirstDraft = {
  readonly recipe: Recipe;
  readonly used: readonly string[];
  readonly bundled: string | null;
  readonly columns: readonly ColumnGuess[];
  readonly notes: readonly string[];
  readonly left: readonly Question[];
  readonly products: readonly PreviewedProduct[];
  readonly faults: readonly string[];
};

export type GivenFile = { readonly path: string; readonly part: Part | null };

/** Splits `PART=FILE`, unless a file has that name. */
export function givenFile(argument: string): GivenFile {
  const [, named, path = ''] = /^(\w+)=(.+)$/s.exec(argument) ?? [];
  const part = parts.find((one) => one === named) ?? null;
  return part === null || isThere(argument) ? { path: argument, part: null } : { path, part };
}

const neither = 'nothing of these';

const recipes = new URL('templates/recipes/', packageFolder);

type Options = {
  readonly bundled: readonly string[];
  /** Null if nobody can be asked. */
  readonly ask: Ask | null;
  readonly day: string;
  readonly check: (folder: string) => Promise<Faults>;
  readonly onProgress: (what: string, done?: number, total?: number) => void;
  /** Called before the last questions, which are about values. */
  readonly onColumns: (columns: readonly ColumnGuess[]) => void;
};

/** Finds a bundled recipe whose columns the files have, or drafts one and asks a person about the rest. */
export async function firstDraft(files: readonly GivenFile[], given: Stated, options: Options): Promise<FirstDraft> {
  const { bundled: names, ask, onProgress } = options;
  onProgress('reading the files');
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
  for (const name of drafted?.unassigned ?? []) {
    if (ask === null) break;
    const choices = [...parts, neither];
    const text = `What does ${name} have?`;
    const part = await ask({ kind: 'choice', text, choices, allowed: choices.join(', '), places: [] });
    if (part === neither) continue;
    decided.parts.set(name, part as Part);
    drafted = draftFrom(tables, stated, decided);
  }
  const columnsFor = (part: Part, field: string) => drafted?.columnsFor(part, field) ?? [];
  // The currency decides how prices are read, and the country what an address needs.
  for (const member of ['currency', 'country']) {
    const next = drafted && questionsIn(drafted.recipe, columnsFor).find(({ places }) => places[0]?.at(-1) === member);
    if (!next || ask === null) continue;
    stated = { ...stated, [member]: await ask(next) };
    drafted = draftFrom(tables, stated, decided);
  }
  const isColumn = ({ places }: Question) => places[0]?.at(-1) === 'column';
  // The choice of a column decides how its values are read, and perhaps values of other fields.
  for (const asked = new Set<string>(); ; ) {
    if (ask === null || drafted === null) break;
    const nextPlace = (question: Question) => question.places.join(' ');
    const next = questionsIn(drafted.recipe, columnsFor).find((one) => isColumn(one) && !asked.has(nextPlace(one)));
    if (next === undefined) break;
    asked.add(nextPlace(next));
    const [part = '', , field = ''] = next.places[0] ?? [];
    const ofPart = decided.columns.get(part as Part) ?? new Map<string, string>();
    const [only, other] = next.kind === 'choice' ? next.choices : [];
    const column = only !== undefined && other === undefined ? only : String(await ask(next));
    decided.columns.set(part as Part, ofPart.set(field, column === noneOfThese ? noColumn : column));
    drafted = draftFrom(tables, stated, decided);
  }
  let recipe = known?.recipe ?? (drafted?.recipe as Recipe);
  const columns = drafted?.columns ?? [];
  options.onColumns(columns);
  // An answer can settle another question: a country may have one time zone.
  for (const asked = new Set<string>(); ; ) {
    const next = questionsIn(recipe, columnsFor).find(({ places }) => !asked.has(places.join(' ')));
    if (next === undefined) break;
    asked.add(next.places.join(' '));
    const usual = next.kind === 'text' && next.isCertain ? next.usual : null;
    const answer = usual ?? (ask === null ? null : await ask(next));
    if (answer !== null) recipe = answered(recipe, next, answer);
  }
  const left = questionsIn(recipe, columnsFor);
  const notes = drafted?.unused ?? [];
  const paths = known?.used ?? drafted?.used ?? [];
  const found = { recipe, bundled: known?.name ?? null, columns, notes, left, used: paths };
  if (left.length === 0) return { ...found, ...(await tried(recipe, paths, options)) };
  // The preview does not depend on a status or a time zone.
  const isMinor = left.every((question) => question.provisional !== undefined);
  const supposed = left.reduce((one, question) => answered(one, question, question.provisional ?? ''), recipe);
  const { products, faults } = await tried(isMinor ? supposed : marked(recipe, left), paths, options);
  return { ...found, recipe: marked(recipe, left), products: products.map((one) => decidedOnly(one, left)), faults };
}

/** Omits a status that nobody has decided. */
function decidedOnly({ source, result }: PreviewedProduct, left: readonly Question[]): PreviewedProduct {
  const isOpen = left.some(({ places }) => places.some(([, , field]) => field === 'lifecycle'));
  return { source, result: isOpen ? result.filter(([title]) => title !== 'status') : result };
}

/** A bundled recipe whose columns the files have; null if no bundled recipe fits. */
function knownRecipe(tables: readonly DraftTable[], names: readonly string[]) {
  for (const name of names) {
    const recipe: Recipe = JSON.parse(readFileSync(new URL(`${name}.json`, recipes), 'utf8'));
    const read = new Set<string>();
    const fits = Object.entries(recipe.files).every(([role, rule]) => {
      const used = parts.flatMap((part) => {
        const of = partRule(recipe, part);
        return of?.from === role ? Object.values(of.fields).flatMap(columnsIn) : [];
      });
      const table = tables.find(({ rule: { type }, columns }) => {
        return type === rule.type && used.length > 2 && used.every((column) => columns.includes(column));
      });
      // Files of other years may have other names.
      if (table) read.add(table.path);
      if (table && !nameFits(rule.match, table.file)) rule.match = [rule.match, table.rule.match].flat();
      return table !== undefined || rule.optional === true;
    });
    if (fits) return { name, recipe, used: [...read] };
  }
  return null;
}

function columnsIn(rule: Recipe['products'] extends infer _ ? unknown : never): string[] {
  if (typeof rule === 'string') return [rule];
  const { column, join: joined } = rule as { column?: string; join?: { columns: string[] } };
  return [...(column === undefined ? [] : [column]), ...(joined?.columns ?? [])].filter((name) => !name.includes('.'));
}

/** Imports the files as `update` would, and checks the result. Keeps nothing. */
function tried(recipe: Recipe, files: readonly string[], { day, check, onProgress }: Options) {
  return useTemporaryFolder(async (folder) => {
    const [file, out] = [join(folder, 'recipe.json'), join(folder, 'snapshot')];
    createFile(file, (append) => append(JSON.stringify(recipe)));
    const time = `${day}T12:00:00Z`;
    try {
      const options = { recipe: file, files, out, publishedAt: time, retrievedAt: time, check };
      await importFiles(options, (name, done, total) => onProgress(`trying ${name}, bytes`, done, total));
      return { products: await previewedProducts(out, recipe, files), faults: [] };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // Open decisions are asked anyway.
      const lines =
        error instanceof FaultyInput ? [...error.faults.without('a decision').lines, ...error.advice] : error.lines;
      return { products: [], faults: lines.length > 0 || error instanceof FaultyInput ? lines : [error.message] };
    }
  });
}
