import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readWranglerConfig } from '../../generator/copies/hosts/worker-files.ts';
import { readText, root } from '../project/repository.ts';
import { temporaryFolder } from '../units/fixture-series.ts';

const folder = temporaryFolder();
afterEach(folder.remove);

function run(...args: string[]) {
  const command = [`${root}generator/cli/cli.ts`, 'worker', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('the worker is one module without imports, beside its configuration', () => {
  const out = join(folder.path, 'worker');
  const first = run('--out', out);
  expect([first.status, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toMatch(/worker\.js: \d+ bytes, \d+ compressed\n$/);
  const module = readFileSync(join(out, readWranglerConfig().main), 'utf8');
  expect(module).toMatch(/export\s*\{/);
  expect(module).not.toMatch(/^import\b|\bfrom\s*["']node:/m);
  expect(readFileSync(join(out, 'wrangler.jsonc'), 'utf8')).toBe(readText('templates/worker/wrangler.jsonc'));

  writeFileSync(join(out, 'wrangler.jsonc'), '{}');
  expect(run('--out', out).stdout).toContain(`kept ${join(out, 'wrangler.jsonc')} as it is`);
  expect(readFileSync(join(out, 'wrangler.jsonc'), 'utf8')).toBe('{}');
});

test('it says what it needs, and what is wrong', () => {
  expect(run('--help')).toMatchObject({ status: 0, stderr: '' });
  expect(run()).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--out is missing: add --out worker'),
  });
  expect(run('--into', 'x')).toMatchObject({ status: 2, stdout: '' });
  const file = join(folder.path, 'a-file');
  expect(run('--out', join(root, 'package.json', file))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^shelfpress: .*expected a folder that can be written, got ENOTDIR.*\n$/),
  });
});

test('the page beside it has every binding and variable, and the configuration has no others', () => {
  const names = [...readText('shim/worker/bucket-site.ts').matchAll(/^ {2}readonly ([A-Z_]+)\??:/gm)].map(
    ([, name]) => name,
  );
  const page = readText('templates/worker/README.md');
  expect([...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)).toEqual(names);
  const { r2_buckets, ratelimits, vars } = readWranglerConfig();
  for (const name of [r2_buckets[0].binding, ratelimits[0].name, ...Object.keys(vars)]) expect(names).toContain(name);
});
