import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { parseJson } from '../contract/json.ts';
import type { Summary } from '../resources/page-index.ts';
import type { Storage } from '../site/storage.ts';

const file = 'build-cache.json';

/**
 * What one build leaves for the next so that it need not make every document anew. Private to building, never served,
 * and safe to delete: without it a build makes everything and finds the same bytes.
 */
export type BuildCache = {
  /** What documents depend on beyond the database: code, packages, options. A cache with another key is of no use. */
  readonly key: string;
  /** What went into the documents of a product or family when they were made, by its id. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** Summaries of sealed segments of the list of all changes, by path. */
  readonly segments: Readonly<Record<string, Summary>>;
};

/**
 * What the last build left, whatever its key; null where nothing can be read. One with `carried` is of a version that did
 * not mark in its route tables what it kept for readers under way.
 */
export function readBuildCache(storage: Storage): BuildCache | null {
  const bytes = storage.read(file);
  if (bytes === null) return null;
  // It is written after the flush that makes a site safe: what a power failure left of it is as good as none.
  return parseJson(Buffer.from(bytes).toString()) as BuildCache | null;
}

export function writeBuildCache(storage: Storage, cache: BuildCache): void {
  storage.replace(file, Buffer.from(JSON.stringify(cache)));
}

/** Folders with the code that decides what documents say and how they are stored. */
const documentCode = ['build', 'contract', 'database', 'encode', 'model', 'resources', 'site'];

/** What documents depend on beyond the database: the code that makes them, the versions of its packages, the base URL. */
export function cacheKeyOf(baseUrl: string | null): string {
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  const patterns = documentCode.map((name) => `generator/${name}/**/*.{ts,mjs}`);
  const files = fastGlob.sync([...patterns, 'generator/failure.ts', 'package-lock.json'], { cwd: folder }).sort();
  const texts = files.map((file) => `${file}\0${hash('sha256', readFileSync(folder + file))}`);
  return hash('sha256', [baseUrl ?? '', ...texts].join('\n'));
}
