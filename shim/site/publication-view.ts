import {
  type ObjectReference,
  type Pointer,
  type Route,
  type RouteTableRoot,
  route,
  routeTableRoot,
  shard,
} from '../../generator/contract/formats/site.ts';
import { parsePath } from '../../generator/contract/paths.ts';
import { readingUnits, type Work } from '../scheduling/work.ts';
import { ByteCache } from './byte-cache.ts';
import type { PublicationFiles } from './publication-files.ts';
import {
  checked,
  jsonReading,
  parseJson,
  type Reading,
  textMemory,
  UnreadableError,
  type VerifiedObjects,
} from './verified-objects.ts';

/** One publication as a pointer names it, with its route table. */
export type PublicationReference = Pick<Pointer, 'revision' | 'sequence' | 'published_at' | 'routes'>;

/**
 * How many objects of paths are remembered, so that their shards need not be searched again. Each takes about a third of
 * a kilobyte.
 */
const knownPaths = 32_768;

/** What is needed of a route to read its object, on hosts that have objects and in bundles that have only paths. */
type Located = Pick<Route, 'path' | 'sha256' | 'size' | 'encoding'>;

function locatedOf({ path, sha256, size, encoding }: Located): Located {
  return { path, sha256, size, encoding };
}

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
  readonly #known = new ByteCache<Located>(knownPaths);

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
    const number = await this.#shardNumber(path);
    return this.#find(await this.#shard(number, work), number, path, false);
  }

  async has(path: string, work?: Work): Promise<boolean> {
    return (await this.#referenceOf(path, work)) !== null;
  }

  known<Value>(path: string, reading: Reading<Value>, work?: Work): Value | undefined {
    const reference = this.#known.get(path);
    const value = reference && this.#objects.kept(reading, reference);
    if (reference && value !== undefined) work?.charge(readingUnits(reference.size));
    return value;
  }

  /** Looks up several paths together: reads each shard once, and all shards at the same time. */
  async locate(paths: readonly string[], work?: Work): Promise<void> {
    const byShard = new Map<number, string[]>();
    for (const path of paths) {
      if (this.#known.get(path)) continue;
      const number = await this.#shardNumber(path);
      byShard.set(number, [...(byShard.get(number) ?? []), path]);
    }
    await Promise.all(
      [...byShard].map(async ([number, ofShard]) => {
        const shard = await this.#shard(number, work);
        for (const path of ofShard) if (!this.#known.get(path)) this.#find(shard, number, path, true);
      }),
    );
  }

  /** The object at a path as `reading` parses it, or null when the publication has no such route. */
  async read<Value>(path: string, reading: Reading<Value>, work?: Work): Promise<Value | null> {
    const reference = await this.#referenceOf(path, work);
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

  async #referenceOf(path: string, work?: Work): Promise<Located | null> {
    const known = this.#known.get(path);
    if (known) return known;
    const number = await this.#shardNumber(path);
    return this.#find(await this.#shard(number, work), number, path, true);
  }

  /** The leading bits of the path's SHA-256. */
  async #shardNumber(path: string): Promise<number> {
    const { shard_bits: bits } = this.#root;
    if (bits === 0) return 0;
    return Number.parseInt((await this.#objects.hash(new TextEncoder().encode(path))).slice(0, 8), 16) >>> (32 - bits);
  }

  #shard(number: number, work?: Work): Promise<string> {
    return this.#objects.read(shardReading, this.#root.shards[number] as ObjectReference, work);
  }

  /** `remembers`: whether the path and those beside it are read by computations, which ask for them again. */
  #find(shard: string, number: number, path: string, remembers: boolean): Route | null {
    try {
      const route = findRoute(shard, path);
      if (route !== null && remembers) {
        for (const located of neighbours(shard, path)) this.#known.set(located.path, located, 1);
        this.#known.set(path, locatedOf(route), 1);
      }
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
 * Finds a route in a shard of the route table, which is kept as its text. A publication of 90,000 routes has 30 MB of
 * them. Objects would take twice as much memory, and the garbage collector would have to go through them. A route is
 * parsed and checked when it is requested. Null when the shard has no such path. Throws when the route does not have the
 * shape of one.
 */
function findRoute(text: string, path: string): Route | null {
  const start = text.indexOf(`${routeStart}${JSON.stringify(path)},`);
  if (start < 0) return null;
  const next = text.indexOf(`,${routeStart}`, start);
  return checked(route, JSON.parse(text.slice(start, next < 0 ? text.length - shardEnd.length : next)));
}

/**
 * The routes of a shard that differ from a path in its last parameter alone. Who asks for a product asks for others, so that
 * after a few hundred questions no shard has to be read for them again.
 */
function neighbours(text: string, path: string): Located[] {
  const parameter = Object.values(parsePath(path)?.parameters ?? {}).at(-1);
  if (parameter === undefined) return [];
  const place = path.lastIndexOf(parameter);
  const [before, after] = [path.slice(0, place), path.slice(place + parameter.length)];
  const start = routeStart + JSON.stringify(before).slice(0, -1);
  const pieces: string[] = [];
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    const from = at + start.length;
    const to = text.indexOf('"', from) - after.length;
    if (!text.startsWith(after, to) || text.slice(from, to).includes('/')) continue;
    beginning.lastIndex = at;
    const [whole] = beginning.exec(text) ?? [];
    if (whole !== undefined) pieces.push(`${whole}}`);
  }
  // Parsed, because a piece of the shard's text would keep all of it in memory.
  return (JSON.parse(`[${pieces.join()}]`) as Route[]).map(locatedOf);
}

/** The fields of a route as it is written, up to its coding. */
const beginning =
  /\{"path":"[^"\\]*","sha256":"[0-9a-f]{64}","size":\d+,"etag":"[^,]*","media_type":"[^"\\]*","encoding":[^,]+(?=,)/y;

/** Shards are written in one form, which {@link findRoute} searches. A shard in another form is rewritten to it. */
const shardReading: Reading<string> = {
  name: 'shard',
  memoryOf: textMemory,
  of(bytes) {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.startsWith(shardStart + routeStart) && text.endsWith(shardEnd)) return text;
    const { routes } = parseJson(shard, bytes);
    const usual = routes.map(({ path, ...rest }) => JSON.stringify({ path, ...rest })).join(',');
    return shardStart + usual + shardEnd;
  },
};
