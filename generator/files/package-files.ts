import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow } from './path-patterns.ts';

/**
 * Whether this is the compiled code of a package, below `lib`, and not the TypeScript of a clone, which runs as it is.
 */
export const isCompiled = import.meta.url.endsWith('.js');

/** The URL of the folder with package.json and templates. */
export const packageFolder = new URL(isCompiled ? '../../../' : '../../', import.meta.url);

/**
 * The source that decides what documents say and how they are stored, and the source that `verify` checks a site with.
 */
const sources = {
  documents: [
    'contract/**/*.{ts,json}',
    'generator/{assembly,catalogs,database,documents,page,site,tables,trust,units}/*.{ts,json}',
    'generator/files/failure.ts',
  ],
  checks: ['contract/**/*.{ts,json}', 'generator/{assembly,catalogs,verify,site,tables,trust,http}/**/*.ts'],
} as const;

/**
 * A hash of everything that all documents depend on besides the database: the code that makes them, the versions of its
 * packages, and the base URL. A clone and the package that was made of it have the same key.
 */
export function documentKey(baseUrl: string | null): string {
  return keyOfCode(baseUrl ?? '', sourceDigest('documents'));
}

/** A hash of the code that checks sites, and of its packages. */
export function checksKey(): string {
  return keyOfCode(sourceDigest('checks'));
}

/** The file in a package with the digests of the source that it was compiled from. */
export const sourceDigestsFile = 'lib/source-digests.json';

/**
 * What identifies the program, whether it is a clone or a package: its version, the SHA-256 of the source that makes
 * documents, and the packages that it uses with their installed versions.
 */
export function programParts() {
  const { version } = readPackage(fileURLToPath(new URL('package.json', packageFolder)));
  return { version, source: sourceDigest('documents'), packages: installedPackages() };
}

/** The SHA-256 of source. Compiling writes the digests of all sources into the package. */
function sourceDigest(of: keyof typeof sources): string {
  if (isCompiled) return JSON.parse(readFileSync(new URL(sourceDigestsFile, packageFolder), 'utf8'))[of];
  return filesDigest(packageFolder, sources[of], (bytes) => withoutComments(bytes.toString()));
}

export function sourceDigests() {
  return { documents: sourceDigest('documents'), checks: sourceDigest('checks') };
}

function keyOfCode(...parts: readonly string[]): string {
  const packages = installedPackages().map(({ name, version }) => `${name} ${version}`);
  return hash('sha256', [...parts, ...packages.sort()].join('\n'));
}

/** A hash of the names and the content of files in a folder. `contentOf`: the part of a file that counts. */
export function filesDigest(
  folder: URL,
  patterns: readonly string[],
  contentOf: (bytes: Buffer) => string | Buffer = (bytes) => bytes,
): string {
  const root = fileURLToPath(folder);
  const lines = filesBelow(root, patterns).map(
    (file) => `${file}\0${hash('sha256', contentOf(readFileSync(join(root, file))))}`,
  );
  return hash('sha256', lines.sort().join('\n'));
}

/**
 * Source without the comments that have lines of their own. Text in a string could look like a comment, so a test
 * checks that a compiler makes the same of the source with and without comments.
 */
export function withoutComments(source: string): string {
  return source.replace(/^[ \t]*(?:\/\*(?:(?!\*\/)[\s\S])*\*\/|\/\/.*)[ \t]*\n/gm, '');
}

/**
 * The packages as they are installed beside this one. npm follows the lock of a package from a registry, but not of one
 * that it installs from a file, so versions can differ between installations.
 */
function installedPackages(): { readonly name: string; readonly version: string }[] {
  const require = createRequire(packageFolder);
  const { dependencies } = readPackage(fileURLToPath(new URL('package.json', packageFolder)));
  return Object.keys(dependencies ?? {}).map((name) => {
    const folders = require.resolve.paths(name) ?? [];
    const file = folders.map((folder) => join(folder, name, 'package.json')).find((candidate) => existsSync(candidate));
    return { name, version: file === undefined ? '' : readPackage(file).version };
  });
}

type Package = { readonly version: string; readonly dependencies?: Readonly<Record<string, string>> };

function readPackage(file: string): Package {
  return JSON.parse(readFileSync(file, 'utf8'));
}
