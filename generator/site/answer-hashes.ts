import { hash } from 'node:crypto';
import type { ObjectReference, RouteTableRoot } from '../contract/formats/site.ts';
import { routesOfShard, routeTableRootOf, shardAt } from './route-table.ts';
import type { Storage } from './storage.ts';

const hashSize = 32;
const rowSize = 2 * hashSize;

/**
 * The hashes of a publication's answers by their paths, for threads that need no more of its route table: 64 bytes an
 * answer, where a table in memory takes some 600. Reads a shard when a path of it is asked for. Throws a Failure when a
 * part of the table is missing or does not have its hash.
 */
export class AnswerHashes {
  readonly #storage: Storage;
  readonly #root: RouteTableRoot;
  /** Rows of two hashes of each shard: of the path, and of its answer. */
  readonly #shards: (Buffer | undefined)[] = [];

  constructor(storage: Storage, reference: ObjectReference) {
    this.#storage = storage;
    this.#root = routeTableRootOf(storage, reference);
  }

  get(path: string): { readonly sha256: string } | undefined {
    const key = hash('sha256', path, 'buffer');
    const rows = this.#shard(shardAt(key.toString('hex', 0, 4), this.#root.shard_bits));
    for (let at = rows.indexOf(key); at >= 0; at = rows.indexOf(key, at + 1)) {
      if (at % rowSize === 0) return { sha256: rows.toString('hex', at + hashSize, at + rowSize) };
    }
    return undefined;
  }

  #shard(number: number): Buffer {
    const known = this.#shards[number];
    if (known) return known;
    const reference = this.#root.shards[number];
    if (!reference) throw new Error(`no shard ${number} in a table of ${this.#root.shards.length}`);
    const routes = routesOfShard(this.#storage, reference);
    const rows = Buffer.alloc(routes.length * rowSize);
    for (const [index, { path, sha256 }] of routes.entries()) {
      rows.set(hash('sha256', path, 'buffer'), index * rowSize);
      rows.write(sha256, index * rowSize + hashSize, 'hex');
    }
    this.#shards[number] = rows;
    return rows;
  }
}
