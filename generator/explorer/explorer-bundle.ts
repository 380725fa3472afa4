import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { addressTableValues } from '../client-bundle.ts';
import { packageFolder } from '../package-files.ts';
import type { Explorer, ExplorerFile } from './explorer-files.ts';

const folder = fileURLToPath(packageFolder);

/**
 * Bundles the page for people: modules of the browsers of the last years, without a source map. What is drawn or computed
 * later is a file of its own. The same sources and packages make the same bytes.
 */
export async function bundleExplorer(): Promise<Explorer> {
  const { outputFiles, metafile } = await build({
    // Hashes of chunks have paths of modules in them, which must not depend on where the program is started.
    absWorkingDir: folder,
    preserveSymlinks: true,
    entryPoints: [`${folder}templates/explorer/main.tsx`],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    plugins: [addressTableValues],
    legalComments: 'none',
    entryNames: '[hash]',
    chunkNames: '[hash]',
    outdir: 'explorer',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const files = withLowerCaseNames(outputFiles.map(({ path, text }) => ({ name: basename(path), text })));
  const made = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx'));
  if (made?.[1].cssBundle === undefined) throw new Error('the bundle lacks its script or its style sheet');
  const nameOf = (path: string) => basename(path).toLowerCase();
  const preloads = [...importedBy(made[0], metafile)].map(nameOf);
  return { script: nameOf(made[0]), style: nameOf(made[1].cssBundle), preloads, files };
}

/** The files without which a file of the bundle cannot run, in the order in which they are first named. */
function importedBy(path: string, metafile: Metafile, found = new Set<string>()): Set<string> {
  for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(imported)) continue;
    found.add(imported);
    importedBy(imported, metafile, found);
  }
  return found;
}

/** Hosts compare names in any case, so names have one case. The names are hashes, which occur nowhere else in a text. */
function withLowerCaseNames(files: readonly ExplorerFile[]): ExplorerFile[] {
  const names = new RegExp(files.map(({ name }) => name.replace('.', '\\.')).join('|'), 'g');
  return files.map(({ name, text }) => ({
    name: name.toLowerCase(),
    text: text.replace(names, (found) => found.toLowerCase()),
  }));
}
