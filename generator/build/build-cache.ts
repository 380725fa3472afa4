import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { isJsonObject, parseJson } from '../contract/json.ts';
import { isCompiled, packageFolder } from '../package-files.ts';
import type { Summary } from '../resources/page-index.ts';
import type { Storage } from '../site/storage.ts';

const file = 'build-cache.json';

/**
 * Data that one build leaves for the next, so that the next need not make every document anew. Only builds read it. It
 * is never served and is safe to delete: without it a build makes everything and gets the same bytes.
 */
export type BuildCache = {
  /**
   * Identifies what documents depend on beyond the database: code, packages, options. A cache with another key is of no
   * use.
   */
  readonly key: string;
  /** SHA-256 of the root of the route table that the build made. */
  readonly table: string;
  /** Hash of the inputs that the documents of all products share. */
  readonly common: string;
  /** Hash of the inputs of the documents of a product or family, by its id. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** Summaries of sealed segments of the list of all changes, by path. */
  readonly segments: Readonly<Record<string, Summary>>;
};

/**
 * The cache of the last build: `cache`, null when it has another key or cannot be read. `hasCarried`: it is of a version that
 * did not mark carried routes in its route tables.
 */
export function readBuildCache(storage: Storage, key: string): { cache: BuildCache | null; hasCarried: boolean } {
  const bytes = storage.read(file);
  // The cache is written after the flush that makes a site safe, so a power failure may damage it. A damaged cache
  // counts as none.
  const value = bytes && parseJson(bytes.toString());
  const fields: Partial<Record<string, unknown>> = isJsonObject(value) ? value : {};
  return { cache: isCache(fields) && fields.key === key ? fields : null, hasCarried: 'carried' in fields };
}

function isCache(fields: Partial<Record<string, unknown>>): fields is BuildCache {
  const { key, table, common, fingerprints, segments } = fields;
  return (
    [key, table, common].every((field) => typeof field === 'string') && [fingerprints, segments].every(isJsonObject)
  );
}

export function writeBuildCache(storage: Storage, cache: BuildCache): void {
  storage.replace(file, Buffer.from(JSON.stringify(cache)));
}

/** Folders with the code that decides what documents say and how they are stored. */
const documentCode = ['build', 'contract', 'database', 'encode', 'model', 'resources', 'site'];

/**
 * The key of the build cache: a hash of the code that makes the documents, the versions of its packages and the base
 * URL. A clone and a package of the same version have different keys, and make the same documents.
 */
export function cacheKeyOf(baseUrl: string | null): string {
  const texts = isCompiled
    ? [...hashedFiles(new URL('lib/', packageFolder), 'js'), ...installedVersions()]
    : [...hashedFiles(packageFolder, '{ts,mjs}'), ...hashed(packageFolder, ['package-lock.json'])];
  return hash('sha256', [baseUrl ?? '', ...texts.sort()].join('\n'));
}

function hashedFiles(folder: URL, extension: string): string[] {
  const patterns = documentCode.map((name) => `generator/${name}/**/*.${extension}`);
  const failure = `generator/failure.${extension}`;
  return hashed(folder, fastGlob.sync([...patterns, failure], { cwd: fileURLToPath(folder) }));
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
