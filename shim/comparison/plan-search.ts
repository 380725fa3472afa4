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
  const walk = new PlanWalk(field);
  // More stores are worth a visit only where they cover more.
  for (let stops = 1; stops <= maxStops && walk.count < field.productCount; stops += 1) {
    walk.through(stops, stops < 3 ? 1 : greedyCount(field.coverage, stops));
  }
  if (walk.best === null) return { complete: null, fullest: null };
  const fullest = [...new Set(walk.best)].map((store) => field.candidateOf[store] as number);
  // The field has only products that some store covers, so a plan may cover all of the field and yet not be complete.
  return { complete: walk.count === requestedCount ? fullest : null, fullest };
}

/**
 * Visits the plans of a number of stores, and keeps the best. The farthest store is in the outermost loop and the nearest
 * in the innermost. Each loop goes from the nearest store to the farthest. Four bounds cut the loops short.
 *
 * By distance: all plans whose farthest store is nearer were visited before. So a plan that covers no more than the best
 * can only be better if its farthest store is as near as that of the best. From store to store, total distance and ids only
 * get worse.
 *
 * By gain: a plan covers no more than its farthest store, what the second adds to that, and the most that any store adds to
 * it. The world that needs this bound has 25 products, of which each store covers eight.
 *
 * By coverage: {@link leastMissing} says how many products any last store leaves open. A store that leaves too many to it is
 * not visited, neither as the second nor as the nearest.
 *
 * By reach: the nearest store is one of those before the second. The world that needs this bound has three products, each
 * reported by a group of stores that are far away. The table knows all the groups; the stores before the second lack one.
 */
class PlanWalk {
  /** The stores of the best plan so far, nearest first. Where it has fewer than three, the farthest one is repeated. */
  best: readonly [number, number, number] | null = null;
  /** How many products it covers. */
  count = 0;
  /** The metres to its farthest store, if it has as many stores as the plans that are visited, and to the two others together. */
  #farthest = Number.NaN;
  #others = Number.NaN;
  /** A number of products that some plan covers. */
  #floor = 1;
  readonly #field: CoverageField;
  readonly #missing: Uint8Array;
  /** The stores that the inner loops visit, nearest first. */
  readonly #stores: Int32Array;
  /** By store: how many products it adds at most. */
  readonly #gains: Uint8Array;

  constructor(field: CoverageField) {
    this.#field = field;
    this.#missing = leastMissing(field);
    this.#stores = field.coverage.map((_, store) => store);
    this.#gains = Uint8Array.from(field.coverage, bitCount);
  }

  /** `floor`: a number of products that some plan of so many stores covers. */
  through(stops: number, floor: number): void {
    const { coverage, distances, productCount } = this.#field;
    this.#floor = floor;
    this.#farthest = Number.NaN;
    for (let farthest = stops - 1; farthest < coverage.length; farthest += 1) {
      if (this.count === productCount && distances[farthest] !== this.#farthest) return;
      const covered = coverage[farthest] as number;
      if (stops === 3) this.#addTwoNearest(farthest, covered);
      else if (stops === 2) this.#addNearest(farthest, farthest, this.#mostWith(covered), 0, farthest);
      else this.#addNearest(farthest, farthest, bitCount(covered), farthest, farthest + 1);
    }
  }

  /** Visits the plans of three stores with this one as the farthest. */
  #addTwoNearest(farthest: number, covered: number): void {
    const { coverage } = this.#field;
    const [stores, gains] = [this.#stores, this.#gains];
    let greatest = 0;
    for (let store = 0; store < farthest; store += 1) {
      const gain = bitCount((coverage[store] as number) & ~covered);
      gains[store] = gain;
      if (gain > greatest) greatest = gain;
    }
    const wanted = this.#wanted(0, 1, farthest);
    const least = wanted - bitCount(covered) - greatest;
    let listed = 0;
    for (let store = 0; store < farthest; store += 1) {
      if ((gains[store] as number) < least || this.#mostWith(covered | (coverage[store] as number)) < wanted) continue;
      stores[listed] = store;
      listed += 1;
    }
    let reach = 0;
    for (let place = 1; place < listed; place += 1) {
      reach |= coverage[stores[place - 1] as number] as number;
      const second = stores[place] as number;
      const both = covered | (coverage[second] as number);
      const most = Math.min(bitCount(both | reach), bitCount(both) + greatest, this.#mostWith(both));
      this.#addNearest(second, farthest, most, 0, place);
    }
  }

  /**
   * Visits the plans of two stores, or of one, and each of the stores listed at the places from `start` to `end`. `most`: how
   * many products such a plan covers at most.
   */
  #addNearest(second: number, farthest: number, most: number, start: number, end: number): void {
    const { coverage, distances } = this.#field;
    const covered = (coverage[second] as number) | (coverage[farthest] as number);
    const size = bitCount(covered);
    for (let place = start; place < end; place += 1) {
      const nearest = this.#stores[place] as number;
      const wanted = this.#wanted(nearest, second, farthest);
      if (most < wanted) return;
      if (size + (this.#gains[nearest] as number) < wanted) continue;
      const count = bitCount(covered | (coverage[nearest] as number));
      if (count < wanted) continue;
      this.best = [nearest, second, farthest];
      this.count = count;
      this.#farthest = distances[farthest] as number;
      this.#others = (distances[nearest] as number) + (distances[second] as number);
    }
  }

  /** How many products a plan covers at most that covers these without its last store. */
  #mostWith(covered: number): number {
    return this.#field.productCount - (this.#missing[~covered & (this.#missing.length - 1)] as number);
  }

  /** How many products a plan has to cover to be better than the best: as many, if it precedes the best, or more. */
  #wanted(nearest: number, second: number, farthest: number): number {
    return this.#precedesBest(nearest, second, farthest) ? this.count : Math.max(this.count + 1, this.#floor);
  }

  /** Whether a plan precedes the best, which has as many stores and the same farthest distance; otherwise false. */
  #precedesBest(nearest: number, second: number, farthest: number): boolean {
    const { best } = this;
    const { distances, idRanks } = this.#field;
    if (best === null || distances[farthest] !== this.#farthest) return false;
    const others = (distances[nearest] as number) + (distances[second] as number);
    if (others !== this.#others) return others < this.#others;
    if (nearest !== best[0]) return (idRanks[nearest] as number) < (idRanks[best[0]] as number);
    if (second !== best[1]) return (idRanks[second] as number) < (idRanks[best[1]] as number);
    return (idRanks[farthest] as number) < (idRanks[best[2]] as number);
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
