export type BestPlans = {
  /** The best plan that covers every requested product; null if no plan within the maximum number of stops does. */
  readonly complete: Plan | null;
  /** The best of the plans that cover the most products; null if no store covers any. */
  readonly fullest: Plan | null;
};

/**
 * The plans of `fewest_stores_complete` and `best_partial_plan`, contract.md 9, of one to three stores. The search is
 * exact: of the plans that cover the most products, it finds the one with the fewest stores, then the nearest farthest
 * store, then the smallest total distance, then the ids, nearest store first, that sort first. If there is a complete
 * plan, both are the same.
 */
export function searchPlans(candidates: Candidates, requestedCount: number, maxStops: number): BestPlans {
  const field = coverageField(candidates);
  const { coverage, productCount } = field;
  const walk = new PlanWalk(field);
  // More stores are worth a visit only where they cover more.
  for (let stops = 1; stops <= maxStops && walk.count < productCount; stops += 1) {
    walk.through(stops, stops < 3 ? 1 : greedyCount(coverage, stops));
  }
  if (walk.best.length === 0) return { complete: null, fullest: null };
  const fullest = walk.best.map((store) => field.candidateOf[store] as number);
  // The field has only products that some store covers, so a plan may cover all of the field and yet not be complete.
  return { complete: walk.count === requestedCount ? fullest : null, fullest };
}

/**
 * Visits the plans of a number of stores, and keeps the best. The farthest store is in the outermost loop and the nearest
 * in the innermost. Each loop goes from the nearest store to the farthest. Two bounds cut the loops short.
 *
 * By distance: all plans whose farthest store is nearer were visited before. So a plan that covers no more than the best
 * can only be better if its farthest store is as near as that of the best. In the innermost loop, total distance and ids
 * only get worse from store to store. Once they are no better than those of the best, that loop is over.
 *
 * By coverage: {@link leastMissing} says how many products any last store leaves open. If they are too many, there is no
 * innermost loop.
 */
class PlanWalk {
  /** The stores of the best plan so far, nearest first, and the number of products that they cover. */
  best: Plan = [];
  count = 0;
  /** The number of products that a plan has to cover to be better whatever its distance is. */
  #least = 1;
  readonly #field: CoverageField;
  readonly #missing: Uint8Array;

  constructor(field: CoverageField) {
    this.#field = field;
    this.#missing = leastMissing(field);
  }

