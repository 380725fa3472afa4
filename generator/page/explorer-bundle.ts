import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { packageFolder } from '../files/package-files.ts';
import type { ExplorerBundle, ExplorerFile } from './explorer-files.ts';

const folder = fileURLToPath(packageFolder);
const startFile = 'explorer/start.tsx';
const styleFile = 'explorer/style.css';
const workerFile = 'explorer/site/service-worker.ts';

const settings = {
  // Hashes of chunks depend on module paths, which must not depend on the working directory.
  absWorkingDir: folder,
  preserveSymlinks: true,
  entryPoints: [startFile, styleFile].map((name) => folder + name),
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
 * Bundles the explorer for recent browsers, without a source map. One file starts the explorer and holds what all views
 * need. Each view is a file, and so is everything that is drawn or computed later. The same sources and packages always
 * give the same bytes.
 */
export async function bundleExplorer(): Promise<ExplorerBundle> {
  const apart = await build(settings);
  const plugins = [inOneFile(apart.metafile)];
  const { outputFiles, metafile } = await build({ ...settings, plugins });
  const entry = outputFor(startFile, metafile) ?? '';
  const style = outputFor(styleFile, metafile);
  const [script, ...others] = importedBy(entry, metafile);
  if (!script || !style || others.length > 0)
    throw new Error('expected a style sheet and one file that starts the explorer');
  const nameOf = (path: string) => basename(path).toLowerCase();
  const views = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) => {
    const [, view] = /explorer\/views\/(.+)\.tsx$/.exec(entryPoint ?? '') ?? [];
    const files = [path, ...importedBy(path, metafile)].filter((path) => path !== script);
    return view === undefined ? [] : [[view, files.map(nameOf)] as const];
  });
  // The entry only imports the file that starts the explorer.
  const needed = outputFiles.filter(({ path }) => basename(path) !== basename(entry));
  const files = withLowerCaseNames(needed.map(({ path, text }) => ({ name: basename(path), text })));
  const worker = await bundleWorker();
  return { script: nameOf(script), style: nameOf(style), views: Object.fromEntries(views), worker, files };
}

/** The service worker shares nothing with the explorer at run time, so it is a script of its own. */
async function bundleWorker(): Promise<string> {
  const entryPoints = [folder + workerFile];
  const { outputFiles } = await build({ ...settings, entryPoints, splitting: false, format: 'iife' });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('expected the service worker as one file');
  return file.text;
}

function outputFor(source: string, { outputs }: Metafile): string | undefined {
  return Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source);
}

/**
 * Puts the start code and everything that several views share into one file, which every later part imports. Otherwise
 * esbuild makes a file for each set of parts that share something, and each file costs a slow phone as much time as
 * several kilobytes. `apart`: the bundle without this plugin.
 */
function inOneFile(apart: Metafile): Plugin {
  const parts = Object.entries(apart.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint ? [{ path, entryPoint }] : [],
  );
  const shared = parts
    .filter(({ entryPoint }) => entryPoint === startFile || /explorer\/views\//.test(entryPoint))
    .flatMap(({ path }) => [...importedBy(path, apart)])
    .filter((path, at, all) => all.indexOf(path) < at);
  const inputs = [...new Set(shared)].flatMap((path) => Object.keys(apart.outputs[path]?.inputs ?? {}));
  const modules = [...inputs.sort(), startFile];
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

/** Direct and indirect imports, in the order of their first import. */
function importedBy(path: string, metafile: Metafile, found = new Set<string>()): Set<string> {
  for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(imported)) continue;
    found.add(imported);
    importedBy(imported, metafile, found);
  }
  return found;
}

/** Some hosts ignore case in names, so names are in lower case. Hashes occur nowhere else, so replacing is safe. */
function withLowerCaseNames(files: readonly ExplorerFile[]): ExplorerFile[] {
  const names = new RegExp(files.map(({ name }) => name.replace('.', '\\.')).join('|'), 'g');
  return files.map(({ name, text }) => ({
    name: name.toLowerCase(),
    text: text.replace(names, (found) => found.toLowerCase()),
  }));
}
