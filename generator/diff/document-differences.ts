import type { AddressKind } from '../contract/addresses.ts';
import type { Route } from '../contract/formats/site.ts';
import { parsePath } from '../contract/paths.ts';
import type { SideTable } from './side.ts';

/** An address that only one site has, or whose bytes differ. */
export type DocumentDifference = {
  readonly change: 'added' | 'removed' | 'changed';
  readonly kind: AddressKind | null;
  readonly path: string;
};

/**
 * Compares the addresses of two sites by the hashes in their route tables, sorted by path. Reads only shards that
 * differ, and no answer.
 */
export async function documentDifferences(a: SideTable, b: SideTable): Promise<DocumentDifference[]> {
  if (a.reference.sha256 === b.reference.sha256) return [];
  const before = new Map<string, Route>();
  for (const route of await a.routes(shardsToRead(a, b))) before.set(route.path, route);
  const found: DocumentDifference[] = [];
  const add = (change: DocumentDifference['change'], path: string) =>
    found.push({ change, kind: parsePath(path)?.kind ?? null, path });
  for (const { path, sha256 } of await b.routes(shardsToRead(b, a))) {
    const known = before.get(path);
    before.delete(path);
    if (known === undefined) add('added', path);
    else if (known.sha256 !== sha256) add('changed', path);
  }
  for (const path of before.keys()) add('removed', path);
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The shards of a table that the other one does not have under the same number. All, if their numbers mean other paths. */
function shardsToRead({ root }: SideTable, { root: other }: SideTable): number[] {
  const isComparable = root.shard_bits === other.shard_bits;
  return [...root.shards.keys()].filter(
    (number) => !isComparable || root.shards[number]?.sha256 !== other.shards[number]?.sha256,
  );
}
