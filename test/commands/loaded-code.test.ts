import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from '../project/repository.ts';

/** Prints what a program has loaded when it ends: the modules of Node, and the files of CommonJS packages. */
const report = `
  import { createRequire } from 'node:module';
  const { cache } = createRequire('file:///');
  process.on('exit', () => console.error(JSON.stringify([...process.moduleLoadList, ...Object.keys(cache)])));
`;

function loadedBy(...args: readonly string[]): string[] {
  const command = [`--import=data:text/javascript,${encodeURIComponent(report)}`, 'bin/shelfpress.mjs', ...args];
  const { stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
}

// A site of a thousand products takes a few seconds a day, so what each command loads and hardly ever uses counts.
test.each(['publish', 'build'])('%s starts without the code of fetch, and without patterns of paths', (command) => {
  const loaded = loadedBy(command, '--help');
  expect(loaded).toContainEqual(expect.stringMatching(/better-sqlite3/));
  expect(loaded.filter((name) => /undici\/undici|node_modules.fast-glob/.test(name))).toEqual([]);
});

test('a pattern of paths loads the package for patterns', () => {
  const loaded = loadedBy('publish', 'no-such-folder-*', '--db', 'none.sqlite', '--quiet', '--json');
  expect(loaded).toContainEqual(expect.stringMatching(/node_modules.fast-glob/));
});
