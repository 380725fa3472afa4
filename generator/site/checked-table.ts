import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { type AddressKind, addressTable } from '../../contract/addresses.ts';
import {
  type ObjectReference,
  type Pointer,
  type Route,
  type RouteTableRoot,
  routeTableRoot,
  shardNumber,
  shard as shardSchema,
} from '../../contract/formats/site.ts';
import { compareInstants } from '../../contract/instant.ts';
import { objectPath, parsePath } from '../../contract/paths.ts';
import type { ObjectLedger } from './checked-files.ts';
import { parseJson, schemaProblems } from './checked-json.ts';
import { type FaultList, shown } from './fault.ts';
import { limits } from './http/limits.ts';

type TableContext = { readonly ledger: ObjectLedger; readonly faults: FaultList };

/** A publication with its route table. */
export type TabledPublication = Pick<Pointer, 'revision' | 'published_at' | 'routes'>;

/**
 * Reads the root and the shards of a publication's route table, and checks each against the hash that names it, and
 * each route against the contract. Returns null when the root cannot be used, and the routes of the other shards when
 * some shards cannot be read. `newer`: the table of another publication; routes that are equal share its memory.
 */
export function checkTable(
  context: TableContext,
  { revision, published_at, routes: reference }: TabledPublication,
  newer: CheckedTable | null = null,
): CheckedTable | null {
  const { faults } = context;
  const owner = `revision ${revision}`;
  const root = readPart(context, routeTableRoot, reference, `the route table of ${owner}`);
  if (root === null) return null;
  const path = objectPath(reference.sha256);
  const expected = 2 ** root.shard_bits;
  if (root.shards.length !== expected) {
    faults.add('table_inconsistent', path, `${expected} shards`, String(root.shards.length));
    return null;
  }
  const routes = new Map<string, Route>();
  const lost = new Set<number>();
  for (const [number, shardReference] of root.shards.entries()) {
    const part = readPart(context, shardSchema, shardReference, `shard ${number} of the route table of ${owner}`);
    if (part === null) lost.add(number);
    else addShard(faults, { routes, root, number, shard: part.routes, path: objectPath(shardReference.sha256), newer });
  }
  if (lost.size === 0 && routes.size !== root.route_count) {
    faults.add('table_inconsistent', path, `route_count ${routes.size}, as its shards hold`, String(root.route_count));
  }
  for (const route of routes.values()) checkRoute(route, published_at, faults);
  return checkedTable(routes, root.shard_bits, lost);
}

type ShardContext = {
  readonly routes: Map<string, Route>;
  readonly root: RouteTableRoot;
  readonly number: number;
  readonly shard: readonly Route[];
  readonly path: string;
  readonly newer: CheckedTable | null;
};

/**
 * Adds the routes of a shard. Readers find a route by shard number and binary search, so they cannot find a misplaced
 * one.
 */
function addShard(faults: FaultList, { routes, root, number, shard, path, newer }: ShardContext): void {
  let previous = '';
  for (const route of shard) {
    if (route.path <= previous) {
      faults.add('table_order', path, `a path after ${previous}, each once and in order`, route.path);
    }
    previous = route.path;
    const home = shardNumber(hash('sha256', route.path), root.shard_bits);
    if (home !== number) faults.add('table_misplaced', route.path, `its route in shard ${home}`, `shard ${number}`);
    const same = newer?.routes.get(route.path);
    const one = isDeepStrictEqual(same, route) ? (same as Route) : route;
    if (home === number || !routes.has(route.path)) routes.set(one.path, one);
  }
}

function readPart<Value>(
  { ledger, faults }: TableContext,
  schema: z.ZodType<Value>,
  { sha256, size }: ObjectReference,
  name: string,
): Value | null {
  const bytes = ledger.read(sha256, name);
  if (bytes === null) return null;
  const path = objectPath(sha256);
  if (bytes.length > limits.shard) {
    faults.add('table_unreadable', path, `${name} of at most ${limits.shard} bytes`, String(bytes.length));
    return null;
  }
  if (bytes.length !== size) {
    faults.add('table_inconsistent', path, `${size} bytes, as what names ${name} says`, `${bytes.length} bytes`);
  }
  const parsed = parseJson(bytes);
  if ('problem' in parsed) {
    faults.add('table_unreadable', path, `${name} as JSON`, parsed.problem);
    return null;
  }
  const problems = schemaProblems(schema, parsed.value);
  for (const { expected, got } of problems) faults.add('table_unreadable', path, `${name}: ${expected}`, got);
  return problems.length === 0 ? (parsed.value as Value) : null;
}

/**
 * The routes of one publication, by path. When a shard cannot be read, nobody knows which of its paths exist. `find`
 * then gives `unknown`, so that one damaged shard is one fault and not a thousand broken links.
 */
export type CheckedTable = ReturnType<typeof checkedTable>;

export function checkedTable(routes: ReadonlyMap<string, Route>, shardBits: number, lostShards: ReadonlySet<number>) {
  const isLost = (path: string) => lostShards.has(shardNumber(hash('sha256', path), shardBits));
  const find = (path: string): Route | 'absent' | 'unknown' =>
    routes.get(path) ?? (isLost(path) ? 'unknown' : 'absent');
  return { routes, isComplete: lostShards.size === 0, find };
}

/**
 * Checks a route without its bytes: its address must be one of the contract's, and its delivery must be that of the
 * address (contract.md 5). `publishedAt` is the time of the publication: no bytes can have changed after it.
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

/** The role of the address that a path is; null for a path that is none. */
export function roleOf(path: string) {
  const kind = parsePath(path)?.kind;
  return kind === undefined ? null : addressTable[kind].role;
}

/** Whether the address is a page of a change list. Such a page may be past retention. */
export function isChangePage(kind: AddressKind): boolean {
  const { role, cache } = addressTable[kind];
  return role === 'page' && cache === 'either';
}
