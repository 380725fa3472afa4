import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyBuiltFixtures } from '../build/built-fixtures.ts';
import { publishFixtures } from '../build/fixture-series.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { runCommand } from '../support/command-line.ts';
import { programFile } from '../support/programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/*
 * What the system refuses is one plain line on standard error and exit code 1. A full or read-only disk, a damaged
 * database and odd parts of a site are in test/build/system-failures.full.test.ts and test/publish/system-faults.full.test.ts.
 */

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const occupied = createServer();
let occupiedPort = '';

beforeAll(async () => {
  await publishFixtures(at('db.sqlite'), 0, 1);
  await copyBuiltFixtures(at('site'), 11);
  mkdirSync(at('notes'));
  writeFileSync(at('notes', 'todo.txt'), 'mine');
  writeFileSync(at('a-file'), 'mine');
  await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve));
  occupiedPort = String((occupied.address() as { port: number }).port);
});
afterAll(() => {
  occupied.close();
  removeFolder(folder);
});

/** What a person does, the command line, and the reason that they are told. */
const failures: readonly (readonly [kind: string, args: () => string[], reason: RegExp])[] = [
  [
    'build into a folder with a file of something else',
    () => ['build', '--db', at('db.sqlite'), '--out', at('notes')],
    /notes: expected a site or an empty folder, got one that holds something else: the file todo\.txt/,
  ],
  [
    'mirror into a folder of something else',
    () => ['mirror', 'http://127.0.0.1:1', at('notes')],
    /notes: expected a site or an empty folder/,
  ],
  [
    'build into a file',
    () => ['build', '--db', at('db.sqlite'), '--out', at('a-file')],
    /expected a folder, got a file/,
  ],
  [
    'sign with a key that is not there',
    () => ['build', '--db', at('db.sqlite'), '--out', at('new'), '--sign', at('none')],
    /none: expected a file that can be used, got ENOENT/,
  ],
  ['bundle over a file', () => ['bundle', at('site'), at('a-file')], /a-file: expected no file there yet/],
  [
    'bundle into a folder that is not there',
    () => ['bundle', at('site'), at('none', 'x.zip')],
    /expected a file that can be written, got ENOENT/,
  ],
  ['hosts into a file', () => ['hosts', at('site'), '--out', at('a-file')], /a-file\/hosts\.json: expected .*ENOTDIR/],
  [
    'schemas into a folder in which nothing can be made',
    () => ['schema', '--all', '/proc/none/schemas'],
    /\/proc\/none: expected a folder that can be written, got (?:ENOENT|EACCES)/,
  ],
  ['worker into a file', () => ['worker', '--out', at('a-file')], /a-file: expected a folder that can be written/],
  [
    'keygen into a folder that is not there',
    () => ['keygen', at('none', 'key')],
    /key\.pub: expected a file that can be used, got ENOENT/,
  ],
  [
    'follow into a folder',
    () => ['follow', 'http://127.0.0.1:1', '--once', '--output', at('notes')],
    /notes: expected/,
  ],
  [
    'serve at a port that is taken',
    () => ['serve', '--dist', at('site'), '--port', occupiedPort],
    /cannot serve: listen EADDRINUSE/,
  ],
  [
    'serve at the port of the metrics',
    () => ['serve', '--dist', at('site'), '--port', '0', '--metrics-port', occupiedPort],
    /cannot serve: listen EADDRINUSE/,
  ],
];

describe('a failure is one line', () => {
  test.for(failures)('%s', async ([, args, reason]) => {
    const command = args();
    // What `serve` has opened before it fails ends with its process.
    const run = command[0] === 'serve' ? runCommand : runInProcess;
    const { code, stdout, stderr } = await run(...command);
    expect(stderr).toMatch(/^shelfpress: [^\n]+\n$/);
    expect(stderr).toMatch(reason);
    expect([code, stdout]).toEqual([1, '']);
  });
});

test.skipIf(process.platform === 'win32')('so is a limit on open files', () => {
  const program = programFile('generator/cli.ts');
  let explained = 0;
  for (const limit of [26, 30, 34]) {
    const args = ['-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, program];
    const command = ['build', '--db', at('db.sqlite'), '--out', at(`limit-${limit}`)];
    const { status, stderr } = spawnSync('bash', [...args, ...command], { encoding: 'utf8' });
    // Where Node cannot load the program itself, none of its lines has run yet.
    if (status === 0 || stderr.startsWith('node:internal')) continue;
    expect(stderr).toMatch(/^shelfpress: [^\n]*(too many files are open|unable to open database file)[^\n]*\n$/);
    expect(status).toBe(1);
    explained++;
  }
  expect(explained).toBeGreaterThan(0);
});
