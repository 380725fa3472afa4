import { appendFileSync, cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutComments } from '../../generator/files/package-files.ts';
import { root } from '../project/repository.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** The locations of files, which no document contains. */
const aboutFilesAlone = [
  'temporary-folder',
  'regular-file',
  'durable-files',
  'file-lock',
  'new-file',
  'package-files',
  'path-patterns',
  'name-patterns',
].map((name) => `generator/files/${name}.ts`);

/** A package that makes bytes. */
const fflate = 'node_modules/fflate/package.json';

/** A copy of the code that builds load, with its packages. `keyOf` computes the ledger key of the copy. */
const folder = temporaryFolder();
let loaded: readonly string[];
let keyOf: (baseUrl: string | null) => string;

/** Bundles a module of the generator for the copy. Returns the files that it loads. */
async function bundle(...modules: string[]): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: modules,
    outdir: join(folder, 'generator/files'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
  });
  return Object.keys(metafile.inputs);
}

beforeAll(async () => {
  loaded = await bundle(
    ...['units/build', 'units/units', 'catalogs/contents', 'page/explorer-unit'].map((name) => `generator/${name}.ts`),
  );
  await bundle('generator/files/package-files.ts');
  for (const file of [...loaded, 'package.json', fflate]) cpSync(join(root, file), join(folder, file));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== 'fflate') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const made = await import(pathToFileURL(join(folder, 'generator/files/package-files.mjs')).href);
  keyOf = made.documentKey;
});
afterAll(() => removeFolder(folder));

describe('the ledger key', () => {
  test('stays the same while nothing changes, and depends on the base URL', () => {
    expect(keyOf(null)).toBe(keyOf(null));
    expect(keyOf('https://stock.example')).not.toBe(keyOf(null));
  });

  test('depends on the packages and on all code of a build', () => {
    // Code counts by folder, so one file of each folder is enough.
    const oneOfEach = [...new Map(loaded.map((file) => [dirname(file), file])).values()];
    const besideFolders = loaded.filter(
      (file) => dirname(file) === 'generator/files' && !aboutFilesAlone.includes(file),
    );
    const changes = new Set([...oneOfEach, ...besideFolders]);
    for (const file of aboutFilesAlone) changes.delete(file);
    expect(changes.size).toBeGreaterThan(8);
    const missed = [...changes].filter((file) => {
      const before = keyOf(null);
      appendFileSync(join(folder, file), '\n');
      return keyOf(null) === before;
    });
    expect(missed).toEqual([]);
    const before = keyOf(null);
    writeFileSync(join(folder, fflate), JSON.stringify({ version: '0.0.0' }));
    expect(keyOf(null)).not.toBe(before);
  });

  test('does not depend on comments, or on code that makes no documents', () => {
    const before = keyOf(null);
    appendFileSync(join(folder, 'generator/units/units.ts'), '// A remark.\n/**\n * Another one.\n */\n');
    appendFileSync(join(folder, 'generator/files/durable-files.ts'), 'export const added = 1;\n');
    expect(keyOf(null)).toBe(before);
  });

  test('counts everything but comments', async () => {
    const compiled = async (source: string) =>
      (await transform(source, { loader: 'ts', minifyWhitespace: true, legalComments: 'none' })).code;
    for (const file of loaded.filter((name) => name.endsWith('.ts'))) {
      const source = readFileSync(join(root, file), 'utf8');
      expect(await compiled(withoutComments(source)), file).toBe(await compiled(source));
      expect(withoutComments(source), file).not.toMatch(/^\s*(?:\/\/|\/\*)/m);
    }
  });
});
