import type * as z from 'zod';
import {
  type ObjectReference,
  type Pointer,
  type Route,
  type RouteTableRoot,
  routeTableRoot,
  shard,
} from '../generator/contract/site.ts';
import { digest, UnreadableError, type VerifiedObjects } from './verified-objects.ts';

/**
 * One publication, as a reader sees it: immutable, and safe as far as it was read.
 * Its shards are loaded when a path first asks for them. A request uses one view from its beginning to its end.
 */
export class PublicationView {
  readonly revision: string;
  readonly #objects: VerifiedObjects;
  readonly #root: RouteTableRoot;

  private constructor(revision: string, objects: VerifiedObjects, root: RouteTableRoot) {
    this.revision = revision;
    this.#objects = objects;
    this.#root = root;
  }

  /** Rejects with an UnreadableError when the route table's root is not what the pointer names. */
  static async load(objects: VerifiedObjects, { revision, routes }: Pick<Pointer, 'revision' | 'routes'>) {
    const root = await objects.read('route table', routeTableRoot, routes);
    if (root.shards.length !== 2 ** root.shard_bits) {
      throw new UnreadableError(
        `route table ${routes.sha256}: expected ${2 ** root.shard_bits} shards, got ${root.shards.length}`,
      );
    }
    return new PublicationView(revision, objects, root);
  }

  /** The route of exactly this path, nothing decoded or normalized; null when the publication has none. */
  async lookup(path: string): Promise<Route | null> {
    const reference = this.#root.shards[await shardNumber(path, this.#root.shard_bits)] as ObjectReference;
    const { routes } = await this.#objects.read('shard', shard, reference);
    return findRoute(routes, path);
  }

  /** A precomputed document that the shim itself reads, or null when the publication has no such route. */
  async document<Value>(path: string, schema: z.ZodType<Value>): Promise<Value | null> {
    const route = await this.lookup(path);
    return route && this.#objects.read(path, schema, route);
  }
}

/** The leading bits of the path's SHA-256. */
async function shardNumber(path: string, bits: number): Promise<number> {
  if (bits === 0) return 0;
  const hash = await digest(new TextEncoder().encode(path));
  return new DataView(hash.buffer).getUint32(0) >>> (32 - bits);
}

/** Binary search: the routes of a shard are sorted by path, by code unit. */
function findRoute(routes: readonly Route[], path: string): Route | null {
  let low = 0;
  let high = routes.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const route = routes[middle] as Route;
    if (route.path === path) return route;
    if (route.path < path) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}
