import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageFolder } from '../../generator/files/package-files.ts';
import { useTemporaryFolder } from '../../generator/files/temporary-folder.ts';
import { jsonText, productionLock } from './production-lock.ts';

/*
 * Writes a CycloneDX bill of materials, with every package that an installation contains and its hash:
 * `shelfpress-<version>.cdx.json`, in the folder named by the first argument or beside package.json, where `npm pack`
 * puts the package.
 */

const [out = '.'] = process.argv.slice(2);
const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8'));
const file = resolve(out, `${manifest.name}-${manifest.version}.cdx.json`);
writeFileSync(file, jsonText(reproducible(await bill())));
console.log(file);

type Bill = {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly tools?: unknown };
};

/**
 * npm describes a project that has nothing but the production lock. In a clone, `--omit dev` would also leave out
 * packages that the program and its development share.
 */
function bill(): Promise<Bill> {
  return useTemporaryFolder(async (folder) => {
    // npm names the project after its folder.
    const project = join(folder, manifest.name);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), jsonText(manifest));
    writeFileSync(join(project, 'package-lock.json'), jsonText(productionLock()));
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: project, encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
    return JSON.parse(stdout) as Bill;
  });
}

/**
 * Leaves out the serial number and time of this run and the version of npm, which are optional (CycloneDX 1.5). The
 * same lock then gives the same bytes, and anyone can make the file again and compare.
 */
function reproducible({ serialNumber: _, metadata, ...bill }: Bill): object {
  const { timestamp: __, tools: ___, ...kept } = metadata;
  return { ...bill, metadata: kept };
}
