import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, root } from '../project/repository.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { type LockEntry, nameAt } from './local-registry.ts';

/* `npm run sbom` says what an installation contains. */

const folder = folderForFile();

type Component = {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  hashes: { alg: string; content: string }[];
};

/** The text of the bill of materials, written into its own folder. */
function billIn(name: string): string {
  const out = join(folder, name);
  mkdirSync(out);
  execFileSync('npm', ['run', '--silent', 'sbom', '--', out], { cwd: root });
  const [file = '', ...others] = readdirSync(out);
  expect([file, others]).toEqual([`shelfpress-${JSON.parse(readText('package.json')).version}.cdx.json`, []]);
  return readFileSync(join(out, file), 'utf8');
}

test('it has each package in an installation with its version and hash, and always the same bytes', () => {
  const text = billIn('first');
  const bill = JSON.parse(text) as {
    metadata: { component: Component };
    components: Component[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
  const { packages } = JSON.parse(readText('package-lock.json')) as {
    packages: Record<string, LockEntry & { dev?: boolean; devOptional?: boolean }>;
  };
  const expected = Object.entries(packages).flatMap(([place, { version, integrity, dev, devOptional }]) => {
    if (place === '' || dev || devOptional) return [];
    const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
    return [`${nameAt(place)}@${version} SHA-512 ${content}`];
  });
  const listed = bill.components.map(
    ({ name, version, hashes }) => `${name}@${version} ${hashes.map(({ alg, content }) => `${alg} ${content}`)}`,
  );
  expect(listed.sort()).toEqual(expected.sort());
  expect(bill.metadata.component).toMatchObject({
    name: 'shelfpress',
    purl: expect.stringMatching(/^pkg:npm\/shelfpress@/),
  });
  const own = bill.dependencies.find(({ ref }) => ref === bill.metadata.component['bom-ref']);
  const direct = Object.keys(JSON.parse(readText('package.json')).dependencies);
  expect(own?.dependsOn.map((ref) => ref.replace(/@[^@]+$/, '')).sort()).toEqual(direct.sort());
  const refs = new Set([bill.metadata.component, ...bill.components].map((component) => component['bom-ref']));
  for (const ref of bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])) expect(refs).toContain(ref);
  expect(billIn('again')).toBe(text);
});
