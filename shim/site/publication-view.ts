import { type Pointer, type Route, type RouteTableRoot, shardNumber } from '../../contract/schemas/site-files.ts';
import { sound } from '../../contract/site/file-value.ts';
import {
  knownRoute,
  type ListedRoute,
  listShard,
  parseTableRoot,
  shardReference,
  type TableRules,
} from '../../contract/site/route-table.ts';
import { UnreadableError } from '../../contract/site/source.ts';
import type { RouteAnswers } from '../http/file-answer.ts';
import { ByteCache } from './byte-cache.ts';
import { PublicationFiles } from './publication-files.ts';
import type { Reading } from './reading.ts';
import type { VerifiedObjects } from './verified-objects.ts';

/** One publication as a pointer names it, with its route table. */
export type PublicationReference = Pick<Pointer, 'revision' | 'sequence' | 'published_at' | 'routes'>;

/** How many routes are kept, half a kilobyte each: enough for comparisons of all products of a state. */
const knownRoutes = 24_576;

/** How many routes' answers are kept, a kilobyte each. Making them takes about as long as sending one. */
const keptAnswers = 4096;

const rules: TableRules = {
  name: 'the route table',
  strictness: 'known',
  onFault: ({ expected, got }) => {
    throw new Error(`expected ${expected}, got ${got}`);
  },
};

const rootReading: Reading<RouteTableRoot> = {
  name: 'route table',
  of: (bytes) => sound(parseTableRoot(bytes, rules)),
};

/**
 * One publication, as a reader sees it: immutable, with every object verified before use. Shards of the route table are
 * loaded when a path first needs them. A request uses one view from its beginning to its end.
 */
export class PublicationView extends PublicationFiles {
  readonly revision: string;
  readonly sequence: number;
  readonly publishedAt: string;
  readonly objects: VerifiedObjects;
  /** The answers of routes that were requested, by path. */
  readonly answers = new ByteCache<RouteAnswers>(keptAnswers);
  readonly #root: RouteTableRoot;
  readonly #known = new ByteCache<Route>(knownRoutes);

  private constructor(publication: PublicationReference, objects: VerifiedObjects, root: RouteTableRoot) {
    super();
    this.revision = publication.revision;
    this.sequence = publication.sequence;
    this.publishedAt = publication.published_at;
    this.objects = objects;
    this.#root = root;
  }

  /** Rejects with an UnreadableError when the route table's root is not what the pointer names. */
  static async load(objects: VerifiedObjects, publication: PublicationReference) {
    return new PublicationView(publication, objects, await objects.read(rootReading, publication.routes));
  }

  /** The route of exactly this path, which is neither decoded nor normalized; null when the publication has none. */
  async lookup(path: string): Promise<Route | null> {
    return this.#known.get(path) ?? this.#find(path, new Map());
  }

  override async has(path: string): Promise<boolean> {
    return (await this.lookup(path)) !== null;
  }

  /** Looks up several paths together: reads each shard once, and all shards at the same time. */
  async lookupAll(paths: readonly string[]): Promise<(Route | null)[]> {
    const shards = new Map<number, Shard | Promise<Shard>>();
    return Promise.all(paths.map((path) => this.#known.get(path) ?? this.#find(path, shards)));
  }

  override async read<Value>(path: string, reading: Reading<Value>): Promise<Value | null> {
    const reference = await this.lookup(path);
    return reference && this.objects.read(reading, reference);
  }

  /** `shards`: those that are being read for other paths at the same time. */
  async #find(path: string, shards: Map<number, Shard | Promise<Shard>>): Promise<Route | null> {
    const number = shardNumber(await this.objects.hash(encoder.encode(path)), this.#root.shard_bits);
    const reference = shardReference(this.#root, number);
    const reading = shards.get(number) ?? this.objects.read(shardReading, reference);
    shards.set(number, reading);
    const found = (await reading).get(path);
    if (found === undefined) return null;
    try {
      const known = knownRoute(found);
      this.#known.set(path, known, 1);
      return known;
    } catch (cause) {
      const message = `shard ${reference.sha256}: ${path}: ${(cause as Error).message}`;
      throw new UnreadableError(message, reference, { cause });
    }
  }
}

const encoder = new TextEncoder();

/**
 * The routes of a shard by path. Each route is checked when it is first asked for, because a shard has hundreds, most
 * of which nobody requests.
 */
type Shard = ReadonlyMap<string, ListedRoute>;

/** Bytes of memory that a route of a shard takes, and that all shards may take: those of 74,000 routes. */
const [routeMemory, keptShards] = [450, 32 * 1024 * 1024];

const shardReading: Reading<Shard> = {
  name: 'shard',
  // Shards that come and go would evict products and pages.
  keptApart: keptShards,
  memorySize: ({ size }) => size * routeMemory,
  of: (bytes) => new Map(sound(listShard(bytes, rules)).map((one) => [one.path, one])),
};
