import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { programFile } from '../support/programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

beforeAll(async () => {
  const { stdout } = await runInProcess('completion', 'bash');
  writeFileSync(join(folder, 'completion.bash'), stdout);
  writeFileSync(
    join(folder, 'shelfpress'),
    `#!/bin/sh\nexec '${process.execPath}' '${programFile('generator/cli/cli.ts')}' "$@"\n`,
    { mode: 0o755 },
  );
  writeFileSync(join(folder, 'my-recipe.json'), '{}');
});
afterAll(() => removeFolder(folder));

/** What bash offers when Tab is pressed at the end of a line. */
function offered(line: string): string[] {
  const words = line.split(' ');
  const script = `source completion.bash
    COMP_LINE='${line}' COMP_POINT=${line.length} COMP_CWORD=${words.length - 1} COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
    _shelfpress_completion
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const options = {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
  } as const;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], options);
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

test.each([
  ['shelfpress bu', ['build', 'bundle']],
  ['shelfpress build --ex', ['--exports']],
  ['shelfpress build --exports ', ['retained', 'current']],
  ['shelfpress help database_d', ['database_damaged']],
  ['shelfpress completion z', ['zsh']],
])('%j offers %j', (line, expected) => {
  expect(offered(line)).toEqual(expected);
});

test('files are left to the shell', async () => {
  const { stdout } = await runInProcess('completion', 'bash');
  expect(stdout).toContain('complete -o default');
  expect(offered('shelfpress verify my-')).toEqual(['']);
});
