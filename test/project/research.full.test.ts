import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onFiles } from '../research/downloaded-files.ts';
import { RunningServer } from '../serve/running-server.ts';
import { needing, program } from '../support/installed-programs.ts';
import { programFile } from '../support/programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { csvOf, Duckdb } from './duckdb-query.ts';
import { readText, root } from './repository.ts';

type Block = { readonly language: string; readonly code: string; readonly printed: string };

/** Code blocks, each with the block of its output, if one follows. */
const blocks: Block[] = (() => {
  const fences = readText('docs/research.md').matchAll(
    /^```(?!csv|text)(\w+)\n(.*?)^```$(?:\n+```(?:csv|text)\n(.*?)^```$)?/gms,
  );
  return [...fences].map(([, language = '', code = '', printed = '']) => ({ language, code, printed }));
})();

const folder = temporaryFolder();
let server: RunningServer;

beforeAll(async () => {
  await copyBuiltFixtures(join(folder, 'dist'), 12);
  server = await RunningServer.start([join(folder, 'dist'), '--port', '0']);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  removeFolder(folder);
});

/** A block, changed to use the server of this test. */
function here(code: string): string {
  return code.replaceAll('127.0.0.1:8080', `${server.host}:${server.port}`);
}

/** Runs a code block with a program in the folder of the downloads, and returns its output. */
function run(by: string, args: readonly string[], code: string): string {
  const file = join(folder, 'block');
  writeFileSync(file, here(code));
  const once = () => spawnSync(by, [...args, file], { cwd: folder, encoding: 'utf8' });
  const first = once();
  // About once in a thousand runs, pyarrow aborts Python while it exits, after everything was printed.
  const { status, stdout, stderr } = first.signal === 'SIGABRT' && code.includes('pyarrow') ? once() : first;
  expect({ status, stderr }, code).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const shelfpress = [process.execPath, programFile('generator/cli/cli.ts')];

/** A way to run a block, and what must be installed for it. */
type Way = { readonly by: string; readonly needed: string[]; readonly run: (code: string) => string | Promise<string> };

const overHttp = join(root, 'test/python/duckdb_over_http.py');
const prepared = 'Python with the packages of test/python/install.sh';

function byProgram(by: string, args: readonly string[] = []): Way {
  return { by, needed: [by], run: (code) => run(program(by), args, code) };
}

/** The ways to run a block. One with the address of a Parquet file needs more than one that reads a downloaded file. */
function waysOf({ language, code }: Block): Way[] {
  const isRemote = code.includes('http:');
  switch (language) {
    case 'sh': {
      const runs = (text: string) => run('bash', [], text.replace(/^shelfpress /m, `${shelfpress.join(' ')} `));
      return [{ by: 'curl', needed: ['curl'], run: runs }];
    }
    case 'sql': {
      const here: Way = { by: 'DuckDB in Node', needed: [], run: duckdbInNode };
      return isRemote ? [here, byProgram(prepared, [overHttp])] : [here];
    }
    case 'python': {
      const python = byProgram(isRemote ? prepared : 'Python with pandas');
      return [{ ...python, run: async (text) => `${(await python.run(text)).trim()}\n` }];
    }
    case 'r':
      return [byProgram('R with jsonlite')];
    default:
      throw new Error(`nothing runs blocks of ${language}`);
  }
}

/**
 * Runs a query on the downloaded file instead of its address, because DuckDB would download an extension to read that.
 */
async function duckdbInNode(code: string): Promise<string> {
  const duckdb = await Duckdb.open(folder);
  return csvOf(await duckdb.query(await onFiles(here(code), folder)));
}

describe('docs/research.md', () => {
  test('has blocks for everything that it promises', () => {
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(['python', 'r', 'sh', 'sql']);
    expect(blocks.filter(({ code }) => code.includes('.parquet')).length).toBeGreaterThanOrEqual(6);
  });

  const runs = blocks.flatMap((block, i) => waysOf(block).map((way) => ({ ...block, ...way, i: i + 1 })));

  for (const { i, language, code, printed, by, needed, run: runBlock } of runs) {
    test(`block ${i}, ${language}, by ${by}`, needing(...needed), async () => {
      expect(await runBlock(code)).toBe(printed);
    });
  }
});

test('CITATION.cff names this version', () => {
  const text = readText('CITATION.cff');
  const fieldOf = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1];
  const { version, license } = JSON.parse(readText('package.json'));
  expect([fieldOf('cff-version'), fieldOf('version'), fieldOf('license')]).toEqual(['1.2.0', version, license]);
  for (const required of ['message', 'title']) expect(fieldOf(required)).toBeTruthy();
  expect(text).toMatch(/^authors:\n {2}- name: \S/m);
});
