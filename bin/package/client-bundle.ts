import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { packageFolder } from '../../generator/files/package-files.ts';

/** `loads`: the names of the modules that load together with this one. */
export type ClientFile = { readonly name: string; readonly text: string; readonly loads: readonly string[] };

/** ES modules that a browser loads without a bundler: `open-site.js`, and parts that it loads when needed. */
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
