import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { filesDigest, isCompiled, packageFolder } from '../files/package-files.ts';

/** A file of the explorer. `name`: its name below `/explorer/`, a hash of the content with an extension. */
export type ExplorerFile = { readonly name: string; readonly text: string };

/**
 * The bundled explorer. `script` and `style` are the files that its HTML loads. The script loads the others when it
 * needs them.
 */
export type ExplorerBundle = {
  readonly script: string;
  readonly style: string;
  /** The other files that a view needs, by the first part of its address. */
  readonly views: Readonly<Record<string, readonly string[]>>;
  /** The file with the outline behind the maps. */
  readonly outline?: string;
  /** The code of the service worker, without the line that tells it about this site. */
  readonly worker?: string;
  readonly files: readonly ExplorerFile[];
};

/** The file with the bundle in a package, relative to its folder. A clone has none. */
export const explorerBundleFile = 'lib/explorer.json';

let bundled: Promise<ExplorerBundle> | null = null;

/** The explorer. A package contains it, because it has no bundler. A clone bundles it once per process. */
export function readExplorer(): Promise<ExplorerBundle> {
  bundled ??= isCompiled ? Promise.resolve(readBundle()) : bundle();
  return bundled;
}

/** What the explorer of a clone is bundled from: code, and the versions of all packages. */
const explorerSources = ['{explorer,client,contract,shim}/**', 'package-lock.json'];

/** A hash of everything that the explorer is made from. It takes no bundler. */
export function explorerDigest(): string {
  if (isCompiled) return hash('sha256', readFileSync(new URL(explorerBundleFile, packageFolder)));
  return filesDigest(packageFolder, explorerSources);
}

function readBundle(): ExplorerBundle {
  return JSON.parse(readFileSync(new URL(explorerBundleFile, packageFolder), 'utf8')) as ExplorerBundle;
}

async function bundle(): Promise<ExplorerBundle> {
  const { bundleExplorer } = await import('./explorer-bundle.ts');
  return bundleExplorer();
}
