import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build, publishFixtures } from '../build/fixture-series.ts';
import { hasPython, python, pythonNeeds } from '../python/environment.ts';
import { onFiles } from '../research/downloaded-files.ts';
import { RunningServer } from '../serve/running-server.ts';
import { programFile } from '../support/programs.ts';
import { csvOf, Duckdb } from './duckdb-query.ts';
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

/** A block for the server of this test. */
function here(code: string): string {
  return code.replaceAll('127.0.0.1:8080', `${server.host}:${server.port}`);
}

/** Runs a code block with a program in the folder of the downloads, and returns its output. */
function run(program: string, args: readonly string[], code: string): string {
  const file = join(folder, 'block');
  writeFileSync(file, here(code));
  const { status, stdout, stderr } = spawnSync(program, [...args, file], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }, code).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const can = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const shelfpress = [process.execPath, programFile('generator/cli.ts')];

/** Pandas may belong to the system's Python, while another one is first on the path. */
const systemPython = ['python3', '/usr/bin/python3'].find((program) => can(program, '-c', 'import pandas'));

/** A way to run a block, and what must be installed for it. */
type Way = { readonly by: string; readonly isThere: boolean; readonly run: (code: string) => string | Promise<string> };

const overHttp = join(root, 'test/python/duckdb_over_http.py');
const withPackages = (run: Way['run']): Way => ({ by: pythonNeeds, isThere: hasPython, run });

/** The ways to run a block. One with an address of Parquet needs more than one that reads a downloaded file. */
function waysOf({ language, code }: Block): Way[] {
  const isRemote = code.includes('http:');
  switch (language) {
    case 'sh': {
      const isThere = can('curl', '--version') && can('sha256sum', '--version');
      const runs = (text: string) => run('bash', [], text.replace('npm run -s shelfpress --', shelfpress.join(' ')));
      return [{ by: 'curl and sha256sum', isThere, run: runs }];
    }
    case 'sql': {
      const here: Way = { by: 'DuckDB in Node', isThere: true, run: duckdbInNode };
      return isRemote ? [here, withPackages((text) => run(python, [overHttp], text))] : [here];
    }
    case 'python': {
      if (isRemote) return [withPackages((text) => trimmed(run(python, [], text)))];
      const runs = (text: string) => trimmed(run(systemPython ?? '', [], text));
      return [{ by: 'Python with pandas', isThere: systemPython !== undefined, run: runs }];
    }
    case 'r': {
      const isThere = can('Rscript', '-e', 'library(jsonlite)');
      return [{ by: 'R with jsonlite', isThere, run: (text) => run('Rscript', [], text) }];
    }
    default:
      throw new Error(`nothing runs blocks of ${language}`);
  }
}

/** Over HTTP where DuckDB can have its extension, otherwise with the downloaded file in place of the address. */
async function duckdbInNode(code: string): Promise<string> {
  const duckdb = await Duckdb.open(folder);
  const local = here(code);
  return csvOf(await duckdb.query((await duckdb.readsAddresses()) ? local : await onFiles(local, folder)));
}

function trimmed(text: string): string {
  return `${text.trim()}\n`;
}

describe('docs/research.md', () => {
  test('has blocks for all that it promises', () => {
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(['python', 'r', 'sh', 'sql']);
    expect(blocks.filter(({ code }) => code.includes('.parquet')).length).toBeGreaterThanOrEqual(6);
  });

  const runs = blocks.flatMap((block, i) => waysOf(block).map((way) => ({ ...block, ...way, i: i + 1 })));

  test.for(runs)('block $i, $language, by $by', async ({ code, printed, by, isThere, run: runBlock }, { skip }) => {
    skip(!isThere, `${by} is not installed`);
    expect(await runBlock(code)).toBe(printed ?? '');
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
