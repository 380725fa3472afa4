import { hash } from 'node:crypto';
import { objectPath } from '../../contract/paths.ts';
import {
  type ObjectReference,
  type Route,
  type RouteTableRoot,
  shardNumber,
} from '../../contract/schemas/site-files.ts';
import { sound } from '../../contract/site/file-value.ts';
import { listShard, parseTableRoot, shardReference, type TableRules } from '../../contract/site/route-table.ts';
import { parseJson } from '../../contract/text.ts';
import { Failure } from '../files/failure.ts';
import type { Storage } from './storage.ts';

const routesPerShard = 256;

/** The routes of a publication by path. */
export type Routes = ReadonlyMap<string, Route>;

/** `old`: the route of the same path in the table before. */
export type RouteChange = { readonly route: Route; readonly old?: Route | undefined };

/** `set`: the routes that are new or different. */
export type TableChanges = { readonly set: readonly RouteChange[]; readonly removed: readonly Route[] };

/** `objects` are the table's own root and shards. */
export type RouteTable = { readonly routes: Routes; readonly objects: readonly string[] };

export const emptyTable: RouteTable = { routes: new Map(), objects: [] };

/**
 * Reads a route table. Throws a Failure if a part does not have its hash. Bytes with the right hash were written by a
 * build, so their shape is right.
 */
export function readTable(storage: Storage, reference: ObjectReference): RouteTable {
  const root = readTableRoot(storage, reference);
  const routes = new Map<string, Route>();
  const share = textSharer();
  for (const number of root.shards.keys()) {
    for (const route of readShard(storage, root, number)) routes.set(route.path, share(route));
  }
  return { routes, objects: [reference.sha256, ...root.shards.map(({ sha256 }) => sha256)] };
}

/**
 * Returns a function that gives routes one copy of common texts. Parsing, and sending to another thread, make a copy
 * for each route, and the routes of a large site are held in memory.
 */
export function textSharer(): (route: Route) => Route {
  const texts = new Map<string, string>();
  const shared = (text: string): string => {
    const found = texts.get(text);
    if (found === undefined) texts.set(text, text);
    return found ?? text;
  };
  return (route) => ({
    ...route,
    media_type: shared(route.media_type),
    last_modified: shared(route.last_modified),
  });
}

/** Writes the route table of a publication. A shard with the same routes as before is the same object as before. */
export function writeTable(storage: Storage, routes: Routes): { table: RouteTable; reference: ObjectReference } {
  const bits = Math.max(0, Math.ceil(Math.log2(routes.size / routesPerShard)));
  const shards = Array.from({ length: 2 ** bits }, (): Route[] => []);
  for (const route of routes.values()) shards[shardNumber(hash('sha256', route.path), bits)]?.push(route);
  const references = shards.map((shard) => {
    shard.sort((a, b) => (a.path < b.path ? -1 : 1));
    return writeJson(storage, { routes: shard });
  });
  const root: RouteTableRoot = { route_count: routes.size, shard_bits: bits, shards: references };
  const reference = writeJson(storage, root);
  return { table: { routes, objects: [reference, ...references].map(({ sha256 }) => sha256) }, reference };
}

function writeJson(storage: Storage, value: unknown): ObjectReference {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  const sha256 = hash('sha256', bytes);
  storage.create(objectPath(sha256), bytes);
  return { sha256, size: bytes.length };
}

export function changesBetween(before: Routes, after: Routes): TableChanges {
  const set: RouteChange[] = [];
  for (const route of after.values()) {
    const old = before.get(route.path);
    if (old !== route && JSON.stringify(old) !== JSON.stringify(route)) set.push({ route, old });
  }
  return { set, removed: [...before.values()].filter(({ path }) => !after.has(path)) };
}

/** The sizes of all answers and variants, by hash. */
export function objectSizes(routes: Iterable<Route>): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { sha256, size, variants = [] } of routes) {
    sizes.set(sha256, size);
    for (const variant of variants) sizes.set(variant.sha256, variant.size);
  }
  return sizes;
}

export function* namedObjects({ routes, objects }: RouteTable): Generator<string> {
  yield* objects;
  yield* answerObjects(routes.values());
}

function* answerObjects(routes: Iterable<Route>): Generator<string> {
  for (const { sha256, variants = [] } of routes) {
    yield sha256;
    for (const variant of variants) yield variant.sha256;
  }
}

/** Adds the objects that a route table names. Does not read shards that are in `named` already. */
export function addNamedObjects(storage: Storage, reference: ObjectReference, named: Set<string>): void {
  named.add(reference.sha256);
  const root = readTableRoot(storage, reference);
  for (const [number, { sha256 }] of root.shards.entries()) {
    if (named.has(sha256)) continue;
    named.add(sha256);
    for (const object of answerObjects(readShard(storage, root, number))) named.add(object);
  }
}

/** The document at a path. Null if there is none, or if its object is missing or not JSON. */
export function documentIn<Document>(storage: Storage, routes: Routes, path: string): Document | null {
  const route = routes.get(path);
  const bytes = route && storage.read(objectPath(route.sha256));
  return bytes ? (parseJson(bytes.toString()) as Document | null) : null;
}

/** The hashes of a table's root and shards. */
export function objectsOfTable(storage: Storage, root: ObjectReference): string[] {
  return [root, ...readTableRoot(storage, root).shards].map(({ sha256 }) => sha256);
}

/** Reads the root of a route table. Throws a Failure if it is missing or does not have its hash. */
export function readTableRoot(storage: Storage, reference: ObjectReference): RouteTableRoot {
  const { bytes, rules } = readPart(storage, reference);
  return sound(parseTableRoot(bytes, rules));
}

/** Reads a shard. Its hash shows that a build wrote the routes, so they are not checked. */
function readShard(storage: Storage, root: RouteTableRoot, number: number): readonly Route[] {
  const { bytes, rules } = readPart(storage, shardReference(root, number));
  return sound(listShard(bytes, rules)) as readonly Route[];
}

/** Reads a part of a table, and compares its bytes with their hash. */
function readPart(storage: Storage, { sha256 }: ObjectReference) {
  const refuse = (expected: string, got: string): never => {
    const message = `${objectPath(sha256)}: expected ${expected}, got ${got}; build --full rebuilds the site`;
    throw new Failure('site_damaged', message);
  };
  const bytes = storage.read(objectPath(sha256));
  const found = bytes && hash('sha256', bytes);
  if (bytes === null || found !== sha256) return refuse("the route table's bytes", found ?? 'nothing');
  const rules: TableRules = {
    name: 'the route table',
    strictness: 'known',
    onFault: ({ expected, got }) => refuse(expected, got),
  };
  return { bytes, rules };
}
