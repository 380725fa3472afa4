import { readFileSync } from 'node:fs';
import { isCompiled, packageFolder } from '../../generator/files/package-files.ts';

/** A file of the page for people. `name` is that below `/explorer/`, a hash of the content with an extension. */
export type ExplorerFile = { readonly name: string; readonly text: string };

/**
 * The page for people, as bundled. `script` and `style`: the files that the page loads itself. Other files are loaded by
 * the script when it needs them.
 */
export type ExplorerBundle = {
  readonly script: string;
  readonly style: string;
  /** The other files without which a view cannot be shown, by the first part of its address. */
  readonly views: Readonly<Record<string, readonly string[]>>;
  /** The file of lines behind the maps. */
  readonly outline?: string;
  /** The code of the worker, without what it is told of the page. */
  readonly worker?: string;
  readonly files: readonly ExplorerFile[];
};

/** The file of a package that holds the bundle, below its folder. A clone has none. */
export const explorerBundleFile = 'lib/explorer.json';

let bundled: Promise<ExplorerBundle> | null = null;

/** The page for people. A package has it ready, because it has no bundler. A clone bundles it once a process. */
export function readExplorer(): Promise<ExplorerBundle> {
  bundled ??= isCompiled ? Promise.resolve(readBundle()) : bundle();
  return bundled;
}

function readBundle(): ExplorerBundle {
  return JSON.parse(readFileSync(new URL(explorerBundleFile, packageFolder), 'utf8')) as ExplorerBundle;
}

async function bundle(): Promise<ExplorerBundle> {
  const { bundleExplorer } = await import('./explorer-bundle.ts');
  return bundleExplorer();
}
