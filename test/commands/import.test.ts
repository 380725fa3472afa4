import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { schemaNames } from '../../generator/cli/schema.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { folderForFile } from '../support/temporary-folder.ts';

const folder = folderForFile();
const at = (name: string) => join(folder, name);

const fixture = 'fixtures/imports/csv';
const files = ['catalog', 'stores', 'inventory'].map((name) => `${fixture}/${name}.csv`);
const recipe = `${fixture}/recipe.json`;
const time = ['--published-at', '2025-03-03T15:00:00-07:00'];

describe('import', () => {
  test('prints counts and notices', async () => {
    expect(await runInProcess('import', recipe, ...files, '--out', at('snapshot'), ...time)).toEqual({
      code: 0,
      stdout:
        `imported ${at('snapshot')}, dated 2025-03-03T22:00:00Z\n` +
        '9 products, 4 stores, 9 retrievals with 30 rows in 4 stores, 6 categories\n',
      stderr:
        "products: 1 row left out: an item of the agency's own tests\n" +
        'inventory: 1 row left out: not a product of the catalog\n',
    });
  });

  test('writes the same bytes again, and exact numbers with --json', async () => {
    const { stdout } = await runInProcess('import', recipe, ...files, '--out', at('again'), ...time, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ snapshot: at('again'), products: 9, unused_columns: [] });
    await runInProcess('import', recipe, ...[...files].reverse(), '--out', at('reversed'), ...time);
    for (const name of readdirSync(at('again')))
      expect(readFileSync(join(at('again'), name)), name).toEqual(readFileSync(join(at('reversed'), name)));
  });

  test('leaves nothing if it fails, and tells programs why', async () => {
    const { code, stdout } = await runInProcess('import', recipe, ...files, '--out', at('failed'), '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { ok: false, error: { fault_count: 1, faults: [{ file: 'recipe.json', field: 'snapshot.published_at' }] } },
    ]);
    expect(readdirSync(folder).filter((name) => name.includes('failed'))).toEqual([]);
  });

  test('--draft prints a line for each column with its guess, and overwrites nothing', async () => {
    const first = await runInProcess('import', '--draft', ...files, '--out', at('recipe.json'));
    expect(first.code).toBe(0);
    const lines = first.stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(26);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^file +column +example +field +why$/),
        expect.stringMatching(/^catalog\.csv +Item Code +2104 +products\.sku +codes like \^\[0-9\]\{1,5\}\$$/),
        expect.stringMatching(/^catalog\.csv +UPC +600000002104 +– +neither its name nor its values show a field$/),
        expect.stringMatching(/^catalog\.csv UPC: named as the gtin, but its values are not: '600000002104', /),
      ]),
    );
    const again = await runInProcess('import', '--draft', ...files, '--out', at('recipe.json'));
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already exists: move or remove it first')]);
    expect(existsSync(at('recipe.json'))).toBe(true);
  });
});

describe('schema', () => {
  test('writes all schemas, and refuses other names', async () => {
    expect((await runInProcess('schema', '--all', at('schemas'))).code).toBe(0);
    expect(readdirSync(at('schemas')).sort()).toEqual(schemaNames.map((name) => `${name}.schema.json`).sort());
    const { code, stderr } = await runInProcess('schema', 'shop');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        "argument value 'shop' is invalid for argument 'name'. Allowed choices are snapshot, product, ",
      ),
    ]);
  });
});
