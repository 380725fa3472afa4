import { readFileSync } from 'node:fs';
import { isCompiled, packageFolder } from '../package-files.ts';
import type { Explorer } from '../resources/explorer-page.ts';

/** The file of a package that holds the bundle, below its folder. A clone has none. */
export const explorerBundleFile = 'lib/explorer.json';

let bundled: Promise<Explorer> | null = null;

/** The page for people. A package has it ready, because it has no bundler. A clone bundles it once a process. */
export function readExplorer(): Promise<Explorer> {
  bundled ??= isCompiled ? Promise.resolve(readBundle()) : bundle();
  return bundled;
}

function readBundle(): Explorer {
  return JSON.parse(readFileSync(new URL(explorerBundleFile, packageFolder), 'utf8')) as Explorer;
}

async function bundle(): Promise<Explorer> {
  const { bundleExplorer } = await import('./explorer-bundle.ts');
  return bundleExplorer();
}
