import type { Candidates } from '../../../shim/comparison/plan-search.ts';
import { Dice } from '../../support/random-world.ts';

export type CandidatesSize = { readonly seed: number; readonly stores: number; readonly products: number };

/** Ways to spread the products over the stores. Each leads the search down different paths. */
const spreads: readonly ((dice: Dice, products: number) => () => number)[] = [
  // Every store covers every product with the same probability.
  (dice, products) => {
    const density = dice.pick([0.05, 0.15, 0.25, 0.4, 0.7]);
    return () => randomSet(products, () => dice.happens(density));
  },
  // Every store covers the same number of products, so none covers all that another one does.
  (dice, products) => {
    const size = Math.ceil(products * dice.pick([0.2, 0.35, 0.5]));
    return () => toBits(dice.shuffled([...Array(products).keys()]).slice(0, size));
  },
  // Some products are nearly everywhere, others hardly anywhere.
  (dice, products) => () => randomSet(products, (product) => dice.happens(0.9 / (product + 1))),
  // Every store covers one of four products, so a complete plan needs four stores, and half of the others.
  (dice, products) => () =>
    (1 << dice.below(Math.min(4, products))) | randomSet(products, (p) => p > 3 && dice.happens(0.5)),
  // All stores cover a common half, and little else.
  (dice, products) => () => randomSet(products, (product) => product < products / 2 || dice.happens(0.2)),
  // Lines of a projective plane: any two stores have exactly one product in common, and few plans are good.
  (dice, products) => {
    const shift = () => dice.below(13);
    return () => toBits([0, 1, 3, 9].map((point) => (point + shift()) % 13)) & (2 ** products - 1);
  },
];

/** Stores at a few distances, many of them alike, so that plans tie. The same size and seed give the same stores. */
export function randomCandidates({ seed, stores, products }: CandidatesSize): Candidates {
  const dice = new Dice(seed);
  const spread = dice.pick(spreads)(dice, products);
  const places = 1 + dice.below(dice.pick([2, 6, 60]));
  const rows = Array.from({ length: stores }, () => ({ distance: 10 * dice.below(places), covered: spread() }));
  const ranks = dice.shuffled([...rows.keys()]);
  const sorted = rows
    .map((row, index) => ({ ...row, rank: ranks[index] as number }))
    .sort((a, b) => a.distance - b.distance || a.rank - b.rank);
  return {
    distances: Int32Array.from(sorted, ({ distance }) => distance),
    coverage: Int32Array.from(sorted, ({ covered }) => covered),
    idRanks: Int32Array.from(sorted, ({ rank }) => rank),
  };
}

function randomSet(products: number, test: (product: number) => boolean): number {
  return toBits([...Array(products).keys()].filter(test));
}

function toBits(products: readonly number[]): number {
  return products.reduce((bits, product) => bits | (1 << product), 0);
}
