import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { bundleClient, type ClientFile } from '../../generator/client-bundle.ts';

/** What an app loads before its first search, comparison, selection or proof. */
const mostCoreBytes = 12 * 1024;

let files: ClientFile[];
beforeAll(async () => {
  files = await bundleClient();
});

const textOf = (name: string) => files.find((file) => file.name === name)?.text ?? '';

/** A module with everything that it imports before it runs. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  seen.add(name);
  for (const [, imported = ''] of textOf(name).matchAll(/\b(?:import|export)\b[^()'"]*?"\.\/([^"]+)"/g)) {
    if (!seen.has(imported)) withImports(imported, seen);
  }
  return seen;
}

test('the core is small, and has no schema in it', () => {
  const core = [...withImports('open-site.js')];
  const bytes = core.map((name) => brotliCompressSync(textOf(name)).length).reduce((sum, size) => sum + size);
  expect(bytes).toBeLessThanOrEqual(mostCoreBytes);
  for (const name of core) expect(textOf(name), name).not.toContain('safeParse');
});

test('it is complete: no module imports a package', () => {
  for (const { name, text } of files) {
    const imported = [...text.matchAll(/\b(?:from|import)\s*\(?"([^"]+)"/g)].map(([, target]) => target);
    expect(
      imported.filter((target) => !target?.startsWith('./')),
      name,
    ).toEqual([]);
  }
});
