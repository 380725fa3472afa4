import {
  type ObjectReference,
  type Pointer,
  type Route,
  type RouteTableRoot,
  route,
  routeTableRoot,
  shardNumber,
  uncheckedShard,
} from '../../generator/contract/formats/site.ts';
import { knownValue } from '../../generator/contract/known-value.ts';
import { readingUnits, type Work } from '../scheduling/work.ts';
import { ByteCache } from './byte-cache.ts';
import type { PublicationFiles } from './publication-files.ts';
import { jsonReading, parseJson, type Reading, UnreadableError, type VerifiedObjects } from './verified-objects.ts';

/** One publication as a pointer names it, with its route table. */
export type PublicationReference = Pick<Pointer, 'revision' | 'sequence' | 'published_at' | 'routes'>;

/** How many routes are kept beside their shards, so that their paths need not be hashed again. Each takes half a kilobyte. */
const knownRoutes = 8192;

const rootReading = jsonReading('route table', routeTableRoot);

/**
 * One publication, as a reader sees it: immutable, with every object verified before use. Shards of the route table are
 * loaded when a path first needs them. A request uses one view from its beginning to its end.
 */
export class PublicationView implements PublicationFiles {
  readonly revision: string;
  readonly sequence: number;
  readonly publishedAt: string;
  readonly #table: string;
  readonly #objects: VerifiedObjects;
  readonly #root: RouteTableRoot;
  readonly #known = new ByteCache<Route>(knownRoutes);

  private constructor(publication: PublicationReference, objects: VerifiedObjects, root: RouteTableRoot) {
    this.revision = publication.revision;
    this.sequence = publication.sequence;
    this.publishedAt = publication.published_at;
    this.#table = publication.routes.sha256;
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
    return this.#known.get(path) ?? this.#find(path, new Map(), work);
  }

  async has(path: string, work?: Work): Promise<boolean> {
    return (await this.lookup(path, work)) !== null;
  }

  kept<Value>(key: string): Value | undefined {
    return this.#objects.keptAt(`${this.#table} ${key}`) as Value | undefined;
  }

  keep(key: string, value: unknown, bytes: number): void {
    this.#objects.keepAt(`${this.#table} ${key}`, value, bytes);
  }

  known<Value>(path: string, reading: Reading<Value>, work?: Work): Value | undefined {
    const reference = this.#known.get(path);
    const value = reference && this.#objects.kept(reading, reference);
    if (reference && value !== undefined) work?.charge(readingUnits(reference.size));
    return value;
  }

  /** Looks up several paths together: reads each shard once, and all shards at the same time. */
  async locate(paths: readonly string[], work?: Work): Promise<void> {
    const shards = new Map<number, Promise<Shard>>();
    await Promise.all(paths.map((path) => this.#known.get(path) ?? this.#find(path, shards, work)));
  }

  /** The object at a path as `reading` parses it, or null when the publication has no such route. */
  async read<Value>(path: string, reading: Reading<Value>, work?: Work): Promise<Value | null> {
    const reference = await this.lookup(path, work);
    if (reference === null) return null;
    work?.charge(readingUnits(reference.size));
    return this.#objects.read(reading, reference, work);
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

  /** `shards`: those that are being read for other paths at the same time. */
  async #find(path: string, shards: Map<number, Promise<Shard>>, work?: Work): Promise<Route | null> {
    const { shard_bits: bits, shards: references } = this.#root;
    const number = shardNumber(await this.#objects.hash(encoder.encode(path)), bits);
    const reference = references[number] as ObjectReference;
    const reading = shards.get(number) ?? this.#objects.read(shardReading, reference, work);
    shards.set(number, reading);
    const found = (await reading).get(path);
    if (found === undefined) return null;
    const known = knownValue(route, found);
    if ('issue' in known) {
      const { message, path: place } = known.issue;
      throw new UnreadableError(`shard ${reference.sha256}: ${path}: ${place.join('.')}: ${message}`, reference);
    }
    this.#known.set(path, known.value, 1);
    return known.value;
  }
}

const encoder = new TextEncoder();

/** By path. Each route is checked when it is first asked for, because a shard has hundreds, most of which nobody wants. */
type Shard = ReadonlyMap<string, unknown>;

/** Bytes of memory that a route of a shard takes, and that all shards may take: those of 46,000 routes. */
const [routeMemory, keptShards] = [450, 20 * 1024 * 1024];

const shardReading: Reading<Shard> = {
  name: 'shard',
  // Apart from products and pages: shards that come and go would drive these out.
  slots: keptShards,
  memoryOf: ({ size }) => size * routeMemory,
  async of(bytes, work) {
    await work.free.pace(readingUnits(bytes.length));
    return new Map(parseJson(uncheckedShard, bytes).routes.map((one) => [one.path, one]));
  },
};
