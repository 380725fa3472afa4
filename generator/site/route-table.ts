import { hash } from 'node:crypto';
import type { ObjectReference, Route, RouteTableRoot } from '../contract/formats/site.ts';
import { checkoutPath, objectPath } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import type { Storage } from './storage.ts';

const routesPerShard = 256;

/** Number of leading bits of a path's SHA-256 that select its shard. They give shards of about 256 routes or fewer. */
export function shardBitsFor(routeCount: number): number {
  return Math.max(0, Math.ceil(Math.log2(routeCount / routesPerShard)));
}

/** The shard a path belongs to: the leading bits of its SHA-256. */
export function shardOf(path: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(hash('sha256', path).slice(0, 8), 16) >>> (32 - bits);
}

/**
 * Writes the shards of a table and its root as objects. Returns the root. Throws a Failure when two routes have the
 * same path.
 */
export function writeRouteTable(storage: Storage, routes: readonly Route[]): ObjectReference {
  const bits = shardBitsFor(routes.length);
  const shards: Route[][] = Array.from({ length: 2 ** bits }, () => []);
  for (const route of routes) shards[shardOf(route.path, bits)]?.push(route);
  const references = shards.map((own) => {
    own.sort((a, b) => (a.path < b.path ? -1 : 1));
    refuseTwins(own);
    return writeObject(storage, { routes: own });
  });
  const root: RouteTableRoot = { route_count: routes.length, shard_bits: bits, shards: references };
  return writeObject(storage, root);
}

/**
 * Every route of a table, a shard at a time. Throws a Failure when a part of the table is missing or does not have its
 * hash. Does not check the shape: the hash shows that a build wrote the bytes, and the build checked their shape.
 */
export function* routesIn(storage: Storage, root: ObjectReference): Generator<Route> {
  for (const reference of shardsOf(storage, root)) {
    yield* (readObject(storage, reference) as { routes: Route[] }).routes;
  }
}

/** Hashes of the objects that a table consists of: its root and its shards. */
export function* objectsOfTable(storage: Storage, root: ObjectReference): Generator<string> {
  yield root.sha256;
  for (const { sha256 } of shardsOf(storage, root)) yield sha256;
}

/** Hashes of all objects that a table names: its own root and shards, the answers and their variants. */
export function* objectsNamedBy(storage: Storage, root: ObjectReference): Generator<string> {
  yield* objectsOfTable(storage, root);
  for (const { sha256, variants = [] } of routesIn(storage, root)) {
    yield sha256;
    for (const variant of variants) yield variant.sha256;
  }
}

function shardsOf(storage: Storage, root: ObjectReference): readonly ObjectReference[] {
  return (readObject(storage, root) as RouteTableRoot).shards;
}

function writeObject(storage: Storage, value: unknown): ObjectReference {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  const sha256 = hash('sha256', bytes);
  storage.create(objectPath(sha256), bytes);
  return { sha256, size: bytes.length };
}

function readObject(storage: Storage, { sha256 }: ObjectReference): unknown {
  const bytes = storage.read(objectPath(sha256));
  const found = bytes && hash('sha256', bytes);
  if (bytes === null || found !== sha256) {
    throw new Failure(
      `${objectPath(sha256)}: expected the route table's bytes, got ${found ?? 'nothing'}; build --full makes the site anew`,
    );
  }
  return JSON.parse(Buffer.from(bytes).toString());
}

function refuseTwins(sorted: readonly Route[]): void {
  for (const [index, { path }] of sorted.entries()) {
    if (sorted[index + 1]?.path === path) throw new Failure(`two documents claim the address ${path}`);
  }
}

/** A file of a checkout: its name below the checkout's folder, and the object that it is linked to. */
export type RouteFile = { readonly name: string; readonly sha256: string };

/** The files of a route: the answer itself, then its variants, beside it under the names that web servers expect. */
export function filesOf({ path, sha256, variants = [] }: Pick<Route, 'path' | 'sha256' | 'variants'>): RouteFile[] {
  const files = [{ name: checkoutPath(path), sha256 }];
  for (const variant of variants) files.push({ name: checkoutPath(path, variant.encoding), sha256: variant.sha256 });
  return files;
}
