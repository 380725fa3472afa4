import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AddressKind, addressTable } from '../../contract/addresses.ts';
import { compareInstants } from '../../contract/instant.ts';
import { objectPath, parsePath } from '../../contract/paths.ts';
import { shown } from '../../contract/schemas/checked-value.ts';
import {
  type ObjectReference,
  type Pointer,
  type Route,
  type RouteTableRoot,
  shardNumber,
} from '../../contract/schemas/site-files.ts';
import { checkPlaces, parseShard, parseTableRoot, type TableRules } from '../../contract/site/route-table.ts';
import type { ObjectLedger } from './checked-files.ts';
import type { FaultList } from './fault.ts';

type TableContext = { readonly ledger: ObjectLedger; readonly faults: FaultList };

export type TabledPublication = Pick<Pointer, 'revision' | 'published_at' | 'routes'>;

/**
 * Reads the root and the shards of a publication's route table. Checks each against the hash that names it, and each
 * route against the contract. Returns null if the root cannot be used. If a shard cannot be read, returns the routes of
 * the others. `newer`: the table of another publication; equal routes share its memory.
 */
export function checkTable(
  context: TableContext,
  { revision, published_at, routes: reference }: TabledPublication,
  newer: CheckedTable | null = null,
): CheckedTable | null {
  const { faults } = context;
  const name = `the route table of revision ${revision}`;
  const rootPart = readPart(context, reference, name);
  const root = rootPart && parseTableRoot(rootPart.bytes, rootPart.rules);
  if (root === null) return null;
  const routes = new Map<string, Route>();
  const lost = new Set<number>();
  for (const [number, shardReference] of root.shards.entries()) {
    const part = readPart(context, shardReference, `shard ${number} of ${name}`);
    const shard = part && parseShard(part.bytes, part.rules);
    if (shard === null || part === null) {
      lost.add(number);
      continue;
    }
    checkPlaces(shard, root, number, hashPath, part.rules.onFault);
    addShard({ routes, root, number, shard, newer });
  }
  if (lost.size === 0 && routes.size !== root.route_count) {
    const expected = `route_count ${routes.size}, the number of routes in its shards`;
    faults.add('table_inconsistent', objectPath(reference.sha256), expected, String(root.route_count));
  }
  for (const route of routes.values()) checkRoute(route, published_at, faults);
  return checkedTable(routes, root.shard_bits, lost);
}

type ShardContext = {
  readonly routes: Map<string, Route>;
  readonly root: RouteTableRoot;
  readonly number: number;
  readonly shard: readonly Route[];
  readonly newer: CheckedTable | null;
};

/** A misplaced route does not replace one that readers find. */
function addShard({ routes, root, number, shard, newer }: ShardContext): void {
  for (const route of shard) {
    const isFound = shardNumber(hashPath(route.path), root.shard_bits) === number;
    const same = newer?.routes.get(route.path);
    const one = isDeepStrictEqual(same, route) ? (same as Route) : route;
    if (isFound || !routes.has(route.path)) routes.set(one.path, one);
  }
}

const hashPath = (path: string) => hash('sha256', path);

/** The bytes of a part of a table, and the rules for reading them; null if they are missing or damaged. */
function readPart({ ledger, faults }: TableContext, { sha256, size }: ObjectReference, name: string) {
  const bytes = ledger.read(sha256, name);
  if (bytes === null) return null;
  const file = objectPath(sha256);
  if (bytes.length !== size) {
    faults.add('table_inconsistent', file, `${size} bytes, as in the reference to ${name}`, `${bytes.length} bytes`);
  }
  const rules: TableRules = {
    name,
    strictness: 'exact',
    onFault: ({ kind, path = file, expected, got }) => faults.add(`table_${kind}`, path, expected, got),
  };
  return { bytes, rules };
}

/** `find` returns `unknown` for paths in an unreadable shard: that is one fault, not a thousand broken links. */
export type CheckedTable = ReturnType<typeof checkedTable>;

export function checkedTable(routes: ReadonlyMap<string, Route>, shardBits: number, lostShards: ReadonlySet<number>) {
  const isLost = (path: string) => lostShards.has(shardNumber(hash('sha256', path), shardBits));
  const find = (path: string): Route | 'absent' | 'unknown' =>
    routes.get(path) ?? (isLost(path) ? 'unknown' : 'absent');
  return { routes, isComplete: lostShards.size === 0, find };
}

/**
 * Checks a route without its bytes: the contract must have its address, and its delivery must match the address
 * (contract.md 5). `publishedAt`: the time of the publication; no bytes can have changed later.
 */
export function checkRoute(route: Route, publishedAt: string, faults: FaultList): void {
  const kind = parsePath(route.path)?.kind;
  if (kind === undefined || addressTable[kind].role === 'computed') {
    faults.add('route_unknown', route.path, 'an address of the contract with a precomputed answer', 'none');
    return;
  }
  const { mediaType, encoding, cache } = addressTable[kind];
  const expectEqual = (what: string, expected: unknown, got: unknown) => {
    if (got !== expected) faults.add('route_delivery', route.path, `${what} ${shown(expected)}`, shown(got));
  };
  expectEqual('media type', mediaType, route.media_type);
  expectEqual('encoding', encoding, route.encoding);
  if (cache !== 'either') expectEqual('cache policy', cache, route.cache);
  if (compareInstants(route.last_modified, publishedAt) > 0) {
    faults.add('route_delivery', route.path, `last_modified not after ${publishedAt}`, route.last_modified);
  }
}

/** The role of an address; null for a path that is not one. */
export function addressRole(path: string) {
  const kind = parsePath(path)?.kind;
  return kind === undefined ? null : addressTable[kind].role;
}

/** Whether addresses of this kind are pages of change lists, which may be past retention. */
export function isChangePage(kind: AddressKind): boolean {
  const { role, cache } = addressTable[kind];
  return role === 'page' && cache === 'either';
}
