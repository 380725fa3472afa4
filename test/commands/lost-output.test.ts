import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/preview.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { programFile } from '../support/programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

test.skipIf(!existsSync('/dev/full'))(
  'where standard output cannot be written, the work is done and the loss is said',
  async () => {
    const database = join(folder, 'db.sqlite');
    const args = ['publish', ...fixtureFolders().slice(0, 2), '--db', database];
    const command = ['-c', '"$@" > /dev/full', 'sh', process.execPath, programFile('generator/cli.ts'), ...args];
    const { status, stderr } = spawnSync('sh', command, { encoding: 'utf8' });
    expect(stderr).toBe(
      'shelfpress: standard output could not be written: ENOSPC (the disk is full); what the command does is done anyway\n',
    );
    expect(status).toBe(1);
    const { stdout } = await runInProcess('inspect', database, '--json');
    expect(JSON.parse(stdout).publications).toHaveLength(2);
  },
);
