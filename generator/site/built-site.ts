import { hash } from 'node:crypto';
import {
  type ObjectReference,
  type Pointer,
  pointer as pointerSchema,
  type Route,
  type RouteTableRoot,
} from '../contract/formats/site.ts';
import { parseJson } from '../contract/json.ts';
import { objectPath, pathOf, pointerFile } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import type { Storage } from './storage.ts';

/** The result of a finished build: its pointer, and its routes by path. */
export type PreviousSite = { readonly pointer: Pointer; readonly routes: ReadonlyMap<string, Route> };

/** The pointer of a site; null when there is none. Throws a Failure when the file is not a pointer. */
export function readPointer(storage: Storage): Pointer | null {
  const bytes = storage.read(pointerFile);
  if (bytes === null) return null;
  const result = pointerSchema.safeParse(parseJson(bytes.toString()));
  if (!result.success) throw new Failure(`${pointerFile} is not the pointer of a site: move it away to build anew`);
  return result.data;
}

/** The existing site; null when there is none. */
export function readPreviousSite(storage: Storage): PreviousSite | null {
  const pointer = readPointer(storage);
  if (pointer === null) return null;
  return { pointer, routes: routesByPath(storage, pointer.routes) };
}

/** The routes of a table by path. Throws a Failure like {@link routesIn}. */
export function routesByPath(storage: Storage, root: ObjectReference): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  for (const route of routesIn(storage, root)) routes.set(route.path, route);
  return routes;
}

/**
 * The base URL of a site as its service index prints it: the part of an absolute address before `/v1`. Empty when
 * addresses are paths; null when the index is missing.
 */
export function baseAddress(storage: Storage, { routes }: PreviousSite): string | null {
  const route = routes.get(pathOf('service_index'));
  const bytes = route && storage.read(objectPath(route.sha256));
  if (!bytes) return null;
  const index = parseJson(bytes.toString()) as { data?: { links?: { products?: string } } } | null;
  const address = index?.data?.links?.products;
  const path = pathOf('products');
  return address?.endsWith(path) ? address.slice(0, -path.length) : null;
}

/**
 * Every route of a table, a shard at a time. Throws a Failure when a part of the table is missing or does not have its
 * hash. Does not check the shape: the hash shows that a build wrote the bytes, and the build checked their shape.
 */
export function* routesIn(storage: Storage, root: ObjectReference): Generator<Route> {
  for (const reference of shardsOf(storage, root)) {
    yield* routesOfShard(storage, reference);
  }
}

/** The root of a route table. Throws a Failure when it is missing or does not have its hash. */
export function routeTableRootOf(storage: Storage, reference: ObjectReference): RouteTableRoot {
  return readObject(storage, reference) as RouteTableRoot;
}

/** The routes of a shard, which the root of its table names. Throws a Failure like {@link routesIn}. */
export function routesOfShard(storage: Storage, reference: ObjectReference): readonly Route[] {
  return (readObject(storage, reference) as { routes: Route[] }).routes;
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
  return routeTableRootOf(storage, root).shards;
}

function readObject(storage: Storage, { sha256 }: ObjectReference): unknown {
  const bytes = storage.read(objectPath(sha256));
  const found = bytes && hash('sha256', bytes);
  if (bytes === null || found !== sha256) {
    throw new Failure(
      `${objectPath(sha256)}: expected the route table's bytes, got ${found ?? 'nothing'}; build --full makes the site anew`,
    );
  }
  return JSON.parse(bytes.toString());
}
