import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { isThere, makeFolder } from '../files/durable-files.ts';
import { countOf, Failure } from '../files/failure.ts';
import { createFile } from '../files/new-file.ts';
import { packageFolder } from '../files/package-files.ts';
import { expandedPaths } from '../files/path-patterns.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { firstDraft, type GivenFile, givenFile } from '../import/draft/first-draft.ts';
import { undecided } from '../import/recipe/recipe.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { tableLines } from '../terminal/texts.ts';
import { faultsAsFirst } from './check.ts';
import type { OtherCommands } from './commands.ts';
import { siteSteps } from './day-report.ts';
import { addDraftOptions, guessColumns } from './import.ts';
import { copyDelivery, dayOf, previewLines, questionLines, writePreview } from './init-files.ts';
import { besideSettings, table, usualFile } from './settings.ts';
import { checkedSettings } from './settings-file.ts';
import { incomingFolder } from './update.ts';

type Options = {
  readonly recipeFor?: string;
  readonly currency?: string;
  readonly country?: string;
  readonly zone?: string;
  readonly preview?: string;
  readonly yes: boolean;
  readonly json: boolean;
};

/** `init FILE...` also writes a recipe for an agency's files, and copies them into `incoming`. */
export function defineInit(command: Command, output: Output, others: OtherCommands): void {
  const flags = table.flatMap(({ flag, ...setting }) => (flag === undefined ? [] : [{ flag, ...setting }]));
  for (const { flag, meaning } of flags) command.option(flag, meaning.replaceAll('`', ''));
  command.argument(
    '[file...]',
    "an agency's files of one day: CSV, TSV, NDJSON, JSON, XML or XLSX; PART=FILE says which part a file has",
  );
  command.addOption(
    new Option('--recipe-for <agency>', 'write recipe.json: the bundled recipe for the files of this agency')
      .choices(recipeNames())
      .conflicts('recipe'),
  );
  addDraftOptions(command, 'with files: ');
  command
    .option('--preview <page>', 'with files: write what they would become into a new HTML page')
    .option('--yes', 'with files: ask nothing, and leave what is to be decided in recipe.json', false)
    .option('--json', 'print one JSON object', false)
    .action(async (paths: string[], options: Options) => {
      const { recipeFor } = options;
      const given = paths
        .map(givenFile)
        .flatMap(({ path, part }) => expandedPaths([path]).map((one) => ({ path: one, part })));
      const files = given.map(({ path }) => path);
      if (files.length === 0 && (options.preview ?? options.currency ?? options.country ?? options.zone))
        command.error('error: --preview, --currency, --country and --zone need files');
      if (files.length > 0 && command.getOptionValueSource('recipe') === 'cli')
        command.error('error: expected files, for which a recipe is made, or --recipe, got both');
      const file: string = command.parent?.opts().settings ?? usualFile;
      const written: Record<string, unknown> = { ...checkedSettings(file, {}) };
      for (const [index, { member }] of flags.entries()) {
        const value = command.getOptionValue(command.options[index]?.attributeName() ?? '');
        const [outer = '', inner] = member.split('.');
        if (value !== undefined) written[outer] = inner === undefined ? value : { [inner]: value };
      }
      for (const { member, isPathIn = () => true } of flags.filter(({ isFile }) => isFile)) {
        const path = written[member];
        if (typeof path === 'string' && isPathIn(path)) requireFile(file, member, path);
      }
      if (recipeFor !== undefined || files.length > 0) written.recipe = ownRecipe;
      const settingsFile = { file, settings: checkedSettings(file, written) };
      for (const step of siteSteps) await others.configured(step, settingsFile, output);
      const at = (path: string) => besideSettings({ file }, path);
      const incoming = at(incomingFolder);
      refuseExisting(file);
      const made = files.length === 0 ? null : await draftOf(given, options, output);
      const delivery = made && join(incoming, made.day);
      createFile(file, (append) => {
        append(`${JSON.stringify(written, null, 2)}\n`);
        if (made !== null)
          createFile(at(ownRecipe), (write) => write(`${JSON.stringify(made.draft.recipe, null, 2)}\n`));
        else if (recipeFor !== undefined) writeRecipe(at(ownRecipe), recipeFor);
        makeFolder(incoming);
        if (made !== null && delivery !== null) copyDelivery(made.draft.used, delivery);
      });
      const settings = file === usualFile ? '' : ` --settings ${file}`;
      if (made === null || delivery === null) {
        const what = 'recipe' in written ? "the agency's files" : 'snapshot folders';
        return output.result({ settings: file, incoming }, [
          `wrote ${file}${recipeFor === undefined ? '' : ` and ${at(ownRecipe)}`} and created ${incoming}`,
          `1. put ${what} into ${incoming}${'recipe' in written ? '' : `; shelfpress init FILE... makes a recipe for an agency's files`}`,
          `2. run shelfpress update${settings}`,
        ]);
      }
      const { draft } = made;
      if (options.preview !== undefined) writePreview(options.preview, draft);
      const { left, faults, products, bundled, columns, notes } = draft;
      const questions = left.map(({ text, allowed, places }) => ({
        text,
        allowed,
        places: places.map((place) => place.join('.')),
      }));
      const facts = { recipe: at(ownRecipe), bundled, delivery, undecided: questions, columns, unused: notes, faults };
      output.result({ settings: file, incoming, ...facts, products }, [
        ...notes,
        ...previewLines(products),
        ...(faults.length === 0 ? [] : ['the recipe does not fit yet:', ...faults.map((fault) => `  ${fault}`)]),
        `wrote ${file} and ${at(ownRecipe)}${bundled === null ? '' : `, the bundled recipe ${bundled}, whose columns the files have`}; copied ${countOf(draft.used.length, 'file')} into ${delivery}`,
        ...(left.length === 0 ? [] : [`decide in ${at(ownRecipe)}, at each "${undecided}":`, ...questionLines(left)]),
        `${faults.length > 0 ? 'correct the recipe, then ' : left.length > 0 ? 'then ' : ''}run shelfpress update${settings}`,
      ]);
    });
  withExample(
    command,
    'shelfpress init prices.xlsx stores.csv --country NO',
    'shelfpress init --base-url https://example.org/v1 --recipe recipe.json',
  );
}

