import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import * as addressTable from '../../client/address-table.ts';
import { packageFolder } from '../../generator/files/package-files.ts';

/**
 * Puts the values of `client/address-table.ts` in place of the module. The table of addresses stays the one place that
 * names them, and a bundle does not load the schemas beside them. For every bundle that has the client in it.
 */
export const addressTableValues: Plugin = {
  name: 'address-table-values',
  setup({ onLoad }) {
    const constants = Object.entries(addressTable).map(
      ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
    );
    onLoad({ filter: /[\\/]client[\\/]address-table\.[jt]s$/ }, () => ({
      contents: constants.join('\n'),
      loader: 'js',
    }));
  },
};

/** A file of the bundled client. `loads`: the modules that it loads at once, as its imports name them. */
export type ClientFile = { readonly name: string; readonly text: string; readonly loads: readonly string[] };

/**
 * The client as ES modules that a browser loads without a bundler: `open-site.js`, and the parts that it loads when
 * they are used.
 */
export async function bundleClient(): Promise<ClientFile[]> {
  const folder = fileURLToPath(new URL('client', packageFolder));
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [`${folder}/open-site.ts`],
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    legalComments: 'eof',
    plugins: [addressTableValues],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  return outputFiles.map(({ path, text }) => {
    const name = path.slice(folder.length + 1);
    const imports = metafile.outputs[name]?.imports ?? [];
    return { name, text, loads: imports.flatMap(({ kind, path }) => (kind === 'dynamic-import' ? [] : [path])) };
  });
}
