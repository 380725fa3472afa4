import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build, publishFixtures } from '../build/fixture-series.ts';
import { RunningServer } from '../serve/running-server.ts';
import { programFile } from '../support/programs.ts';
import { duckdbQuery } from './duckdb-query.ts';
import { readText, root } from './repository.ts';

type Block = { readonly language: string; readonly code: string; readonly printed: string | null };

/** Code blocks, each with the block of its output, if one follows. */
const blocks: Block[] = (() => {
  const fences = [...readText('docs/research.md').matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const all = fences.map(([, language = '', code = '']) => ({ language, code }));
  const isOutput = (language: string | undefined) => language === 'csv' || language === 'text';
  return all.flatMap(({ language, code }, i) => {
    const next = all[i + 1];
    return isOutput(language) ? [] : [{ language, code, printed: next && isOutput(next.language) ? next.code : null }];
  });
})();

const folder = mkdtempSync(join(tmpdir(), 'shelfpress-research-'));
let server: RunningServer;

beforeAll(async () => {
  await publishFixtures(join(folder, 'db.sqlite'));
  await build(join(folder, 'db.sqlite'), join(folder, 'dist'));
  server = await RunningServer.start(['--dist', join(folder, 'dist'), '--port', '0']);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a code block with a program in the folder of the downloads, and returns its output. */
function run(program: string, args: readonly string[], code: string): string {
  const local = code.replaceAll('127.0.0.1:8080', `${server.host}:${server.port}`);
  const file = join(folder, 'block');
  writeFileSync(file, local);
  const { status, stdout, stderr } = spawnSync(program, [...args, file], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }, code).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const can = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const shelfpress = [process.execPath, programFile('generator/cli.ts')];

/** Pandas may belong to the system's Python, while another one is first on the path. */
const python = ['python3', '/usr/bin/python3'].find((program) => can(program, '-c', 'import pandas'));

/** By language: how to run a block, and what must be installed for it. */
const runners: Readonly<Record<string, { needs: string; isThere: () => boolean; run: (code: string) => unknown }>> = {
  sh: {
    needs: 'curl and sha256sum',
    isThere: () => can('curl', '--version') && can('sha256sum', '--version'),
    run: (code) => run('bash', [], code.replace('npm run -s shelfpress --', shelfpress.join(' '))),
  },
  sql: { needs: 'DuckDB', isThere: () => true, run: (code) => duckdbQuery(code, folder) },
  python: {
    needs: 'Python with pandas',
    isThere: () => python !== undefined,
    run: (code) =>
      run(python ?? '', [], code)
        .trim()
        .concat('\n'),
  },
  r: {
    needs: 'R with jsonlite',
    isThere: () => can('Rscript', '-e', 'library(jsonlite)'),
    run: (code) => run('Rscript', [], code),
  },
};

describe('docs/research.md', () => {
  test('has blocks for all that it promises', () => {
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(Object.keys(runners).sort());
  });

  test.for(blocks.map((block, i) => ({ ...block, i: i + 1 })))('block $i, $language', async (block, { skip }) => {
    const runner = runners[block.language];
    skip(!runner?.isThere(), `${runner?.needs} is not installed`);
    const printed = await runner?.run(block.code);
    expect(printed).toBe(block.printed ?? '');
  });
});

test('CITATION.cff speaks of this version', () => {
  expect(existsSync(join(root, 'CITATION.cff'))).toBe(true);
  const text = readText('CITATION.cff');
  const fieldOf = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1];
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect([fieldOf('cff-version'), fieldOf('version'), fieldOf('license')]).toEqual(['1.2.0', version, license]);
  for (const required of ['message', 'title']) expect(fieldOf(required)).toBeTruthy();
  expect(text).toMatch(/^authors:\n {2}- name: \S/m);
});
