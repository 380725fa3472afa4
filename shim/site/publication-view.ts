import {
  type ObjectReference,
  type Pointer,
  type Route,
  type RouteTableRoot,
  route,
  routeTableRoot,
  shard,
} from '../../generator/contract/formats/site.ts';
import { readingUnits, type Work } from '../scheduling/work.ts';
import { ByteCache } from './byte-cache.ts';
import type { PublicationFiles } from './publication-files.ts';
import {
  checked,
  digest,
  jsonReading,
  parseJson,
  type Reading,
  UnreadableError,
  type VerifiedObjects,
} from './verified-objects.ts';

/** One publication as a pointer names it, with its route table. */
export type PublicationReference = Pick<Pointer, 'revision' | 'sequence' | 'published_at' | 'routes'>;

/** How many routes are remembered, so that their shards need not be searched again. */
const knownRoutes = 2048;

const rootReading = jsonReading('route table', routeTableRoot);

/**
 * One publication, as a reader sees it: immutable, with every object verified before use. Shards of the route table are
 * loaded when a path first needs them. A request uses one view from its beginning to its end.
 */
export class PublicationView implements PublicationFiles {
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

  /** The route of exactly this path, which is neither decoded nor normalized; null when the publication has none. */
  async lookup(path: string, work?: Work): Promise<Route | null> {
    const known = this.#known.get(path);
    if (known) return known;
    const number = await shardNumber(path, this.#root.shard_bits);
    return this.#find(await this.#shard(number, work), number, path);
  }

  async has(path: string, work?: Work): Promise<boolean> {
    return (await this.lookup(path, work)) !== null;
  }

  /** Looks up several paths together: reads each shard once, and all shards at the same time. */
  async locate(paths: readonly string[], work?: Work): Promise<void> {
    const byShard = new Map<number, string[]>();
    for (const path of paths) {
      if (this.#known.get(path)) continue;
      const number = await shardNumber(path, this.#root.shard_bits);
      byShard.set(number, [...(byShard.get(number) ?? []), path]);
    }
    await Promise.all(
      [...byShard].map(async ([number, ofShard]) => {
        const shard = await this.#shard(number, work);
        for (const path of ofShard) this.#find(shard, number, path);
      }),
    );
  }

  /** The object at a path as `reading` parses it, or null when the publication has no such route. */
  async read<Value>(path: string, reading: Reading<Value>, work?: Work): Promise<Value | null> {
    const route = await this.lookup(path, work);
    if (route === null) return null;
    work?.charge(readingUnits(route.size));
    return this.#objects.read(reading, route, work);
  }

  /**
   * Like {@link read}, for addresses that every publication has. Rejects with an UnreadableError when there is no
   * route.
   */
  async require<Value>(path: string, reading: Reading<Value>, work?: Work): Promise<Value> {
    const value = await this.read(path, reading, work);
    if (value === null) throw new UnreadableError(`${path}: the publication has no such address`, null);
    return value;
  }

  #shard(number: number, work?: Work): Promise<Uint8Array> {
    return this.#objects.read(shardReading, this.#root.shards[number] as ObjectReference, work);
  }

  #find(shard: Uint8Array, number: number, path: string): Route | null {
    try {
      const route = findRoute(shard, path);
      if (route) this.#known.set(route.path, route, 1);
      return route;
    } catch (cause) {
      const reference = this.#root.shards[number] as ObjectReference;
      throw new UnreadableError(`shard ${reference.sha256}: ${(cause as Error).message}`, reference, { cause });
    }
  }
}

const shardStart = '{"routes":[';
const shardEnd = ']}';
/**
 * Every route begins with this text. It occurs nowhere else in a shard, because quotes inside of a text are escaped.
 */
const routeStart = '{"path":';

/**
 * Finds a route in a shard of the route table, which is kept as its bytes. A publication of 90,000 routes has 30 MB of
 * them. Objects would take twice as much memory, and the garbage collector would have to go through them. A route is
 * parsed and checked when it is requested. Null when the shard has no such path. Throws when the route does not have the
 * shape of one.
 */
function findRoute(bytes: Uint8Array, path: string): Route | null {
  const text = new TextDecoder().decode(bytes);
  const start = text.indexOf(`${routeStart}${JSON.stringify(path)},`);
  if (start < 0) return null;
  const next = text.indexOf(`,${routeStart}`, start);
  return checked(route, JSON.parse(text.slice(start, next < 0 ? text.length - shardEnd.length : next)));
}

/** Shards are written in one form, which {@link findRoute} searches. A shard in another form is rewritten to it. */
const shardReading: Reading<Uint8Array> = {
  name: 'shard',
  weight: 1,
  of(bytes) {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.startsWith(shardStart + routeStart) && text.endsWith(shardEnd)) return bytes;
    const { routes } = parseJson(shard, bytes);
    const usual = routes.map(({ path, ...rest }) => JSON.stringify({ path, ...rest })).join(',');
    return new TextEncoder().encode(shardStart + usual + shardEnd);
  },
};

/** The leading bits of the path's SHA-256. */
async function shardNumber(path: string, bits: number): Promise<number> {
  if (bits === 0) return 0;
  const hash = await digest(new TextEncoder().encode(path));
  return new DataView(hash.buffer).getUint32(0) >>> (32 - bits);
}
