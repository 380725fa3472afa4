import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wings } from '../../generator/assembly/wings.ts';
import { writeSchemas } from '../../generator/cli/schema.ts';
import { bundleWorker } from '../../generator/copies/hosts/worker-bundle.ts';
import { packageFolder, sourceDigests, sourceDigestsFile } from '../../generator/files/package-files.ts';
import { bundleClient } from './client-bundle.ts';
import { jsonText, productionLock } from './production-lock.ts';

// Makes `lib` (the compiled program), `schemas` and the shrinkwrap before `npm pack` reads them.
for (const made of ['lib', 'schemas']) rmSync(new URL(made, packageFolder), { recursive: true, force: true });
const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', packageFolder));
const { status } = spawnSync(process.execPath, [compiler, '--singleThreaded', '-p', 'tsconfig.package.json'], {
  cwd: packageFolder,
  stdio: 'inherit',
});
if (status !== 0) throw new Error('the TypeScript compiler failed');
writeFileSync(new URL('lib/worker.js', packageFolder), await bundleWorker());
keepClientTypes(fileURLToPath(new URL('lib/', packageFolder)));
await writeClient();
for (const { makePackageFiles } of wings) {
  for (const [name, text] of (await makePackageFiles?.()) ?? []) writeFileSync(new URL(name, packageFolder), text);
}
writeFileSync(new URL(sourceDigestsFile, packageFolder), JSON.stringify(sourceDigests()));
writeSchemas(fileURLToPath(new URL('schemas', packageFolder)));
// This comes last, because as long as the shrinkwrap exists, npm reads it instead of the lock.
writeFileSync(new URL('npm-shrinkwrap.json', packageFolder), jsonText(productionLock()));

/** Replaces the client's compiled modules by their bundles. The modules' types stay. */
async function writeClient(): Promise<void> {
  const folder = new URL('lib/client/', packageFolder);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.js')) rmSync(new URL(name, folder));
  }
  for (const { name, text } of await bundleClient()) writeFileSync(new URL(name, folder), text);
}

/** Users import only the client's types from the package. */
function keepClientTypes(lib: string): void {
  const kept = new Set<string>();
  const keep = (file: string) => {
    if (kept.has(file)) return;
    kept.add(file);
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/['"](\.{1,2}\/[^'"]+)\.[jt]s['"]/g)) {
      keep(`${resolve(dirname(file), target)}.d.ts`);
    }
  };
  keep(join(lib, 'client/open-site.d.ts'));
  for (const name of readdirSync(lib, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.d.ts') && !kept.has(join(lib, name))) rmSync(join(lib, name));
  }
}
