import { readFileSync } from 'node:fs';
import { packageFolder } from '../../generator/files/package-files.ts';

type Entry = { readonly dev?: boolean; readonly devOptional?: boolean; readonly devDependencies?: unknown };
type Lock = { readonly packages: Readonly<Record<string, Entry>> };

/**
 * The lock of a clone without development packages. As `npm-shrinkwrap.json` in the package, it makes npm install
 * exactly these versions and hashes. Optional peers are development dependencies here, so that no user gets them
 * unasked.
 */
export function productionLock(): Lock {
  const lock: Lock = JSON.parse(readFileSync(new URL('package-lock.json', packageFolder), 'utf8'));
  const packages = Object.entries(lock.packages)
    // The types of Node are for development only. They are marked as `devOptional`, because they are also an optional
    // peer of the package that asks questions.
    .filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
    .map(([place, { devDependencies: _, ...entry }]) => [place, entry]);
  return { ...lock, packages: Object.fromEntries(packages) };
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
