import { brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleClient, type ClientFile } from '../../generator/client-bundle.ts';
import { readText } from '../project/repository.ts';

/* What a page loads, compared with the table of docs/client.md. */

const core = 'open-site';
const rows = readText('docs/client.md').matchAll(/^\| `([\w-]+)` \| [^|]+ \| (\d+) \|$/gm);
const budgets = [...rows].map(([, part = '', kilobytes]) => [part, Number(kilobytes)] as const);

let files: readonly ClientFile[];
let sizes: ReadonlyMap<string, number>;
beforeAll(async () => {
  files = await bundleClient();
  sizes = new Map(files.map(({ name, text }) => [name, brotliCompressSync(text).length]));
});

/** The module of a part, with all modules that it needs to run. */
function modulesOf(part: string): Set<ClientFile> {
  const first = files.find(({ name }) => name === `${part}.js` || name.startsWith(`${part}-`));
  const found = new Set<ClientFile>();
  const add = (file: ClientFile | undefined) => {
    if (!file) throw new Error(`${part} needs a module that the client does not have`);
    if (found.has(file)) return;
    found.add(file);
    for (const loaded of file.loads) add(files.find(({ name }) => name === loaded));
  };
  add(first);
  return found;
}

/** What a part adds to the core. The setting of schemas is loaded before each. */
function addedBy(part: string): Set<ClientFile> {
  const known = modulesOf(core);
  return new Set([...modulesOf('without-eval'), ...modulesOf(part)].filter((file) => !known.has(file)));
}

function brotliBytes(modules: Iterable<ClientFile>): number {
  return [...modules].reduce((sum, { name }) => sum + (sizes.get(name) ?? 0), 0);
}

test('the table names the core, which has at most 12 KB, and each part that it loads later', () => {
  expect(budgets[0]).toEqual([core, 12]);
  const parts = files.filter(({ name }) => !/^(?:chunk|without-eval)-/.test(name)).map(({ name }) => name);
  expect(budgets.map(([part]) => part).sort()).toEqual(
    parts.map((name) => name.replace(/(?:-\w{8})?\.js$/, '')).sort(),
  );
});

describe.each(budgets)('%s', (part, kilobytes) => {
  test(`has at most ${kilobytes} KB in brotli`, () => {
    expect(brotliBytes(part === core ? modulesOf(core) : addedBy(part))).toBeLessThanOrEqual(kilobytes * 1024);
  });
});

test('the core has no schema in it', () => {
  for (const { name, text } of modulesOf(core)) expect(text, name).not.toContain('safeParse');
});
