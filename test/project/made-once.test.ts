import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeOnce, madeOnceSync } from '../support/made-once.ts';
import { runFolder } from '../support/temporary-folder.ts';

/* What tests make once: whole or not at all, and whatever happens to the process that makes it. */

test('what one test makes is read by the others', async () => {
  const name = `made-${randomUUID()}`;
  let made = 0;
  const make = async (path: string) => {
    made += 1;
    writeFileSync(path, 'whole');
  };
  const [path = '', other] = await Promise.all([madeOnce(name, make), madeOnce(name, make)]);
  expect([made, other, readFileSync(path, 'utf8')]).toEqual([1, path, 'whole']);
  rmSync(path);
});

test('what failed halfway is made again', async () => {
  const name = `made-${randomUUID()}`;
  const half = madeOnce(name, async (path) => {
    writeFileSync(path, 'half');
    throw new Error('interrupted');
  });
  await expect(half).rejects.toThrow('interrupted');
  const path = madeOnceSync(name, (made) => writeFileSync(made, 'whole'));
  expect(readFileSync(path, 'utf8')).toBe('whole');
  rmSync(path);
});

test('a process that died while it made something is no obstacle', () => {
  const name = `made-${randomUUID()}`;
  const { pid } = spawnSync(process.execPath, ['--version']);
  symlinkSync(String(pid), join(runFolder(), `${name}.lock`));
  const path = madeOnceSync(name, (made) => writeFileSync(made, 'whole'));
  expect(existsSync(join(runFolder(), `${name}.lock`))).toBe(false);
  rmSync(path);
});
