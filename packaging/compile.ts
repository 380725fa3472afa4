import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorker } from '../generator/hosts/worker-bundle.ts';
import { packageFolder } from '../generator/package-files.ts';

// Makes `lib`, the compiled program of a package, before `npm pack` reads it.
rmSync(new URL('lib', packageFolder), { recursive: true, force: true });
const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', packageFolder));
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.package.json'], {
  cwd: packageFolder,
  stdio: 'inherit',
});
if (status !== 0) throw new Error('the TypeScript compiler failed');
writeFileSync(new URL('lib/worker.js', packageFolder), await bundleWorker());
