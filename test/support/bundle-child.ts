import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundleExplorer } from '../../generator/page/explorer-bundle.ts';

/* Bundles the explorer, and the programs that tests start, into a new folder. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const [, , folder = ''] = process.argv;

/** Programs use the explorer as it was bundled once. A clone would bundle it again in each process. */
const explorerOnce: Plugin = {
  name: 'explorer-once',
  setup({ onLoad }) {
    onLoad({ filter: /explorer-bundle\.ts$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs';
        const file = new URL('explorer.json', import.meta.url);
        export const bundleExplorer = async () => JSON.parse(readFileSync(file, 'utf8'));`,
      loader: 'ts',
    }));
  },
};

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

mkdirSync(folder);
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
writeFileSync(join(folder, 'explorer.json'), JSON.stringify(await bundleExplorer()));
await build({
  absWorkingDir: root,
  entryPoints: ['generator/cli/cli.ts', 'serve.ts', 'test/units/build-child.ts'],
  outdir: folder,
  outbase: root,
  // The bundled explorer is beside the files that programs share.
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // Packages with native or WebAssembly files are loaded from where they are installed.
  external: ['better-sqlite3', 'brotli-wasm', 'esbuild'],
  banner: { js: packagesRequire },
  plugins: [explorerOnce, atTheirSource],
  logLevel: 'silent',
});
