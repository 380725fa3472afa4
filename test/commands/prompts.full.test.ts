import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { needing, program } from '../support/installed-programs.ts';
import { programFile } from '../support/programs.ts';
import { folderForFile } from '../support/temporary-folder.ts';

const folder = folderForFile();

const catalog = join(process.cwd(), 'fixtures/imports/csv/catalog.csv');

/** Runs `init` at a real terminal in a new folder. `answers`: what to type after each part of a question. */
function initAt(name: string, answers: readonly (readonly [string, string])[], ...args: readonly string[]) {
  const settings = join(folder, `${name}.json`);
  const command = [process.execPath, programFile('generator/cli/cli.ts'), 'init', ...args, '--settings', settings];
  const asked = [join(process.cwd(), 'test/python/at_terminal.py'), JSON.stringify(answers), ...command];
  const { status, stdout } = spawnSync(program('python3'), asked, { cwd: folder, encoding: 'utf8' });
  return { status, shown: stripVTControlCharacters(stdout), settings };
}

describe('init at a terminal', needing('python3'), () => {
  test('asks again what cannot be, takes what is usual, and lets words be chosen', () => {
    const { status, shown } = initAt(
      'asked',
      [
        ['Which currency', 'dollars\r'],
        ['expected a code of ISO 4217', '\u0015USD\r'],
        ['In which country', '\r'],
        ['In which time zone', '\u0015America/Denver\r'],
        // Of G, L, D and X the last two are not taken as sold, by their meanings; the cursor goes to D, which is.
        ['mean that a product is still sold', '\u001b[A\u001b[A \r'],
      ],
      catalog,
    );
    expect(shown).toContain('wrote ');
    expect(status).toBe(0);
    const recipe = JSON.parse(readFileSync(join(folder, 'recipe.json'), 'utf8'));
    expect(recipe.snapshot.profile).toMatchObject({ currency: 'USD', country: 'US', time_zone: 'America/Denver' });
    expect(recipe.products.fields.lifecycle.lookup).toEqual({
      G: 'active',
      L: 'active',
      D: 'active',
      X: 'discontinued',
    });
    expect(shown).toMatch(/→ code 2104, WRENMOOR STRAIGHT BOURBON 750ML, 750 mL, \$28\.99/);
  });

  test('writes nothing when the person gives up', () => {
    const { status, shown, settings } = initAt('given-up', [['Which currency', '\u0003']], catalog);
    expect([status, existsSync(settings)]).toEqual([1, false]);
    expect(shown).toContain('nothing was written; with --yes, the questions are left in recipe.json');
  });
});
