import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { bundleClient, type ClientFile } from '../../generator/client-bundle.ts';

/** What an app loads before its first search, comparison, selection or proof. */
const mostCoreBytes = 12 * 1024;

let files: ClientFile[];
beforeAll(async () => {
  files = await bundleClient();
});

const fileAt = (name: string) => {
  const file = files.find((one) => one.name === name);
  if (!file) throw new Error(`the client has no module ${name}`);
  return file;
};

/** A module with all modules that it needs to run. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  seen.add(name);
  for (const imported of fileAt(name).loads) if (!seen.has(imported)) withImports(imported, seen);
  return seen;
}

test('the core is small, and has no schema in it', () => {
  const core = [...withImports('open-site.js')].map(fileAt);
  const bytes = core.map(({ text }) => brotliCompressSync(text).length).reduce((sum, size) => sum + size);
  expect(bytes).toBeLessThanOrEqual(mostCoreBytes);
  for (const { name, text } of core) expect(text, name).not.toContain('safeParse');
});

test('it is complete: its modules import no other', () => {
  for (const { name } of files) expect([...withImports(name)].map(fileAt).length, name).toBeGreaterThan(0);
});
