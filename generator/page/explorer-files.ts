import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { filesDigest, isCompiled, packageFolder } from '../files/package-files.ts';

/** A file of the explorer. `name`: its path below `/explorer/`, which is a hash of the content with an extension. */
export type ExplorerFile = { readonly name: string; readonly text: string };

/** The HTML loads `script` and `style`. The script loads the other files when it needs them. */
export type ExplorerBundle = {
  readonly script: string;
  readonly style: string;
  /** The other files that a view needs, by the first part of its address. */
  readonly views: Readonly<Record<string, readonly string[]>>;
  readonly outline?: string;
  /** The code of the service worker, without the line that tells it about this site. */
  readonly worker?: string;
  readonly files: readonly ExplorerFile[];
};

/** The bundle in a package, relative to its folder. A clone has none. */
export const explorerBundleFile = 'lib/explorer.json';

let bundled: Promise<ExplorerBundle> | null = null;

/** A package contains the bundle, because it has no bundler. A clone bundles once per process. */
export function readExplorer(): Promise<ExplorerBundle> {
  bundled ??= isCompiled ? Promise.resolve(readBundle()) : bundle();
  return bundled;
}

/** A clone's bundle depends on code and on the versions of all packages. */
const explorerSources = ['{explorer,client,contract,shim}/**', 'package-lock.json'];

/** Hashes everything that the explorer is made from, without bundling. */
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
