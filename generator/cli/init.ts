import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { makeFolder } from '../files/durable-files.ts';
import { Failure } from '../files/failure.ts';
import { createFile } from '../files/new-file.ts';
import { packageFolder } from '../files/package-files.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { type OtherCommands, type Output, withExample } from './command-line.ts';
import { siteSteps } from './day-report.ts';
import { besideSettings, table, usualFile } from './settings.ts';
import { checkedSettings } from './settings-file.ts';
import { incomingFolder } from './update.ts';

/** `init` writes the settings and creates the folder `incoming`. */
export function defineInit(command: Command, output: Output, others: OtherCommands): void {
  const flags = table.flatMap(({ flag, ...setting }) => (flag === undefined ? [] : [{ flag, ...setting }]));
  for (const { flag, meaning } of flags) command.option(flag, meaning.replaceAll('`', ''));
  command.addOption(
    new Option('--recipe-for <agency>', 'write recipe.json: the bundled recipe for the files of this agency')
      .choices(recipeNames())
      .conflicts('recipe'),
  );
  command.option('--json', 'print one JSON object', false).action(async ({ recipeFor }: { recipeFor?: string }) => {
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
    if (recipeFor !== undefined) written.recipe = ownRecipe;
    await others.check(siteSteps, { file, settings: checkedSettings(file, written) }, output);
    const incoming = besideSettings({ file }, incomingFolder);
    createFile(file, (append) => {
      append(`${JSON.stringify(written, null, 2)}\n`);
      if (recipeFor !== undefined) writeRecipe(besideSettings({ file }, ownRecipe), recipeFor);
      makeFolder(incoming);
    });
    const what = 'recipe' in written ? "the agency's files" : 'snapshot folders';
    output.result({ settings: file, incoming }, [
      `wrote ${file}${recipeFor === undefined ? '' : ` and ${besideSettings({ file }, ownRecipe)}`} and created ${incoming}`,
      `1. put ${what} into ${incoming}${'recipe' in written ? '' : `; for an agency's files, name a "recipe" in ${file}`}`,
      `2. run shelfpress update${file === usualFile ? '' : ` --settings ${file}`}`,
    ]);
  });
  withExample(command, 'shelfpress init --base-url https://example.org/v1 --recipe recipe.json');
}

const recipes = new URL('templates/recipes/', packageFolder);
const ownRecipe = 'recipe.json';

/** Writes a bundled recipe, unless an interrupted run has already done so. */
function writeRecipe(file: string, agency: string): void {
  const recipe = readFileSync(new URL(`${agency}.json`, recipes));
  if (existsSync(file) && readRegularFile(file, 'a recipe', 1024 * 1024).equals(recipe)) return;
  createFile(file, (append) => append(recipe));
}

/** The agencies for which the package has a recipe. docs/importing.md lists them. */
export function recipeNames(): readonly string[] {
  const files = readdirSync(recipes);
  return files.map((file) => file.replace(/\.json$/, '')).sort();
}

/** Refuses a setting that names a missing file. `path` is as in the settings. */
function requireFile(settings: string, member: string, path: string): void {
  if (existsSync(besideSettings({ file: settings }, path))) return;
  throw new Failure('settings_faults', `${path}: no such file, named as "${member}"`);
}
