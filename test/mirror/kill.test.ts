import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { isCheck } from '../support/check-mode.ts';
import { programFile } from '../support/programs.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { SmallSites } from '../support/small-sites.ts';
import { readSite, readTree } from '../units/site-tree.ts';
import { faultsIn, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const sites = SmallSites.use(2);

/** Mirrors in a process that is killed at the request with this number. */
async function killedAt(number: number, host: StaticHost, folder: string): Promise<void> {
  const command = [programFile('generator/cli/cli.ts'), 'mirror', host.url, folder];
  const child = spawn(process.execPath, command, { stdio: 'ignore' });
  let asked = 0;
  host.intercept = () => {
    asked += 1;
    if (asked === number) child.kill('SIGKILL');
    return asked >= number;
  };
  await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  host.intercept = () => false;
}

test('a mirror that is killed is one whole publication, and the next run downloads nothing twice', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const folder = sites.at('mirror');
  await killedAt(40, host, folder);
  expect(existsSync(join(folder, 'current.json'))).toBe(false);
  await mirror(host.url, folder);
  host.folder = sites.at('dist-2');
  for (const number of isCheck ? [1, 4, 35] : [35]) {
    await killedAt(number, host, folder);
    expect(readSite(folder).pointer.sequence).toBe(1);
    expect(await faultsIn(folder)).toEqual([]);
  }
  expect((await leftoversIn(folder)).length).toBeGreaterThan(5);
  writeFileSync(join(folder, 'current.json.tmp'), '{');
  await mirror(host.url, folder);
  expect(readSite(folder).pointer.sequence).toBe(2);
  expect(await faultsIn(folder)).toEqual([]);
  expect(await leftoversIn(folder)).toEqual([]);
});

/** The files in a folder that no reader needs. */
async function leftoversIn(folder: string): Promise<string[]> {
  const { unnamed_objects, unnamed_checkouts } = (await verifySite(folder)).counts;
  const files = [...readTree(folder).keys()].filter((name) => name.endsWith('.tmp') || name === 'mirror.unfinished');
  return [...files, ...Array(unnamed_objects).fill('object'), ...Array(unnamed_checkouts).fill('checkout')];
}

describe.runIf(isCheck)('what a killed run left is removed', () => {
  test.each([false, true])(
    'when nothing is new, and then nothing is looked at any more; with force: %s',
    async (force) => {
      await using host = await StaticHost.start(sites.at('dist-1'));
      const folder = sites.fresh();
      await mirror(host.url, folder);
      host.folder = sites.at('dist-2');
      await killedAt(35, host, folder);
      host.folder = sites.at('dist-1');
      expect((await mirror(host.url, folder, { force })).changed).toBe(force);
      expect(await leftoversIn(folder)).toEqual([]);
      expect(await faultsIn(folder)).toEqual([]);
      mkdirSync(join(folder, 'objects/00'), { recursive: true });
      writeFileSync(join(folder, `objects/00/${'0'.repeat(64)}`), 'not looked at');
      expect(await mirror(host.url, folder)).toMatchObject({ changed: false, requests: 1, deleted: 0 });
      expect(await leftoversIn(folder)).toEqual(['object']);
    },
  );

  test('before the next one, if it occupies the space that this needs', async ({ skip }) => {
    using disk = SmallDisk.mount(8 * 1024 * 1024) ?? skip('this user may not mount');
    await using host = await StaticHost.start(sites.at('dist-1'));
    const folder = join(disk.path, 'mirror');
    await mirror(host.url, folder);
    const { bavail, bsize } = statfsSync(folder);
    mkdirSync(join(folder, 'objects/00'), { recursive: true });
    writeFileSync(join(folder, `objects/00/${'0'.repeat(64)}`), Buffer.alloc(bavail * bsize - 64 * 1024));
    host.folder = sites.at('dist-2');
    await expect(mirror(host.url, folder)).rejects.toThrow(/needs \d+ more bytes/);
    expect(await mirror(host.url, folder)).toMatchObject({ changed: true, pointer: { sequence: 2 } });
    expect(await leftoversIn(folder)).toEqual([]);
    expect(await faultsIn(folder)).toEqual([]);
  });

  test('after the pointer has moved: objects, a checkout, files without an address; but not what readers have', async () => {
    await using host = await StaticHost.start(sites.at('dist-2'));
    const folder = sites.at('killed-while-sweeping');
    await mirror(host.url, folder);
    // A run that mirrors less removes nothing from the current publication.
    const only = ['/v1/brands'];
    await mirror(host.url, folder, { only });
    const before = [...readTree(folder).keys()];
    const { revision } = readSite(folder).pointer;
    const old = join(folder, 'checkouts/11111111-1111-4111-8111-111111111111');
    mkdirSync(old);
    writeFileSync(join(old, 'x'), '');
    writeFileSync(join(folder, `checkouts/${revision}/v1/brands.json.tmp`), '');
    mkdirSync(join(folder, 'objects/00'), { recursive: true });
    writeFileSync(join(folder, `objects/00/${'0'.repeat(64)}.tmp`), '');
    writeFileSync(join(folder, 'mirror.unfinished'), '');
    expect(await mirror(host.url, folder, { only })).toMatchObject({ changed: false, requests: 1 });
    expect(await leftoversIn(folder)).toEqual([]);
    const after = readTree(folder);
    const lost = before.filter((name) => !after.has(name) && !name.startsWith('objects/'));
    expect(lost.filter((name) => name.startsWith(`checkouts/${revision}/`))).toEqual([]);
    expect(await faultsIn(folder)).toEqual([]);
  });
});
