import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { root } from '../project/repository.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { programFile } from '../support/programs.ts';
import { folderForFile } from '../support/temporary-folder.ts';

const folder = folderForFile();

test('a reader that goes away stops a command that only prints, but no other', async () => {
  const database = join(folder, 'piped.sqlite');
  const run = (...args: string[]) => {
    const command = ['-c', '"$@" | head -1; exit $PIPESTATUS', 'bash', process.execPath];
    return spawnSync('bash', [...command, programFile('generator/cli/cli.ts'), ...args], { encoding: 'utf8' });
  };
  const published = run('publish', 'fixtures/0[1-3]-*', '--db', database);
  expect([published.status, published.stderr]).toEqual([1, '']);
  const { stdout } = await runInProcess('inspect', database, '--json');
  expect(JSON.parse(stdout).publications).toHaveLength(3);
});

test.skipIf(!existsSync('/dev/full'))(
  'where standard output cannot be written, the work is done and the loss is said',
  async () => {
    const database = join(folder, 'db.sqlite');
    const args = ['publish', ...fixtureFolders().slice(0, 2), '--db', database];
    const command = ['-c', '"$@" > /dev/full', 'sh', process.execPath, programFile('generator/cli/cli.ts'), ...args];
    const { status, stderr } = spawnSync('sh', command, { encoding: 'utf8' });
    expect(stderr).toBe(
      'shelfpress: standard output could not be written: ENOSPC (the disk is full); the command finishes its work anyway\n',
    );
    expect(status).toBe(1);
    const { stdout } = await runInProcess('inspect', database, '--json');
    expect(JSON.parse(stdout).publications).toHaveLength(2);
  },
);

test.skipIf(!existsSync('/dev/full'))('a version that cannot be printed is a failure', () => {
  const command = ['-c', '"$@" > /dev/full', 'sh', process.execPath, 'bin/shelfpress.mjs', '--version'];
  const { status, stderr } = spawnSync('sh', command, { cwd: root, encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    'shelfpress: standard output could not be written: ENOSPC: no space left on device, write\n',
  ]);
});
