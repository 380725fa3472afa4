import { gzipSync } from 'node:zlib';
import { objectPath, parsePath } from '../../contract/paths.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { readPreviousSite } from '../../generator/site/built-site.ts';
import { Storage } from '../../generator/site/storage.ts';

/**
 * The answers of one kind of address. Bytes are those of their objects, each counted once, including compressed forms.
 */
export type AnswerKind = {
  readonly kind: string;
  readonly answers: number;
  readonly objects: number;
  readonly bytes: number;
  /**
   * The gzip size of the first objects, divided by their size. Objects come in the order of their hashes, so these are
   * a sample.
   */
  readonly gzipShare: number;
};

const sampled = 20;

/** The kinds of answers of a site's current publication, most bytes first, and its route table. */
export function answerKinds(site: string): AnswerKind[] {
  const storage = new Storage(site);
  const current = readPreviousSite(storage);
  if (current === null) throw new Error(`${site}: expected a site, got none`);
  const { routes, objects: tableObjects } = current;
  const counted = new Set<string>();
  const kinds = new Map<string, { answers: number; objects: ObjectReference[] }>();
  const count = (kind: string, parts: readonly ObjectReference[]) => {
    const row = kinds.get(kind) ?? { answers: 0, objects: [] };
    kinds.set(kind, row);
    row.answers += 1;
    row.objects.push(...parts.filter(({ sha256 }) => !counted.has(sha256)));
    for (const { sha256 } of parts) counted.add(sha256);
  };
  for (const { path, variants = [], sha256, size } of routes.values()) {
    count(parsePath(path)?.kind ?? 'unknown', [{ sha256, size }, ...variants]);
  }
  for (const sha256 of tableObjects) {
    count('the route table', [{ sha256, size: storage.read(objectPath(sha256))?.length ?? 0 }]);
  }
  const rows = [...kinds].map(([kind, { answers, objects }]) => {
    const sample = objects.slice(0, sampled).map(({ sha256 }) => storage.read(objectPath(sha256)) ?? Buffer.alloc(0));
    const packed = sizeOf(sample.map((bytes) => gzipSync(bytes, { level: 6 })));
    const gzipShare = sample.length === 0 ? 1 : packed / sizeOf(sample);
    const bytes = objects.reduce((sum, { size }) => sum + size, 0);
    return { kind, answers, objects: objects.length, bytes, gzipShare };
  });
  return rows.sort((a, b) => b.bytes - a.bytes);
}

function sizeOf(files: readonly Buffer[]): number {
  return files.reduce((sum, { length }) => sum + length, 0);
}
