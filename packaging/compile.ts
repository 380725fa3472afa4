import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleClient } from '../generator/client-bundle.ts';
import { writeSchemas } from '../generator/commands/schema.ts';
import { bundleExplorer } from '../generator/explorer/explorer-bundle.ts';
import { explorerBundleFile } from '../generator/explorer/explorer-files.ts';
import { bundleWorker } from '../generator/hosts/worker-bundle.ts';
import { packageFolder } from '../generator/package-files.ts';

// Makes `lib`, the compiled program of a package, and `schemas`, before `npm pack` reads them.
for (const made of ['lib', 'schemas']) rmSync(new URL(made, packageFolder), { recursive: true, force: true });
const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', packageFolder));
const { status } = spawnSync(process.execPath, [compiler, '--singleThreaded', '-p', 'tsconfig.package.json'], {
  cwd: packageFolder,
  stdio: 'inherit',
});
if (status !== 0) throw new Error('the TypeScript compiler failed');
writeFileSync(new URL('lib/worker.js', packageFolder), await bundleWorker());
await writeClient();
writeFileSync(new URL(explorerBundleFile, packageFolder), JSON.stringify(await bundleExplorer()));
writeSchemas(fileURLToPath(new URL('schemas', packageFolder)));

/** Puts the bundled client in place of its modules. Their types stay. */
async function writeClient(): Promise<void> {
  const folder = new URL('lib/client/', packageFolder);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (/\.js(?:\.map)?$/.test(name)) rmSync(new URL(name, folder));
  }
  for (const { name, text } of await bundleClient()) writeFileSync(new URL(name, folder), text);
}
