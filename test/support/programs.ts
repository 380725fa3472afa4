import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExplorerBundle } from '../../generator/page/explorer-files.ts';
import { madeOnceSync } from './made-once.ts';

/** Programs that tests start in their own processes, some of them dozens of times. */
type Program = 'generator/cli/cli.ts' | 'serve.ts' | 'test/units/build-child.ts';

/** The bundled program. It starts twice as fast as its modules, which Node reads one by one. */
export function programFile(source: Program): string {
  return join(bundled(), source.replace(/\.ts$/, '.js'));
}

/** The explorer, bundled once. */
export function bundledExplorer(): ExplorerBundle {
  return JSON.parse(readFileSync(join(bundled(), 'explorer.json'), 'utf8'));
}

/** Bundles everything in a process of its own, because those who start programs do not wait. */
function bundled(): string {
  const bundle = fileURLToPath(new URL('bundle-child.ts', import.meta.url));
  return madeOnceSync('programs', (folder) => execFileSync(process.execPath, [bundle, folder]));
}
