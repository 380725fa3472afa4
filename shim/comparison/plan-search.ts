/**
 * The best plan of one to three stores, contract.md 9; null if no store covers anything. The search is exact: of the
 * plans that cover the most products, it finds the one with the fewest stores, then the nearest farthest store, then
 * the smallest total distance, then the ids, nearest store first, that sort first.
 */
export function searchPlans(candidates: Candidates, maxStops: number): Plan | null {
  const walk = new PlanWalk({ ...candidates, coverage: rarestFirst(candidates.coverage) });
  // More stores are worth a visit only where they cover more.
  for (let stops = 1; stops <= maxStops && walk.count < walk.productCount; stops += 1) walk.through(stops);
  return walk.best && [...new Set(walk.best)];
}

/**
 * Visits the plans with a given number of stores, and keeps the best. The farthest store is in the outermost loop and
 * the nearest in the innermost. Each loop runs from the nearest store to the farthest. Three bounds cut the loops
 * short.
 *
 * By distance: all plans whose farthest store is nearer have already been visited. So a plan that covers no more than
 * the best one can only be better if its farthest store is just as near. From store to store, total distance and ids
 * only get worse.
 *
 * By gain: a plan covers at most what its farthest store covers, plus what the second store adds, plus the most that
 * any store adds to that. This bound matters if there are 25 products, and stores that each cover eight of them.
 *
 * By coverage: {@link leastMissing} gives the fewest products that any last store leaves uncovered. A store that leaves
 * too many to the last one is skipped, both as the second and as the nearest.
 */
class PlanWalk {
  /** How many products at least one store covers. Their positions start at 0. */
  readonly productCount: number;
  /** The stores of the best plan so far, nearest first. If it has fewer than three, the farthest one is repeated. */
  best: readonly [number, number, number] | null = null;
  /** How many products it covers. */
  count = 0;
  /**
   * The metres to the best plan's farthest store, and to its other two together. They are set only if it has as many
   * stores as the plans being visited.
   */
  #farthest = Number.NaN;
  #others = Number.NaN;
  readonly #candidates: Candidates;
  readonly #missing: Uint8Array;
  /** The stores that the inner loops visit, nearest first. */
  readonly #stores: Int32Array;

  constructor(candidates: Candidates) {
    const { coverage } = candidates;
    this.#candidates = candidates;
    this.productCount = bitCount(coverage.reduce((union, covered) => union | covered, 0));
    this.#missing = leastMissing(coverage, this.productCount);
    this.#stores = coverage.map((_, store) => store);
  }

  through(stops: number): void {
    const { coverage, distances } = this.#candidates;
    this.#farthest = Number.NaN;
    for (let farthest = stops - 1; farthest < coverage.length; farthest += 1) {
      if (this.count === this.productCount && distances[farthest] !== this.#farthest) return;
      if (stops === 3) this.#addTwoNearest(farthest, coverage[farthest] as number);
      else this.#addNearest(farthest, farthest, this.productCount, stops === 2 ? 0 : farthest, farthest + 1);
    }
  }

  /** Visits the plans of three stores whose farthest is this one. */
  #addTwoNearest(farthest: number, covered: number): void {
    const { coverage } = this.#candidates;
    const wanted = this.#wanted(0, 1, farthest);
    let [greatest, listed] = [0, 0];
    for (let store = 0; store < farthest; store += 1) {
      const both = covered | (coverage[store] as number);
      if (this.#mostWith(both) < wanted) continue;
      greatest = Math.max(greatest, bitCount(both & ~covered));
      this.#stores[listed] = store;
      listed += 1;
    }
    for (let place = 1; place < listed; place += 1) {
      this.#addNearest(this.#stores[place] as number, farthest, greatest, 0, place);
    }
  }

  /**
   * Visits the plans of these two stores, or one, plus each of the stores listed from `start` to `end`. `gain`: the
   * most products that such a store adds.
   */
  #addNearest(second: number, farthest: number, gain: number, start: number, end: number): void {
    const { coverage, distances } = this.#candidates;
    const covered = (coverage[second] as number) | (coverage[farthest] as number);
    const most = Math.min(bitCount(covered) + gain, this.#mostWith(covered));
    for (let place = start; place < end; place += 1) {
      const nearest = this.#stores[place] as number;
      const wanted = this.#wanted(nearest, second, farthest);
      if (most < wanted) return;
      const count = bitCount(covered | (coverage[nearest] as number));
      if (count < wanted) continue;
      this.best = [nearest, second, farthest];
      this.count = count;
      this.#farthest = distances[farthest] as number;
      this.#others = (distances[nearest] as number) + (distances[second] as number);
    }
  }

  /** The most products that a plan can cover if it covers these without its last store. */
  #mostWith(covered: number): number {
    return this.productCount - (this.#missing[~covered & (this.#missing.length - 1)] as number);
  }

  /** How many products a plan must cover to beat the best one: as many if it precedes the best, otherwise more. */
  #wanted(nearest: number, second: number, farthest: number): number {
    return this.#precedesBest(nearest, second, farthest) ? this.count : this.count + 1;
  }