/** At a terminal, asks a person for what no file says. */
async function draftOf(files: readonly GivenFile[], options: Options, output: Output) {
  const { currency = null, country = null, zone = null, recipeFor, yes, json } = options;
  const isAsked = process.stdin.isTTY === true && process.stderr.isTTY === true && !yes && !json;
  const ask = isAsked ? (await import('./prompts.ts')).askAtTerminal : null;
  const bundled = recipeFor === undefined ? recipeNames() : [recipeFor];
  const day = dayOf(files.map(({ path }) => path));
  const draft = await firstDraft(
    files,
    { currency, country, zone },
    {
      ...{ bundled, ask, day, check: faultsAsFirst },
      onProgress: (what, done, total) => output.progress(what, done, total),
      onColumns: (columns) => {
        for (const line of columns.length === 0 ? [] : tableLines(columns, guessColumns)) output.notice(line);
      },
    },
  );
  output.clearProgress();
  return { day, draft };
}

function refuseExisting(file: string): void {
  if (isThere(file))
    throw new Failure('already_there', `${file} already exists: move or remove it first, or choose another name`);
}

const recipes = new URL('templates/recipes/', packageFolder);
const ownRecipe = 'recipe.json';

/** An interrupted run may already have written the recipe. */
function writeRecipe(file: string, agency: string): void {
  const recipe = readFileSync(new URL(`${agency}.json`, recipes));
  if (existsSync(file) && readRegularFile(file, 'a recipe', 1024 * 1024).equals(recipe)) return;
  createFile(file, (append) => append(recipe));
}

/** Agencies with a bundled recipe. docs/importing.md lists them. */
export function recipeNames(): readonly string[] {
  const files = readdirSync(recipes);
  return files.map((file) => file.replace(/\.json$/, '')).sort();
}

/** `path` is as in the settings. */
function requireFile(settings: string, member: string, path: string): void {
  if (existsSync(besideSettings({ file: settings }, path))) return;
  throw new Failure('settings_faults', `${path}: no such file, named as "${member}"`);
}
