import type { Candidates } from '../../../shim/comparison/plan-search.ts';
import { integer, type Random, seededRandom } from '../../support/random.ts';

/** The set of products that a store covers. */
type Spread = (random: Random, products: number, store: number) => number;
type PlanWorld = {
  readonly name: string;
  readonly stores: number;
  readonly products: number;
  readonly spread: Spread;
  /** Metres. Uniform up to 500 km if absent. */
  readonly distance?: (random: Random, store: number) => number;
};

/** As many stores as a state has. */
export const statewideWorld: PlanWorld = { name: 'a state', stores: 100, products: 25, spread: popular };

/** Worlds of 10,000 stores, each hard for the search in a different way. */
export const hardWorlds: readonly PlanWorld[] = [
  ...[0.05, 0.1, 0.15, 0.3, 0.5].map((density) => ({
    name: `a pair in ${Math.round(1 / density)} covered`,
    spread: independent(density),
  })),
  { name: 'each covers 8, none more than another', spread: equalSize(8) },
  { name: 'each covers 12, none more than another', spread: equalSize(12) },
  { name: 'no complete plan: four products, of which each has one', spread: oneOf(4, 10) },
  {
    name: 'one complete plan, of the three farthest: six products, of which only they have two',
    spread: planted,
    distance: farAway,
  },
  { name: 'three products, each in another group of stores far away', spread: farGroups, distance: groupsAway },
  { name: 'all at one place', spread: independent(0.15), distance: () => 1_000 },
  { name: 'the hardest known: lines of a projective plane', spread: planes },
].map((world) => ({ stores: 10_000, products: 25, ...world }));

export function candidatesOf({ stores, products, spread, distance }: PlanWorld): Candidates {
  const random = seededRandom(3);
  const rows = Array.from({ length: stores }, (_, store) => ({
    covered: spread(random, products, store),
    distance: distance ? distance(random, store) : integer(random, 0, 500_000),
    rank: store,
  }));
  rows.sort((a, b) => a.distance - b.distance || a.rank - b.rank);
  return {
    distances: Int32Array.from(rows, (row) => row.distance),
    coverage: Int32Array.from(rows, ({ covered }) => covered),
    idRanks: Int32Array.from(rows, ({ rank }) => rank),
  };
}

function independent(density: number): Spread {
  return (random, products) => setOf(products, () => random() < density);
}

/** Nearly all stores have a few of the products, some stores have most, and hardly any have the rest. */
function popular(random: Random, products: number): number {
  return setOf(products, (product) => random() < 0.9 / (1 + product / 4));
}

function equalSize(size: number): Spread {
  return (random, products) => bitsOf(drawn(random, products, size));
}

/** Each store covers one of the first products and a number of the others. */
function oneOf(first: number, others: number): Spread {
  return (random, products) =>
    bitsOf([
      integer(random, 0, first - 1),
      ...drawn(random, products - first, others).map((product) => first + product),
    ]);
}

function planted(random: Random, products: number, store: number): number {
  if (store >= 3) return oneOf(6, 9)(random, products, store);
  return setOf(products, (product) => (product < 6 ? product >> 1 : product % 3) === store);
}

/** Three stores in ten are far away, and are the only ones with one of three products. */
function farGroups(random: Random, products: number, store: number): number {
  const own = store % 10 < 3 ? [store % 10] : [];
  return bitsOf([...own, ...drawn(random, products - 3, 7).map((product) => 3 + product)]);
}

function groupsAway(random: Random, store: number): number {
  return store % 10 < 3 ? 499_000 : integer(random, 0, 400_000);
}

function farAway(random: Random, store: number): number {
  return store < 3 ? 499_990 + store : integer(random, 0, 499_000);
}

/**
 * Covers a line of the projective plane of 13 points, where any two lines meet in one point, and six of the twelve
 * other products. Every plan overlaps so much that only trying all of them shows how little can be covered.
 */
function planes(random: Random): number {
  const shift = integer(random, 0, 12);
  const line = [0, 1, 3, 9].map((point) => (point + shift) % 13);
  return bitsOf([...line, ...drawn(random, 12, 6).map((product) => 13 + product)]);
}

function drawn(random: Random, from: number, count: number): number[] {
  const left = [...Array(from).keys()];
  return Array.from({ length: count }, () => left.splice(integer(random, 0, left.length - 1), 1)[0] as number);
}

function setOf(products: number, test: (product: number) => boolean): number {
  return bitsOf([...Array(products).keys()].filter(test));
}

function bitsOf(products: readonly number[]): number {
  return products.reduce((bits, product) => bits | (1 << product), 0);
}