  /** Whether a plan precedes the best one. False unless both have as many stores and the same farthest distance. */
  #precedesBest(nearest: number, second: number, farthest: number): boolean {
    const { best } = this;
    const { distances, idRanks } = this.#candidates;
    if (best === null || distances[farthest] !== this.#farthest) return false;
    const others = (distances[nearest] as number) + (distances[second] as number);
    if (others !== this.#others) return others < this.#others;
    if (nearest !== best[0]) return (idRanks[nearest] as number) < (idRanks[best[0]] as number);
    if (second !== best[1]) return (idRanks[second] as number) < (idRanks[best[1]] as number);
    return (idRanks[farthest] as number) < (idRanks[best[2]] as number);
  }
}

/** The most products in a table of {@link leastMissing}, which then takes a megabyte. */
const mostInTable = 20;

/**
 * For each set of products, the fewest that any store leaves uncovered. Sets are drawn from the products that the
 * fewest stores cover, and only from so many of these that making the table costs a small part of a visit to all
 * triples of stores. A store that misses n of these misses at least n of all.
 *
 * This bound matters if stores are like the lines of a projective plane: all cover equally many products, and any two
 * overlap, so that no count of products shows that a plan is hopeless before its last store is tried.
 */
function leastMissing(coverage: Int32Array, productCount: number): Uint8Array {
  const triples = coverage.length ** 3 / 6;
  let size = Math.min(productCount, mostInTable);
  while (size > 0 && size * 2 ** size > triples / 8) size -= 1;
  const table = new Uint8Array(2 ** size).fill(mostInTable);
  for (const covered of coverage) table[covered & (table.length - 1)] = 0;
  // So far, the table holds the sets that are exactly what a store covers. Every other set differs from one of these in
  // some products, and each of those is missing if it is in the set and not covered.
  for (let product = 1; product < table.length; product *= 2) {
    for (let start = 0; start < table.length; start += 2 * product) {
      for (let set = start; set < start + product; set += 1) {
        const [without, including] = [table[set] as number, table[set + product] as number];
        table[set] = Math.min(without, including);
        table[set + product] = Math.min(without + 1, including);
      }
    }
  }
  return table;
}

/** The stores in scope, nearest first, and by id at equal distances. The arrays have equal length. */
export type Candidates = {
  /** Metres from the origin, rounded. */
  readonly distances: Int32Array;
  /** Bit p is set if the store covers the product requested at position p. There are at most 25 products. */
  readonly coverage: Int32Array;
  /** The rank of the store's id among the ids of all stores, in text order. */
  readonly idRanks: Int32Array;
};

/** Positions of a plan's stores among the candidates, nearest first. */
export type Plan = readonly number[];

/** The number of set bits in a 32-bit integer. */
export function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** What each store covers, with the products renumbered so that the one that the fewest stores cover comes first. */
function rarestFirst(coverage: Int32Array): Int32Array {
  const storesWith = (product: number) => coverage.reduce((sum, covered) => sum + ((covered >>> product) & 1), 0);
  const products = Array.from({ length: 32 }, (_, product) => ({ product, stores: storesWith(product) }))
    .filter(({ stores }) => stores > 0)
    .sort((a, b) => a.stores - b.stores);
  return coverage.map((covered) =>
    products.reduce((bits, { product }, position) => bits | (((covered >>> product) & 1) << position), 0),
  );
}
