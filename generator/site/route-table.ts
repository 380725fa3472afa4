import { hash } from 'node:crypto';
import type { ObjectReference, Route, RouteTableRoot } from '../contract/formats/site.ts';
import { objectPath } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import type { Storage } from './storage.ts';

const routesPerShard = 256;

/** Finds the route of a path. */
export type RouteLookup = { get(path: string): Route | undefined };

/** A route as the JSON of its shard, and parsed once somebody asks for it. */
type Row = { readonly json: string; route: Route | null };

/** The routes of a shard by path. */
type Shard = ReadonlyMap<string, Row>;

/** What differs between two route tables. `old`: the route of the same path before. */
export type TableChanges = {
  readonly set: readonly { readonly route: Route; readonly old?: Route | undefined }[];
  readonly removed: readonly Route[];
};

/**
 * A route table of a site. It reads a shard when a route of it is asked for, and parses a route when somebody wants more
 * than its path, because most routes are the same from one publication to the next. Every method throws a Failure when a
 * part of the table is missing or does not have its hash. The shape is not checked: the hash shows that a build wrote the
 * bytes, and the build checked their shape.
 */
export class RouteTable {
  readonly root: RouteTableRoot;
  readonly #reference: ObjectReference | null;
  readonly #storage: Storage;
  readonly #shards: (Shard | null)[];

  private constructor(
    storage: Storage,
    reference: ObjectReference | null,
    root: RouteTableRoot,
    shards: (Shard | null)[],
  ) {
    this.#storage = storage;
    this.#reference = reference;
    this.root = root;
    this.#shards = shards;
  }

  static read(storage: Storage, reference: ObjectReference): RouteTable {
    const root = routeTableRootOf(storage, reference);
    return new RouteTable(
      storage,
      reference,
      root,
      root.shards.map(() => null),
    );
  }

  /** A table without routes, which no site has. */
  static empty(storage: Storage): RouteTable {
    return new RouteTable(storage, null, { route_count: 0, shard_bits: 0, shards: [] }, [new Map()]);
  }

  get size(): number {
    return this.root.route_count;
  }

  get(path: string): Route | undefined {
    const row = this.#shard(shardOf(path, this.root.shard_bits)).get(path);
    return row && routeOf(row);
  }

