import { hash } from 'node:crypto';
import type { ObjectReference, Route, RouteTableRoot } from '../contract/formats/site.ts';
import { objectPath } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { RouteShard, routeOf } from './route-shard.ts';
import type { Storage } from './storage.ts';

const routesPerShard = 256;

/** Finds the route of a path. */
export type RouteLookup = { get(path: string): Route | undefined };

/** A route of a table. `old`: the route of the same path in the table before. */
export type RouteChange = { readonly route: Route; readonly old?: Route | undefined };

/** What differs between two route tables. `set` can be gone through several times. */
export type TableChanges = { readonly set: Iterable<RouteChange>; readonly removed: readonly Route[] };

/** A route table for other threads: its root, and its shards in memory that all threads share. */
export type SharedTable = { readonly root: RouteTableRoot; readonly shards: readonly SharedArrayBuffer[] };

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
  readonly #shards: (RouteShard | null)[];

  private constructor(
    storage: Storage,
    reference: ObjectReference | null,
    root: RouteTableRoot,
    shards: (RouteShard | null)[],
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
    return new RouteTable(storage, null, { route_count: 0, shard_bits: 0, shards: [] }, [RouteShard.of(new Map())]);
  }

  /** The table that another thread shares. It has the memory of that one. */
  static shared(storage: Storage, { root, shards }: SharedTable): RouteTable {
    return new RouteTable(
      storage,
      null,
      root,
      shards.map((bytes) => new RouteShard(Buffer.from(bytes))),
    );
  }

  /** Reads the whole table, to share it with other threads. */
  share(): SharedTable {
    const shards = this.#shards.map((_, number) => {
      const memory = sharedCopyOf(this.#shard(number).bytes);
      this.#shards[number] = new RouteShard(Buffer.from(memory));
      return memory;
    });
    return { root: this.root, shards };
  }

  get size(): number {
    return this.root.route_count;
  }

  get(path: string): Route | undefined {
    const row = this.#row(path);
    return row === undefined ? undefined : routeOf(row);
  }

  /** The hash of a path's answer, for which its route need not be parsed. */
  hashOf(path: string): string | undefined {
    return this.#shard(shardOf(path, this.root.shard_bits)).hashOf(path);
  }

  /** Every route, in the order of the shards. */
  *values(): Generator<Route> {
    for (const shard of this.#allShards()) for (const [, row] of shard.rows()) yield routeOf(row);
  }

  /** Every path, and whether only an earlier publication had it and it stays for readers of that one. */
  *paths(): Generator<[path: string, isCarried: boolean]> {
    for (const shard of this.#allShards()) yield* shard.paths();
  }

  /** Hashes of all objects that the table names: its own root and shards, the answers and their variants. */
  *objects(): Generator<string> {
    if (this.#reference) yield this.#reference.sha256;
    for (const { sha256 } of this.root.shards) yield sha256;
    for (const shard of this.#allShards()) yield* shard.hashes();
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
    const kept: Route[] = [];
    const claimed = new Set<string>();
    let count = this.size;
    for (const path of removed) if (this.#row(path) !== undefined) count -= 1;
    for (const route of routes) {
      if (claimed.has(route.path)) throw new Failure(`two documents claim the address ${route.path}`);
      claimed.add(route.path);
      const own = this.#row(route.path);
      if (own === undefined) count += 1;
      if (own === undefined || own !== JSON.stringify(route)) kept.push(route);
    }
    const bits = shardBitsFor(count);
    const isSplitAsBefore = bits === this.root.shard_bits && this.root.shards.length > 0;
    const setIn = byShard(kept, ({ path }) => path, bits);
    const removedIn = byShard(removed, (path) => path, bits);
    // One shard after the other, so that the JSON of only one is in memory beside its bytes.
    const shards: (RouteShard | null)[] = [];
    const references: ObjectReference[] = [];
    let number = -1;
    for (const own of this.#splitInto(bits)) {
      number += 1;
      const [set, gone] = [setIn.get(number) ?? [], removedIn.get(number) ?? []];
      const unchanged = isSplitAsBefore && set.length + gone.length === 0 ? this.root.shards[number] : undefined;
      if (unchanged) {
        shards.push(this.#shards[number] ?? null);
        references.push(unchanged);
        continue;
      }
      const rows = new Map<string, string | null>(gone.map((path) => [path, null]));
      for (const route of set) rows.set(route.path, JSON.stringify(route));
      const shard = own().with(rows);
      shards.push(shard);
      references.push(writeObject(this.#storage, shard.bytes));
    }
    const root: RouteTableRoot = { route_count: count, shard_bits: bits, shards: references };
    const reference = writeObject(this.#storage, Buffer.from(`${JSON.stringify(root)}\n`));
    return { table: new RouteTable(this.#storage, reference, root, shards), reference };
  }

  /** What differs from this table in another one. */
  changesTo(next: RouteTable): TableChanges & { readonly set: readonly RouteChange[] } {
    const set: RouteChange[] = [];
    const removed: Route[] = [];
    for (const [own, other] of this.#differencesTo(next)) {
      if (other !== null) set.push({ route: routeOf(other), old: own === null ? undefined : routeOf(own) });
      else if (own !== null) removed.push(routeOf(own));
    }
    return { set, removed };
  }

  *#differencesTo(next: RouteTable): Generator<[own: string | null, other: string | null]> {
    const isSplitAlike = this.root.shard_bits === next.root.shard_bits;
    for (let number = 0; isSplitAlike && number < next.#shards.length; number += 1) {
      if (this.root.shards[number]?.sha256 === next.root.shards[number]?.sha256) continue;
      yield* this.#shard(number).differencesTo(next.#shard(number));
    }
    if (isSplitAlike) return;
    // Tables that are split otherwise are looked up path by path.
    for (const shard of next.#allShards()) {
      for (const [path, row] of shard.rows()) {
        const own = this.#row(path);
        if (own !== row) yield [own ?? null, row];
      }
    }
    for (const shard of this.#allShards()) {
      for (const [path, row] of shard.rows()) if (next.#row(path) === undefined) yield [row, null];
    }
  }

  #row(path: string): string | undefined {
    return this.#shard(shardOf(path, this.root.shard_bits)).row(path);
  }

  *#allShards(): Generator<RouteShard> {
    for (let number = 0; number < this.#shards.length; number += 1) yield this.#shard(number);
  }

  #shard(number: number): RouteShard {
    const known = this.#shards[number];
    if (known) return known;
    const reference = this.root.shards[number];
    if (!reference) throw new Error(`no shard ${number} in a table of ${this.#shards.length}`);
    const shard = new RouteShard(readObject(this.#storage, reference));
    this.#shards[number] = shard;
    return shard;
  }

  /** The rows of this table as the shards of a table with so many bits, in their order. Reads what is asked for. */
  *#splitInto(bits: number): Generator<() => RouteShard> {
    const own = this.root.shard_bits;
    for (let number = 0; number < 2 ** Math.min(bits, own); number += 1) {
      if (bits === own) yield () => this.#shard(number);
      else if (bits < own) {
        const parts = 2 ** (own - bits);
        const rows = () => Array.from({ length: parts }, (_, part) => [...this.#shard(number * parts + part).rows()]);
        yield () => RouteShard.of(new Map(rows().flat()));
      } else {
        const groups = byShard(this.#shard(number).rows(), ([path]) => path, bits);
        const parts = 2 ** (bits - own);
        for (let part = 0; part < parts; part += 1) {
          yield () => RouteShard.of(new Map(groups.get(number * parts + part) ?? []));
        }
      }
    }
  }
}

function sharedCopyOf(bytes: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}

/** Number of leading bits of a path's SHA-256 that select its shard. They give shards of about 256 routes or fewer. */
function shardBitsFor(routeCount: number): number {
  return Math.max(0, Math.ceil(Math.log2(routeCount / routesPerShard)));
}

/** The shard a path belongs to: the leading bits of its SHA-256. */
function shardOf(path: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(hash('sha256', path).slice(0, 8), 16) >>> (32 - bits);
}

/** Things by the shard that their paths belong to. */
function byShard<Thing>(things: Iterable<Thing>, pathOf: (thing: Thing) => string, bits: number): Map<number, Thing[]> {
  const groups = new Map<number, Thing[]>();
  for (const thing of things) {
    const number = shardOf(pathOf(thing), bits);
    const group = groups.get(number);
    if (group) group.push(thing);
    else groups.set(number, [thing]);
  }
  return groups;
}

function writeObject(storage: Storage, bytes: Buffer): ObjectReference {
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
