import { expect, test } from 'vitest';
import { failureCodes } from '../../generator/files/failure.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { readText } from './repository.ts';

const page = readText('docs/troubleshooting.md');

test('docs/troubleshooting.md has a section for every failure code, in order, and no others', () => {
  expect(page.match(/(?<=^## `)[a-z_]+(?=`$)/gm)).toEqual(failureCodes);
});

test.each(failureCodes)('help %s prints its section', async (code) => {
  const { code: exit, stdout } = await runInProcess('help', code);
  expect(exit).toBe(0);
  expect(page).toContain(`## \`${code}\`\n\n${stdout}`);
});

test.each(['settings', 'recipes', 'guards', 'terms'])('help %s prints a page', async (topic) => {
  const { code, stdout } = await runInProcess('help', topic);
  expect([code, stdout.split('\n').length > 10]).toEqual([0, true]);
});
