import type { ObjectReference, RouteTableRoot } from '../contract/formats/site.ts';
import { objectPath } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { limits } from '../remote/limits.ts';

/**
 * Adds up the sizes that the route tables of a host claim. Throws a Failure when a size or the sum is too large, before
 * anything of that size is read.
 */
export class TableClaims {
  readonly #root: string;
  #total = 0;

  /** `root`: the public root of the site, for messages. */
  constructor(root: string) {
    this.#root = root;
  }

  get total(): number {
    return this.#total;
  }

  addRoot(reference: ObjectReference): void {
    this.#add(reference, limits.tableRoot, 'the root of a route table');
  }

  addShards({ shards }: RouteTableRoot): void {
    for (const reference of shards) this.#add(reference, limits.shard, 'a shard of a route table');
  }

  #add({ sha256, size }: ObjectReference, most: number, what: string): void {
    const url = `${this.#root}/${objectPath(sha256)}`;
    if (size > most) throw new Failure(`${url}: expected ${what} of at most ${most} bytes, got a claim of ${size}`);
    this.#total += size;
    if (this.#total > limits.tables) {
      throw new Failure(
        `${this.#root}: expected route tables of at most ${limits.tables} bytes in all, got a claim of more`,
      );
    }
  }
}
