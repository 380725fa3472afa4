import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Whether this is the compiled code of a package, below `lib`, and not the TypeScript of a clone, which is run as it is.
 */
export const isCompiled = import.meta.url.endsWith('.js');

/** The URL of the folder with package.json and templates. */
export const packageFolder = new URL(isCompiled ? '../../' : '../', import.meta.url);

/** Folders with the code that decides what documents say and how they are stored. */
const documentCode = ['build', 'contract', 'database', 'encode', 'model', 'resources', 'site'];

/**
 * What all documents depend on beyond the database: a hash of the code that makes them, the versions of its packages and the
 * base URL. A clone and a package of the same version have different keys, and make the same documents.
 */
export function documentKey(baseUrl: string | null): string {
  const texts = isCompiled
    ? [...hashedCode(new URL('lib/', packageFolder)), ...installedVersions()]
    : [...hashedCode(packageFolder), ...hashed(packageFolder, ['package-lock.json'])];
  return hash('sha256', [baseUrl ?? '', ...texts.sort()].join('\n'));
}

function hashedCode(folder: URL): string[] {
  const names = documentCode.flatMap((room) => {
    const files = readdirSync(new URL(`generator/${room}/`, folder), { recursive: true, encoding: 'utf8' });
    return files.map((file) => `${room}/${file}`);
  });
  const code = [...names, `failure.${isCompiled ? 'js' : 'ts'}`].filter((name) => /\.(?:ts|js|json)$/.test(name));
  return hashed(
    folder,
    code.map((name) => `generator/${name}`),
  );
}

function hashed(folder: URL, files: readonly string[]): string[] {
  return files.map((file) => `${file}\0${hash('sha256', readFileSync(fileURLToPath(folder) + file))}`);
}

/**
 * The packages as they are installed beside this one. npm puts no lock file into a package, so each installation may
 * have other versions.
 */
function installedVersions(): string[] {
  const require = createRequire(packageFolder);
  const { dependencies } = readPackage(fileURLToPath(new URL('package.json', packageFolder)));
  return Object.keys(dependencies ?? {}).map((name) => {
    const folders = require.resolve.paths(name) ?? [];
    const file = folders.map((folder) => join(folder, name, 'package.json')).find((candidate) => existsSync(candidate));
    return `${name} ${file === undefined ? '' : readPackage(file).version}`;
  });
}

type Package = { readonly version: string; readonly dependencies?: Readonly<Record<string, string>> };

function readPackage(file: string): Package {
  return JSON.parse(readFileSync(file, 'utf8'));
}
