import type * as z from 'zod';
import { faultText, knownValue } from '../schemas/checked-value.ts';
import {
  type ObjectReference,
  type Route,
  type RouteTableRoot,
  route as routeSchema,
  routeTableRoot,
  shardNumber,
  shard as shardSchema,
  uncheckedShard,
} from '../schemas/site-files.ts';
import { byteLimits } from './byte-limits.ts';
import { type FileFault, readFileValue, type Strictness } from './file-value.ts';

/** A fault of the root or of a shard. `path`: the route's path, if a route is wrong. */
export type TableFault = FileFault & {
  readonly kind: 'unreadable' | 'inconsistent' | 'order' | 'misplaced';
  readonly path?: string;
};

/** `name`: what messages call the part. `onFault` may throw to stop at the first fault. */
export type TableRules = {
  readonly name: string;
  readonly strictness: Strictness;
  readonly onFault: (found: TableFault) => void;
};

/** The root of a route table; null if it cannot be used. */
export function parseTableRoot(bytes: Uint8Array, rules: TableRules): RouteTableRoot | null {
  const root = readPart(bytes, routeTableRoot, byteLimits.tableRoot, rules);
  if (root === null || root.shards.length === 2 ** root.shard_bits) return root;
  const [expected, got] = [`${2 ** root.shard_bits} shards`, String(root.shards.length)];
  rules.onFault({ kind: 'inconsistent', expected, got });
  return null;
}

/** The routes of a shard, in its order; null if the shard cannot be used. */
export function parseShard(bytes: Uint8Array, rules: TableRules): readonly Route[] | null {
  return readPart(bytes, shardSchema, byteLimits.shard, rules)?.routes ?? null;
}

export type ListedRoute = { readonly path: string };

/**
 * Like {@link parseShard}, but does not check the routes. This is for readers who look up a few of them with {@link
 * knownRoute}, and for bytes whose hash shows that the user's own build wrote them.
 */
export function listShard(bytes: Uint8Array, rules: TableRules): readonly ListedRoute[] | null {
  return readPart(bytes, uncheckedShard, byteLimits.shard, rules)?.routes ?? null;
}

function readPart<Value>(
  bytes: Uint8Array,
  schema: z.ZodType<Value>,
  most: number,
  { name, strictness, onFault }: TableRules,
): Value | null {
  return readFileValue(bytes, schema, {
    strictness,
    most,
    onFault: ({ expected, got }) => onFault({ kind: 'unreadable', expected: `${expected} in ${name}`, got }),
  });
}

/**
 * Checks that every route is where readers look: they find a shard by its number, and a route by binary search.
 * `hashPath`: SHA-256 in hex.
 */
export function checkPlaces(
  routes: readonly Route[],
  { shard_bits }: RouteTableRoot,
  number: number,
  hashPath: (path: string) => string,
  onFault: TableRules['onFault'],
): void {
  let previous = '';
  for (const { path } of routes) {
    if (path <= previous) {
      onFault({ kind: 'order', expected: `a path after ${previous}, each once and in order`, got: path });
    }
    previous = path;
    const home = shardNumber(hashPath(path), shard_bits);
    if (home === number) continue;
    onFault({ kind: 'misplaced', path, expected: `its route in shard ${home}`, got: `shard ${number}` });
  }
}

export function shardReference({ shards }: RouteTableRoot, number: number): ObjectReference {
  const reference = shards[number];
  if (reference === undefined) throw new Error(`no shard ${number} in a table of ${shards.length}`);
  return reference;
}

/** Checks a listed route. Throws an error that says what is wrong. */
export function knownRoute(route: ListedRoute): Route {
  const known = knownValue(routeSchema, route);
  if ('value' in known) return known.value;
  throw new Error(faultText(known.fault));
}

/**
 * Adds up the sizes that route tables claim, before anything of that size is read. Calls `refuse` with a part that is
 * too large, or with null if the sum is.
 */
export function claimedTables(refuse: (part: ObjectReference | null, expected: string, got: string) => never) {
  let total = 0;
  const add = (part: ObjectReference, most: number, what: string) => {
    if (part.size > most) refuse(part, `${what} of at most ${most} bytes`, `a claim of ${part.size}`);
    total += part.size;
    if (total > byteLimits.tables)
      refuse(null, `route tables of at most ${byteLimits.tables} bytes in all`, 'a claim of more');
  };
  return {
    total: () => total,
    addRoot: (root: ObjectReference) => add(root, byteLimits.tableRoot, 'the root of a route table'),
    addShards({ shards }: RouteTableRoot) {
      for (const shard of shards) add(shard, byteLimits.shard, 'a shard of a route table');
    },
  };
}
