import { hash } from 'node:crypto';
import type { Route } from '../../contract/site.ts';

/**
 * The routes of one publication, by path. Where a shard could not be read nobody knows which of its paths exist:
 * asking for one gives `unknown`, so that one damaged shard is one fault and not a thousand broken links.
 */
export class RouteTable {
  readonly routes: ReadonlyMap<string, Route>;
  readonly #shardBits: number;
  readonly #lostShards: ReadonlySet<number>;

  constructor(routes: ReadonlyMap<string, Route>, shardBits: number, lostShards: ReadonlySet<number>) {
    this.routes = routes;
    this.#shardBits = shardBits;
    this.#lostShards = lostShards;
  }

  get isComplete(): boolean {
    return this.#lostShards.size === 0;
  }

  find(path: string): Route | 'absent' | 'unknown' {
    const route = this.routes.get(path);
    if (route) return route;
    return this.#lostShards.has(shardNumber(path, this.#shardBits)) ? 'unknown' : 'absent';
  }
}

/** Which shard a path belongs to: the leading bits of its SHA-256. Not the builder's function, whose work it judges. */
export function shardNumber(path: string, bits: number): number {
  return bits === 0 ? 0 : hash('sha256', path, 'buffer').readUInt32BE(0) >>> (32 - bits);
}
