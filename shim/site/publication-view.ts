import type * as z from 'zod';
import {
  type ObjectReference,
  type Pointer,
  type Route,
  type RouteTableRoot,
  routeTableRoot,
  shard,
} from '../../generator/contract/site.ts';
import { ByteCache } from './byte-cache.ts';
import { digest, jsonReading, type Reading, UnreadableError, type VerifiedObjects } from './verified-objects.ts';

/** One publication as a pointer names it, and where its route table is. */
export type PublicationReference = Pick<Pointer, 'revision' | 'sequence' | 'published_at' | 'routes'>;

/** So many routes are known without looking into their shard. */
const knownRoutes = 8192;

const rootReading = jsonReading('route table', routeTableRoot);
const shardReading = jsonReading('shard', shard);

/**
 * One publication, as a reader sees it: immutable, and safe as far as it was read.
 * Its shards are loaded when a path first asks for them. A request uses one view from its beginning to its end.
 */
export class PublicationView {
  readonly revision: string;
  readonly sequence: number;
  readonly publishedAt: string;
  readonly #objects: VerifiedObjects;
  readonly #root: RouteTableRoot;
  readonly #known = new ByteCache<Route>(knownRoutes);

  private constructor(publication: PublicationReference, objects: VerifiedObjects, root: RouteTableRoot) {
    this.revision = publication.revision;
    this.sequence = publication.sequence;
    this.publishedAt = publication.published_at;
    this.#objects = objects;
    this.#root = root;
  }

  /** Rejects with an UnreadableError when the route table's root is not what the pointer names. */
  static async load(objects: VerifiedObjects, publication: PublicationReference) {
    const root = await objects.read(rootReading, publication.routes);
    const expected = 2 ** root.shard_bits;
    if (root.shards.length !== expected) {
      const message = `route table: expected ${expected} shards, got ${root.shards.length}`;
      throw new UnreadableError(message, publication.routes);
    }
    return new PublicationView(publication, objects, root);
  }

  /** The route of exactly this path, nothing decoded or normalized; null when the publication has none. */
  async lookup(path: string): Promise<Route | null> {
    const known = this.#known.get(path);
    if (known) return known;
    const { routes } = await this.#shard(await shardNumber(path, this.#root.shard_bits));
    return this.#remember(findRoute(routes, path));
  }

  /** Looks for several paths together: a shard that has more than one of them is read once, and all shards at a time. */
  async locate(paths: readonly string[]): Promise<void> {
    const byShard = new Map<number, string[]>();
    for (const path of paths) {
      if (this.#known.get(path)) continue;
      const number = await shardNumber(path, this.#root.shard_bits);
      byShard.set(number, [...(byShard.get(number) ?? []), path]);
    }
    await Promise.all(
      [...byShard].map(async ([number, ofShard]) => {
        const { routes } = await this.#shard(number);
        for (const path of ofShard) this.#remember(findRoute(routes, path));
      }),
    );
  }

  /** What a reading makes of the object at a path, or null when the publication has no such route. */
  async read<Value>(path: string, reading: Reading<Value>): Promise<Value | null> {
    const route = await this.lookup(path);
    return route && this.#objects.read(reading, route);
  }

  /** A precomputed document that the shim itself reads, or null when the publication has no such route. */
  async document<Value>(path: string, schema: z.ZodType<Value>): Promise<Value | null> {
    return this.read(path, jsonReading(path, schema));
  }

  /** Like {@link read}, for what every publication has. Rejects with an UnreadableError when it is not there. */
  async require<Value>(path: string, reading: Reading<Value>): Promise<Value> {
    const value = await this.read(path, reading);
    if (value === null) throw new UnreadableError(`${path}: the publication has no such address`, null);
    return value;
  }

  #shard(number: number) {
    return this.#objects.read(shardReading, this.#root.shards[number] as ObjectReference);
  }

  #remember(route: Route | null): Route | null {
    if (route) this.#known.set(route.path, route, 1);
    return route;
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
