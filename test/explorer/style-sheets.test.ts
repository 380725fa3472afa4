import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readText, root } from '../project/repository.ts';

test('the style sheet of the explorer joins every other one, once', () => {
  const joined = [...readText('explorer/style.css').matchAll(/^@import "\.\/(.+)";$/gm)].map(([, name]) => name);
  const others = globSync('**/*.css', { cwd: `${root}/explorer` }).filter((name) => name !== 'style.css');
  expect(joined.sort()).toEqual(others.sort());
});
