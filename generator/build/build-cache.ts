import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { parseJson } from '../contract/json.ts';
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
  /** Hash of the inputs of the documents of a product or family, by its id. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** Summaries of sealed segments of the list of all changes, by path. */
  readonly segments: Readonly<Record<string, Summary>>;
};

/**
 * The cache of the last build, whatever its key; null when it cannot be read. A cache with `carried` is of a version
 * that did not mark carried routes in its route tables.
 */
export function readBuildCache(storage: Storage): BuildCache | null {
  const bytes = storage.read(file);
  if (bytes === null) return null;
  // The cache is written after the flush that makes a site safe, so a power failure may damage it. A damaged cache
  // counts as none.
  return parseJson(bytes.toString()) as BuildCache | null;
}

export function writeBuildCache(storage: Storage, cache: BuildCache): void {
  storage.replace(file, Buffer.from(JSON.stringify(cache)));
}

/** Folders with the code that decides what documents say and how they are stored. */
const documentCode = ['build', 'contract', 'database', 'encode', 'model', 'resources', 'site'];

/**
 * The key of the build cache: a hash of the code that makes the documents, the versions of its packages and the base
 * URL.
 */
export function cacheKeyOf(baseUrl: string | null): string {
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  const patterns = documentCode.map((name) => `generator/${name}/**/*.{ts,mjs}`);
  const files = fastGlob.sync([...patterns, 'generator/failure.ts', 'package-lock.json'], { cwd: folder }).sort();
  const texts = files.map((file) => `${file}\0${hash('sha256', readFileSync(folder + file))}`);
  return hash('sha256', [baseUrl ?? '', ...texts].join('\n'));
}
