import { symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { bundleExplorer } from '../../generator/page/explorer-bundle.ts';
import { programs } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Bundles the programs that tests start, once for all tests, and again when files change in watch mode. */
export async function setup(project: TestProject): Promise<void> {
  const folder = temporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const bundle = async () => {
    writeFileSync(join(folder, 'explorer.json'), JSON.stringify(await bundleExplorer()));
    await build({
      absWorkingDir: root,
      entryPoints: [...programs],
      outdir: folder,
      outbase: root,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      // Packages with native or WebAssembly files are loaded from where they are installed.
      external: ['better-sqlite3', 'brotli-wasm', 'esbuild'],
      banner: { js: packagesRequire },
      plugins: [explorerOf(join(folder, 'explorer.json')), atTheirSource],
      logLevel: 'silent',
    });
  };
  await bundle();
  project.onTestsRerun(bundle);
  project.provide('programs', folder);
}

/** Programs use the explorer as it was bundled once. A clone would bundle it again in each process. */
function explorerOf(file: string): Plugin {
  return {
    name: 'explorer-once',
    setup({ onLoad }) {
      onLoad({ filter: /explorer-bundle\.ts$/ }, () => ({
        contents: `import { readFileSync } from 'node:fs';
          export const bundleExplorer = async () => JSON.parse(readFileSync(${JSON.stringify(file)}, 'utf8'));`,
        loader: 'ts',
      }));
    },
  };
}

/** Bundled CommonJS packages load Node's modules with `require`. */
const packagesRequire = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;

/**
 * Modules find files beside them, such as threads, fixtures and the files of the basis, by the path of their source.
 */
const atTheirSource: Plugin = {
  name: 'at-their-source',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.includes('/node_modules/')) return null;
      const text = await readFile(path, 'utf8');
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
    });
  },
};