  /** Every route, in the order of the shards. */
  *values(): Generator<Route> {
    for (const [, row] of this.#rows()) yield routeOf(row);
  }

  /** Every path, and whether only an earlier publication had it and it stays for readers of that one. */
  *paths(): Generator<[path: string, isCarried: boolean]> {
    for (const [path, { json }] of this.#rows()) yield [path, json.includes('"last_sequence":')];
  }

  /** Hashes of all objects that the table names: its own root and shards, the answers and their variants. */
  *objects(): Generator<string> {
    if (this.#reference) yield this.#reference.sha256;
    for (const { sha256 } of this.root.shards) yield sha256;
    for (const [, { json }] of this.#rows()) yield* hashesIn(json);
  }

  /**
   * Writes the table with these routes instead of, or beside, its own, and without the removed paths, as objects. A
   * shard in which nothing changes keeps its object. Returns the table and its root. Throws a Failure when two of the
   * routes have the same path.
   */
  write(
    routes: Iterable<Route>,
    removed: ReadonlySet<string>,
  ): { readonly table: RouteTable; readonly reference: ObjectReference } {
    const bits = this.root.shard_bits;
    const changed = new Map<number, Map<string, Row>>();
    const claimed = new Set<string>();
    let count = this.size;
    const shardToChange = (path: string) => {
      const number = shardOf(path, bits);
      const shard = changed.get(number) ?? new Map(this.#shard(number));
      changed.set(number, shard);
      return shard;
    };
    for (const path of removed) if (shardToChange(path).delete(path)) count -= 1;
    for (const route of routes) {
      if (claimed.has(route.path)) throw new Failure(`two documents claim the address ${route.path}`);
      claimed.add(route.path);
      const json = JSON.stringify(route);
      const own = this.#shard(shardOf(route.path, bits)).get(route.path);
      if (own?.json === json) continue;
      const shard = shardToChange(route.path);
      if (!shard.has(route.path)) count += 1;
      shard.set(route.path, { json, route });
    }
    const isSplitAsBefore = shardBitsFor(count) === bits && this.root.shards.length > 0;
    const shards = isSplitAsBefore
      ? this.#shards.map((shard, number) => changed.get(number) ?? shard)
      : this.#splitAnew(shardBitsFor(count), changed);
    const references = shards.map((shard, number) => {
      const unchanged = isSplitAsBefore && !changed.has(number) ? this.root.shards[number] : undefined;
      return unchanged ?? writeObject(this.#storage, textOf(shard ?? new Map()));
    });
    const root: RouteTableRoot = { route_count: count, shard_bits: shardBitsFor(count), shards: references };
    const reference = writeObject(this.#storage, JSON.stringify(root));
    return { table: new RouteTable(this.#storage, reference, root, shards), reference };
  }

  /** What differs from this table in another one. */
  changesTo(next: RouteTable): TableChanges {
    const set: { route: Route; old?: Route | undefined }[] = [];
    const removed: Route[] = [];
    const isSplitAlike = this.root.shard_bits === next.root.shard_bits;
    const isSame = (number: number) =>
      isSplitAlike && this.root.shards[number]?.sha256 === next.root.shards[number]?.sha256;
    for (let number = 0; number < next.#shards.length; number += 1) {
      if (isSame(number)) continue;
      for (const [path, row] of next.#shard(number)) {
        const old = isSplitAlike ? this.#shard(number).get(path) : this.#row(path);
        if (old?.json !== row.json) set.push({ route: routeOf(row), old: old && routeOf(old) });
      }
    }
    for (let number = 0; number < this.#shards.length; number += 1) {
      if (isSame(number)) continue;
      for (const [path, row] of this.#shard(number)) {
        if (!(isSplitAlike ? next.#shard(number).get(path) : next.#row(path))) removed.push(routeOf(row));
      }
    }
    return { set, removed };
  }

  #row(path: string): Row | undefined {
    return this.#shard(shardOf(path, this.root.shard_bits)).get(path);
  }

  *#rows(): Generator<[string, Row]> {
    for (let number = 0; number < this.#shards.length; number += 1) yield* this.#shard(number);
  }

  #shard(number: number): Shard {
    const known = this.#shards[number];
    if (known) return known;
    const reference = this.root.shards[number];
    if (!reference) throw new Error(`no shard ${number} in a table of ${this.#shards.length}`);
    const shard = rowsOf(readObject(this.#storage, reference).toString());
    this.#shards[number] = shard;
    return shard;
  }

  #splitAnew(bits: number, changed: ReadonlyMap<number, Shard>): Shard[] {
    const shards: Map<string, Row>[] = Array.from({ length: 2 ** bits }, () => new Map());
    for (let number = 0; number < this.#shards.length; number += 1) {
      for (const [path, row] of changed.get(number) ?? this.#shard(number)) shards[shardOf(path, bits)]?.set(path, row);
    }
    return shards;
  }
}

/** Number of leading bits of a path's SHA-256 that select its shard. They give shards of about 256 routes or fewer. */
function shardBitsFor(routeCount: number): number {
  return Math.max(0, Math.ceil(Math.log2(routeCount / routesPerShard)));
}

/** The shard a path belongs to: the leading bits of its SHA-256. */
function shardOf(path: string, bits: number): number {
  return shardAt(hash('sha256', path).slice(0, 8), bits);
}

/** The shard whose paths have a SHA-256 that begins with these eight digits. */
export function shardAt(digits: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(digits, 16) >>> (32 - bits);
}

function routeOf(row: Row): Route {
  row.route ??= JSON.parse(row.json) as Route;
  return row.route;
}

const [opening, between, closing] = ['{"routes":[', ',{"path":"', ']}\n'];

function textOf(shard: Shard): string {
  const rows = [...shard].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { json }]) => json);
  return `${opening}${rows.join(',')}${closing.slice(0, -1)}`;
}

/**
 * The rows of a shard as a build writes it. A quote within a JSON string is escaped, so where a route begins cannot be
 * in the middle of one.
 */
function rowsOf(text: string): Shard {
  const rows = new Map<string, Row>();
  if (text === opening + closing) return rows;
  if (!text.startsWith(opening + between.slice(1)) || !text.endsWith(closing)) {
    throw new Failure('a shard of the route table is not as a build writes it; build --full makes the site anew');
  }
  const start = between.length - 1;
  const [first = '', ...others] = text.slice(opening.length, -closing.length).split(between);
  for (const json of [first, ...others.map((rest) => between.slice(1) + rest)]) {
    rows.set(json.slice(start, json.indexOf('"', start)), { json, route: null });
  }
  return rows;
}

function writeObject(storage: Storage, text: string): ObjectReference {
  const bytes = Buffer.from(`${text}\n`);
  const sha256 = hash('sha256', bytes);
  storage.create(objectPath(sha256), bytes);
  return { sha256, size: bytes.length };
}

/** The root of a route table. Throws a Failure when it is missing or does not have its hash. */
export function routeTableRootOf(storage: Storage, reference: ObjectReference): RouteTableRoot {
  return JSON.parse(readObject(storage, reference).toString()) as RouteTableRoot;
}

/** The routes of a shard, which the root of its table names. Throws a Failure like {@link routeTableRootOf}. */
export function routesOfShard(storage: Storage, reference: ObjectReference): readonly Route[] {
  return (JSON.parse(readObject(storage, reference).toString()) as { routes: Route[] }).routes;
}

/** Hashes of the objects that a table consists of: its root and its shards. */
export function* objectsOfTable(storage: Storage, root: ObjectReference): Generator<string> {
  yield root.sha256;
  for (const { sha256 } of routeTableRootOf(storage, root).shards) yield sha256;
}

const hashKey = '"sha256":"';

/** The hashes in the JSON of a route. */
function* hashesIn(json: string): Generator<string> {
  for (let at = json.indexOf(hashKey); at >= 0; at = json.indexOf(hashKey, at)) {
    at += hashKey.length;
    yield json.slice(at, at + 64);
  }
}

function readObject(storage: Storage, { sha256 }: ObjectReference): Buffer {
  const bytes = storage.read(objectPath(sha256));
  const found = bytes && hash('sha256', bytes);
  if (bytes === null || found !== sha256) {
    throw new Failure(
      `${objectPath(sha256)}: expected the route table's bytes, got ${found ?? 'nothing'}; build --full makes the site anew`,
    );
  }
  return bytes;
}
