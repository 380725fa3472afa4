import { parsePath } from '../../generator/contract/paths.ts';
import { readPreviousSite } from '../../generator/site/built-site.ts';
import { Storage } from '../../generator/site/storage.ts';

/** The answers of one kind of address. Bytes are those of their objects, each object once, compressed forms too. */
export type AnswerKind = {
  readonly kind: string;
  readonly answers: number;
  readonly objects: number;
  readonly bytes: number;
};

/** The kinds of answers of a site's current publication, most bytes first, and its route table. */
export function answerKinds(site: string): AnswerKind[] {
  const current = readPreviousSite(new Storage(site));
  if (current === null) throw new Error(`${site}: expected a site, got none`);
  const { routes } = current;
  const counted = new Set<string>();
  const kinds = new Map<string, { kind: string; answers: number; objects: number; bytes: number }>();
  const count = (kind: string, parts: readonly { readonly sha256: string; readonly size: number }[]) => {
    const row = kinds.get(kind) ?? { kind, answers: 0, objects: 0, bytes: 0 };
    kinds.set(kind, row);
    row.answers += 1;
    for (const { sha256, size } of parts) {
      if (counted.has(sha256)) continue;
      counted.add(sha256);
      row.objects += 1;
      row.bytes += size;
    }
  };
  for (const { path, variants = [], ...whole } of routes.values()) {
    count(parsePath(path)?.kind ?? 'unknown', [whole, ...variants]);
  }
  for (const shard of routes.root.shards) count('shards of the route table', [shard]);
  return [...kinds.values()].sort((a, b) => b.bytes - a.bytes);
}
