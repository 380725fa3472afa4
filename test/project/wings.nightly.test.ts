import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { freePort } from '../support/ports.ts';
import { RunningProgram } from '../support/program.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { root } from './repository.ts';

/** The file that names the wings. */
const list = 'generator/assembly/wings.ts';

/** The wings, with the folders that go with each, and addresses that a site has only with it. */
const wings = [
  { name: 'catalogs', folders: ['generator/catalogs'], addresses: ['/v1/exports/croissant.json'] },
  { name: 'explorer', folders: ['generator/page', 'explorer'], addresses: ['/', '/sw.js'] },
];

/** Copies the sources without the folders of a wing, its import and its name in the list. */
function copyWithout(name: string, folders: readonly string[], copy: string): void {
  const parts = ['bin', 'client', 'contract', 'explorer', 'fixtures', 'generator', 'shim', 'templates', 'serve.ts'];
  for (const part of [...parts, 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.package.json']) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const removed of folders) rmSync(join(copy, removed), { recursive: true });
  const lines = readFileSync(join(copy, list), 'utf8').split('\n');
  const kept = lines.filter((line) => !line.startsWith(`import { ${name} }`));
  const text = kept.join('\n');
  const names = /= \[(.*)\]/.exec(text)?.[1]?.split(', ') ?? [];
  expect(names).toEqual(wings.map((wing) => wing.name));
  writeFileSync(
    join(copy, list),
    text.replace(/= \[.*\]/, `= [${names.filter((other) => other !== name).join(', ')}]`),
  );
}

/** Runs a program of Node in the copy, which must end well without a word on standard error. */
function runIn(copy: string, ...args: readonly string[]): void {
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
  expect({ status, stderr, ...(status === 0 ? {} : { stdout }) }).toEqual({ status: 0, stderr: '' });
}

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

describe.each(wings)('without $name', ({ name, folders, addresses }) => {
  const copy = join(folder, name);
  beforeAll(() => copyWithout(name, folders, copy));

  test('the fixtures are published, built, verified, compared with their database, and served', async () => {
    const cli = 'generator/cli/cli.ts';
    runIn(copy, cli, 'publish', ...fixtureFolders(), '--db', 'own.sqlite', '--quiet');
    runIn(copy, cli, 'build', '--db', 'own.sqlite', '--out', 'dist', '--exports', 'current', '--quiet');
    runIn(copy, cli, 'verify', 'dist', '--db', 'own.sqlite', '--statement', 'statement.json', '--quiet');
    const port = await freePort();
    const args = [join(copy, cli), 'serve', join(copy, 'dist'), '--port', String(port)];
    await using _server = await RunningProgram.start(process.execPath, args, port);
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect(await statusOf('/v1/metadata')).toBe(200);
    expect(await statusOf('/v1/search?q=gin')).toBe(200);
    for (const address of addresses) expect(await statusOf(address), address).toBe(404);
  });

  test('the rest has its types', () => {
    runIn(copy, 'node_modules/typescript/bin/tsc', '--singleThreaded', '--noEmit', '-p', 'tsconfig.package.json');
  });
});
