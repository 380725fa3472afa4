import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import { filesDigest } from '../../generator/files/package-files.ts';
import { removeFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The {@link codeKey} at the start of the run. */
    codeKey: string;
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where tests keep what they make once: a folder for each key. `npm ci` removes it. */
export const keptFolder = join(root, 'node_modules/.cache/shelfpress-tests');

/** For how many versions of the code it is kept, such as those of a few branches. */
const keptVersions = 4;

/** The program, its fixtures, and what tests make of them. */
const sources = [
  '{bin,client,contract,explorer,fixtures,generator,shim,templates}/**',
  'test/{support,units}/**',
  'serve.ts',
  'package.json',
];

/**
 * A hash of everything that decides what tests make once: code, fixtures, installed packages, the version of Node, and
 * the folder of the clone, as bundled programs have its path.
 */
export function codeKey(): string {
  const parts = [process.version, root, filesDigest(pathToFileURL(root), sources), packagesKey()];
  return hash('sha256', parts.join('\n')).slice(0, 16);
}

/** A hash of the installed packages. */
export function packagesKey(): string {
  return hash('sha256', readFileSync(join(root, 'node_modules/.package-lock.json'))).slice(0, 16);
}

/** Tells the tests the key, again when files change in watch mode, and removes what has the oldest keys. */
export function setup(project: TestProject): void {
  const provide = () => {
    const key = codeKey();
    const folder = join(keptFolder, key);
    mkdirSync(folder, { recursive: true });
    utimesSync(folder, new Date(), new Date());
    project.provide('codeKey', key);
  };
  provide();
  project.onTestsRerun(provide);
  removeOldVersions();
}

function removeOldVersions(): void {
  const age = (name: string) => statSync(join(keptFolder, name)).mtimeMs;
  const newestFirst = readdirSync(keptFolder).sort((a, b) => age(b) - age(a));
  for (const name of newestFirst.slice(keptVersions)) removeFolder(join(keptFolder, name));
}
