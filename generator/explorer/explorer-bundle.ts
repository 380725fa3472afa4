import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { addressTableValues } from '../client-bundle.ts';
import { packageFolder } from '../package-files.ts';
import type { Explorer, ExplorerFile } from './explorer-files.ts';

const folder = fileURLToPath(packageFolder);
const startFile = 'templates/explorer/start.tsx';

const settings = {
  // Hashes of chunks have paths of modules in them, which must not depend on where the program is started.
  absWorkingDir: folder,
  preserveSymlinks: true,
  entryPoints: [`${folder}${startFile}`],
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  entryNames: '[hash]',
  chunkNames: '[hash]',
  outdir: 'explorer',
  write: false,
  metafile: true,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/**
 * Bundles the page for people: modules of the browsers of the last years, without a source map. Each view is a file, and so
 * is what is drawn or computed later. The same sources and packages make the same bytes.
 */
export async function bundleExplorer(): Promise<Explorer> {
  const apart = await build({ ...settings, plugins: [addressTableValues] });
  const plugins = [addressTableValues, inOneFile(apart.metafile)];
  const { outputFiles, metafile } = await build({ ...settings, plugins });
  const files = withLowerCaseNames(outputFiles.map(({ path, text }) => ({ name: basename(path), text })));
  const script = outputOf(startFile, metafile);
  const style = script && metafile.outputs[script]?.cssBundle;
  if (!script || !style) throw new Error('the bundle lacks its script or its style sheet');
  const nameOf = (path: string) => basename(path).toLowerCase();
  const always = importedBy(script, metafile);
  const filesOf = (path: string) =>
    [path, ...importedBy(path, metafile), ...importedLater(path, metafile)]
      .filter((path) => !always.has(path))
      .map(nameOf);
  const views = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) => {
    const [, view] = /explorer\/views\/(.+)\.tsx$/.exec(entryPoint ?? '') ?? [];
    return view === undefined ? [] : [[view, filesOf(path)] as const];
  });
  const preloads = [...always].map(nameOf);
  return { script: nameOf(script), style: nameOf(style), preloads, views: Object.fromEntries(views), files };
}

function outputOf(source: string, { outputs }: Metafile): string | undefined {
  return Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source);
}

/**
 * Puts what several views share into one file. Else it is in a file for each set of parts that share it, and each file costs
 * a slow phone as much time as several kilobytes. So every part that is loaded later imports all of it. `apart`: the bundle
 * without this.
 */
function inOneFile(apart: Metafile): Plugin {
  const parts = Object.entries(apart.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint ? [{ path, entryPoint }] : [],
  );
  const shared = parts
    .filter(({ entryPoint }) => entryPoint === startFile || /explorer\/views\//.test(entryPoint))
    .flatMap(({ path }) => [...importedBy(path, apart)])
    .filter((path, place, all) => all.indexOf(path) < place);
  const modules = [...new Set(shared)].flatMap((path) => Object.keys(apart.outputs[path]?.inputs ?? {})).sort();
  const entries = new Set(parts.map(({ entryPoint }) => entryPoint));
  return {
    name: 'in-one-file',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^shared-by-views$/ }, ({ path }) => ({ path, namespace: 'explorer' }));
      onLoad({ filter: /.*/, namespace: 'explorer' }, () => ({
        contents: modules.map((path) => `import './${path}';`).join(''),
        resolveDir: folder,
      }));
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        if (!entries.has(relative(folder, path))) return undefined;
        const contents = `${readFileSync(path, 'utf8')}import 'shared-by-views';`;
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
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

/** The files that a file asks for when it runs. */
function importedLater(path: string, { outputs }: Metafile): string[] {
  return outputs[path]?.imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path) ?? [];
}

/** Hosts compare names in any case, so names have one case. The names are hashes, which occur nowhere else in a text. */
function withLowerCaseNames(files: readonly ExplorerFile[]): ExplorerFile[] {
  const names = new RegExp(files.map(({ name }) => name.replace('.', '\\.')).join('|'), 'g');
  return files.map(({ name, text }) => ({
    name: name.toLowerCase(),
    text: text.replace(names, (found) => found.toLowerCase()),
  }));
}
