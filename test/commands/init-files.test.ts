import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { draftRecipe } from '../../generator/import/draft/draft.ts';
import { answered, questionsIn } from '../../generator/import/draft/questions.ts';
import { undecided } from '../../generator/import/recipe/recipe.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const fixtures = join(process.cwd(), 'fixtures/imports');
const root = temporaryFolder();
let count = 0;
let folder: string;
beforeEach(() => {
  count += 1;
  folder = join(root, String(count));
  mkdirSync(folder);
});
afterAll(() => removeFolder(root));

const at = (...names: readonly string[]) => join(folder, ...names);
/** Runs a command with the settings in the folder of the test. */
const run = (...args: readonly string[]) => runInProcess(...args, '--settings', at('shelfpress.json'));
const csv = ['catalog.csv', 'stores.csv', 'inventory.csv'].map((name) => join(fixtures, 'csv', name));
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

describe('init FILE...', () => {
  test('writes settings and a recipe, copies the files under their day, and asks what no file says', async () => {
    const { code, stdout } = await run('init', ...csv, '--country', 'US', '--json');
    expect(code).toBe(0);
    const { undecided: asked, delivery, settings, bundled, products } = JSON.parse(stdout);
    expect([settings, bundled, products]).toEqual([at('shelfpress.json'), null, []]);
    expect(asked.length).toBeLessThanOrEqual(5);
    expect(asked[0]).toEqual({
      text: 'Which currency are the prices in?',
      allowed: 'a code of ISO 4217, such as EUR',
      places: ['snapshot.profile.currency'],
    });
    expect(readdirSync(delivery).sort()).toEqual(['catalog.csv', 'inventory.csv', 'stores.csv']);
    expect(delivery).toMatch(/\/incoming\/20\d\d-\d\d-\d\d$/);
    for (const file of csv) expect(existsSync(file)).toBe(true);
    expect(readJson(at('shelfpress.json'))).toMatchObject({ recipe: 'recipe.json' });
    expect(readJson(at('recipe.json')).snapshot.profile.currency).toBe(`${undecided}: a code of ISO 4217, such as EUR`);
    expect((await run('update')).stderr).toContain(
      "recipe.json snapshot.profile.currency: expected a decision, got 'FILL IN: a code of ISO 4217, such as EUR'",
    );
    const wrong = readFileSync(at('recipe.json'), 'utf8').replace('"Description"', '"Descripton"');
    writeFileSync(at('recipe.json'), wrong);
    const { stderr } = await run('update');
    for (const part of ['snapshot.profile.currency: expected a decision', 'Descripton: expected a column of this name'])
      expect(stderr).toContain(part);
    const again = await run('init', ...csv);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('shelfpress.json already exists') });
  });

  test('finds the bundled recipe by the columns, and update goes on from there', async () => {
    const file = at('prices-2025-03-04.xlsx');
    cpSync(join(fixtures, 'alko/alkon-hinnasto.xlsx'), file);
    const page = at('preview.html');
    const { code, stdout } = await run('init', `${file}`, '--preview', page);
    expect(code).toBe(0);
    expect(stdout).toContain('the bundled recipe alko, whose columns the files have; copied 1 file into');
    expect(stdout).toContain('→ code 000123, Ängmark Vodka, 700 mL, 24.98 EUR, 40 % vol, producer Hiidenmäki');
    expect(stdout).toMatch(/incoming\/2025-03-04\nrun shelfpress update --settings/);
    expect(readFileSync(page, 'utf8')).toContain('<dt>price</dt><dd>24.98 EUR</dd>');
  });

  test('the preview states no status that nobody has decided', async () => {
    writeFileSync(at('list.csv'), 'Code,Name,Size,Price\n1001,Oak Rye,700 ml,31.50\n1002,Elm Gin,50 ml,2.99\n');
    const stated = ['--country', 'US', '--zone', 'America/Denver', '--currency', 'USD'];
    const { code, stdout } = await run('init', at('list.csv'), ...stated, '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('→ code 1001, Oak Rye, 700 mL, $31.50\n');
    expect(stdout).toContain('products.fields.lifecycle.value: active, discontinued');
  });

  test('a recipe that a person completes is tried, and shown beside its rows; nothing in it is markup', async () => {
    const files = [at('list.csv'), at('shops.csv')];
    writeFileSync(at('list.csv'), 'Code,Name,Size,Price\n1001,<b>Malt</b> & Rye,700ml,$31.50\n1002,Gin,50ml,$2.99\n');
    writeFileSync(at('shops.csv'), 'Store,Name,Address,City,State,Zip\n1,Main,1 A Street,Tarn,UT,84101\n');
    const drafted = await run(
      'init',
      ...files,
      '--country',
      'US',
      '--zone',
      'America/Denver',
      '--currency',
      'USD',
      '--json',
    );
    const { undecided: asked, faults } = JSON.parse(drafted.stdout);
    expect(faults).toEqual([]);
    let recipe = readJson(at('recipe.json'));
    for (const question of questionsIn(recipe, () => []))
      recipe = answered(recipe, question, question.kind === 'choice' ? (question.choices[0] ?? '') : []);
    expect(asked.map(({ text }: { text: string }) => text)).toEqual([
      'No column has a status: which do all products have?',
      'No column has the kind of store: which do all stores have?',
    ]);
    writeFileSync(at('recipe.json'), JSON.stringify(recipe));
    expect(await run('update')).toMatchObject({ code: 0, stdout: expect.stringContaining('products: 2 new') });
  });

  test('refuses options that need files, and a recipe besides files', async () => {
    expect((await run('init', '--preview', at('x.html'))).code).toBe(2);
    writeFileSync(at('recipe.json'), '{}');
    expect((await run('init', ...csv, '--recipe', at('recipe.json'))).code).toBe(2);
    const missing = await run('init', at('missing.csv'));
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('missing.csv') });
    expect(existsSync(at('shelfpress.json'))).toBe(false);
  });
});

test('answers go to all their places', async () => {
  const { recipe, columnsFor } = await draftRecipe(csv, { currency: null, country: null, zone: null });
  let [open, filled] = [questionsIn(recipe, columnsFor), recipe as Parameters<typeof answered>[0]];
  const texts: Record<string, string> = {
    currency: 'USD',
    country: 'US',
    time_zone: 'America/Denver',
    zone: 'America/Denver',
  };
  for (; open.length > 0; open = questionsIn(filled, columnsFor)) {
    const [question] = open;
    if (question === undefined) break;
    const last = question.places[0]?.at(-1) ?? '';
    filled = answered(filled, question, question.kind === 'words' ? question.words.slice(0, 1) : (texts[last] ?? ''));
  }
  expect(JSON.stringify(filled)).not.toContain(undecided);
  const { lifecycle } = filled.products === 'none' ? {} : (filled.products?.fields ?? {});
  expect(lifecycle).toMatchObject({ lookup: { G: 'active', D: 'discontinued' } });
  expect(filled.snapshot.profile).toMatchObject({ currency: 'USD', country: 'US', time_zone: 'America/Denver' });
});