  /** `count`: a number of products that some plan of so many stores covers. */
  through(stops: number, count: number): void {
    const { coverage, productCount } = this.#field;
    this.#least = Math.max(this.count + 1, count);
    if (stops === 1) {
      this.#addNearest([], 0, coverage.length);
      return;
    }
    for (let farthest = 1; farthest < coverage.length; farthest += 1) {
      if (this.count === productCount && !this.#isTied(farthest)) return;
      if (stops === 2) this.#addNearest([farthest], coverage[farthest] as number, farthest);
      else this.#addTwoNearest(farthest);
    }
  }

  /** Visits the plans of three stores with this one as the farthest. */
  #addTwoNearest(farthest: number): void {
    const { coverage } = this.#field;
    for (let second = 1; second < farthest; second += 1) {
      const covered = (coverage[farthest] as number) | (coverage[second] as number);
      if (this.#mostWith(covered) < this.#least && !this.#isTied(farthest)) continue;
      this.#addNearest([second, farthest], covered, second);
    }
  }

  /** Visits the plans of some stores and each store before `end`. `covered`: the products that those stores cover. */
  #addNearest(others: Plan, covered: number, end: number): void {
    const { coverage } = this.#field;
    const most = this.#mostWith(covered);
    if (most < this.count) return;
    for (let store = 0; store < end; store += 1) {
      if (most < this.#least && !this.#isNearer([store, ...others])) return;
      const count = bitCount(covered | (coverage[store] as number));
      if (count < this.#least && (count < this.count || !this.#isNearer([store, ...others]))) continue;
      this.best = [store, ...others];
      this.count = count;
      this.#least = count + 1;
    }
  }

  /** How many products a plan covers at most that covers these without its last store. */
  #mostWith(covered: number): number {
    const { productCount } = this.#field;
    const open = (2 ** productCount - 1) & ~covered;
    return productCount - (this.#missing[open & (this.#missing.length - 1)] as number);
  }

  #isTied(farthest: number): boolean {
    const { distances } = this.#field;
    return distances[farthest] === distances[this.best[this.best.length - 1] as number];
  }

  /** Whether a plan precedes the best, which has as many stores and the same farthest distance; otherwise false. */
  #isNearer(plan: Plan): boolean {
    const { distances, idRanks } = this.#field;
    if (plan.length !== this.best.length || !this.#isTied(plan[plan.length - 1] as number)) return false;
    let difference = 0;
    for (const [stop, store] of plan.entries()) {
      difference += (distances[store] as number) - (distances[this.best[stop] as number] as number);
    }
    for (let stop = 0; difference === 0 && stop < plan.length; stop += 1) {
      difference = (idRanks[plan[stop] as number] as number) - (idRanks[this.best[stop] as number] as number);
    }
    return difference < 0;
  }
}

/** The greedy search begins once with each of this many stores that cover the most products. */
const beginnings = 16;

/** A number of products that a plan of `stops` stores covers: store by store, the one that adds most is added. */
function greedyCount(coverage: Int32Array, stops: number): number {
  const largestFirst = [...coverage].sort((a, b) => bitCount(b) - bitCount(a));
  let most = 0;
  for (const first of largestFirst.slice(0, beginnings)) {
    let covered = first;
    for (let stop = 1; stop < stops; stop += 1) covered |= largestGain(coverage, covered);
    most = Math.max(most, bitCount(covered));
  }
  return most;
}

function largestGain(coverage: Int32Array, covered: number): number {
  let [gain, size] = [0, 0];
  for (const candidate of coverage) {
    const count = bitCount(candidate & ~covered);
    if (count > size) [gain, size] = [candidate, count];
  }
  return gain;
}

/** The most products in a table of {@link leastMissing}: it then takes a megabyte. */
const mostInTable = 20;

/**
 * By set of products: how many of it every store leaves open at least. Sets are of the products that the fewest stores
 * cover, so many that the table costs a small part of a visit to all triples of stores. What a store leaves open of
 * these it also leaves open of all.
 *
 * The world that needs this bound has stores as the lines of a projective plane: all cover equally many products, and any
 * two overlap, so that no count of products tells that a plan is hopeless before its last store is looked at.
 */
function leastMissing({ coverage, productCount }: CoverageField): Uint8Array {
  const triples = coverage.length ** 3 / 6;
  let size = Math.min(productCount, mostInTable);
  while (size > 0 && size * 2 ** size > triples / 8) size -= 1;
  const table = new Uint8Array(2 ** size).fill(mostInTable);
  for (const covered of coverage) table[covered & (table.length - 1)] = 0;
  // So far, the table holds sets that are all that a store covers. The other sets differ from one of these in some
  // products, each of which is missing if it is in the set and not covered.
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

/** The stores in scope, nearest first, at equal distances by id. The arrays have equal length. */
export type Candidates = {
  /** Metres from the origin, rounded. */
  readonly distances: Int32Array;
  /** Bit p is set if the store covers the product requested at position p. There are at most 25 products. */
  readonly coverage: Int32Array;
  /** The rank of the store's id among the ids of all stores in text order. */
  readonly idRanks: Int32Array;
};

/** Positions of a plan's stores among the candidates, nearest first. */
export type Plan = readonly number[];

/** How many bits of a 32-bit integer are set. */
export function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The candidates that a best plan can need, in the form that the search uses. Positions are those in this field. */
export type CoverageField = Candidates & {
  /**
   * The number of products that any store covers. They are renumbered: the product that the fewest stores cover is
   * first.
   */
  readonly productCount: number;
  /** By store: its position among the candidates. */
  readonly candidateOf: Int32Array;
};

/** Leaves out the stores that no best plan needs. */
export function coverageField(candidates: Candidates): CoverageField {
  const candidateOf = undominated(candidates);
  const pick = (values: Int32Array) => candidateOf.map((candidate) => values[candidate] as number);
  const coverage = pick(candidates.coverage);
  const storesWith = (product: number) => coverage.reduce((sum, covered) => sum + ((covered >>> product) & 1), 0);
  const products = Array.from({ length: 32 }, (_, product) => ({ product, stores: storesWith(product) }))
    .filter(({ stores }) => stores > 0)
    .sort((a, b) => a.stores - b.stores);
  return {
    productCount: products.length,
    distances: pick(candidates.distances),
    idRanks: pick(candidates.idRanks),
    coverage: coverage.map((covered) =>
      products.reduce((bits, { product }, position) => bits | (((covered >>> product) & 1) << position), 0),
    ),
    candidateOf,
  };
}

/**
 * Each store is compared with this many of the nearest stores kept. To compare it with all of them would cost more than
 * it saves.
 */
const comparedWith = 128;

/**
 * Positions of the candidates that a best plan can need. A store is left out if it covers nothing, or if a store before
 * it covers all that it does.
 *
 * No best plan is lost. Suppose a plan has a store that was left out, and replace it with the store before it. The plan
 * covers no less, no distance grows, and at equal distances a smaller id moves forward. If the plan has that store
 * already, the left-out one is superfluous.
 */
function undominated({ coverage }: Candidates): Int32Array {
  const kept: number[] = [];
  const seen = new Set([0]);
  for (const [store, covered] of coverage.entries()) {
    if (seen.has(covered)) continue;
    seen.add(covered);
    if (!kept.slice(0, comparedWith).some((rival) => (covered & ~(coverage[rival] as number)) === 0)) kept.push(store);
  }
  return Int32Array.from(kept);
}
