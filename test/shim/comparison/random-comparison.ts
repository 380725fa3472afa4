import fc from 'fast-check';
import { warningCode } from '../../../contract/schemas/primitives.ts';
import type { ComparisonQuery } from '../../../shim/comparison/compare.ts';
import { Dice } from '../../support/random-world.ts';
import {
  type ComparisonWorld,
  centre,
  type PairLetter,
  type Place,
  pairLetters,
  placeAt,
  queryFor,
  type WorldProduct,
} from './comparison-world.ts';

export type ComparisonSize = { readonly seed: number; readonly stores: number; readonly products: number };
export type RandomComparison = { readonly world: ComparisonWorld; readonly query: ComparisonQuery };

export const comparisonSize = fc.noBias(
  fc.record({ seed: fc.nat(), stores: fc.integer({ min: 0, max: 16 }), products: fc.integer({ min: 1, max: 8 }) }),
);

/**
 * Few distances, so that most plans tie. Stores at the same distance are in different directions, or at the same place.
 */
const distances = [0, 4, 4, 4, 7, 7, 7, 11, 11, 18, 18, 300, 300, null];
const radii = [1, 4, 10, 18, ...Array.from({ length: 8 }, () => 500_000)];
const directions = [0, 0, 90, 211];
const instants = ['2025-04-01T06:00:00Z', '2025-03-31T23:59:59Z', '2025-03-01T00:00:00.25Z', '2025-03-01T00:00:00Z'];

/**
 * An ordinary place, both poles, both sides of the antimeridian, and the point where the equator meets the prime
 * meridian.
 */
const origins: readonly Place[] = [
  centre,
  { latitude: 90, longitude: 0 },
  { latitude: -90, longitude: 25 },
  { latitude: 12, longitude: 180 },
  { latitude: -33.3, longitude: -179.9999 },
  { latitude: 0, longitude: 0 },
];

/** A small world with many ties, and a random query about it. The same size and seed give the same result. */
export function randomComparison({ seed, stores, products }: ComparisonSize): RandomComparison {
  const dice = new Dice(seed);
  const origin = dice.pick(origins);
  const names = (count: number, letters: string) => [
    ...new Set(Array.from({ length: count }, () => nameFor(dice, letters))),
  ];
  const storeNames = names(stores, 'abmz');
  const productNames = names(products, 'pqr');
  const density = dice.pick([0.1, 0.25, 0.35, 0.5, 0.9]);
  const world: ComparisonWorld = {
    warnings: pickSome(dice, warningCode.options),
    stores: storeNames.map((name) => {
      const distance = dice.pick(distances);
      return { name, location: distance === null ? null : placeAt(distance, dice.pick(directions), origin) };
    }),
    products: productNames.map((name, number) => randomProduct(dice, name, number, storeNames, density)),
  };
  const requested = dice.shuffled(productNames).slice(0, 1 + dice.below(3 * productNames.length));
  const query = queryFor(requested, {
    lat: origin.latitude,
    lng: origin.longitude,
    radius_m: dice.pick(radii),
    strategies: dice.shuffled(queryFor([]).strategies).slice(dice.below(3)),
    purchase_eligibility: dice.pick(['eligible', 'any']),
    inventory_age: dice.pick(['within_policy', 'any_age']),
    max_stops: dice.pick([1, 2, 3, 3]),
  });
  return { world, query };
}

/** Names of different lengths; one may begin with another. */
function nameFor(dice: Dice, letters: string): string {
  return Array.from({ length: 1 + dice.below(4) }, () => dice.pick([...letters])).join('');
}

function pickSome<Item>(dice: Dice, items: readonly Item[]): Item[] {
  return items.filter(() => dice.happens(0.2));
}

function randomProduct(
  dice: Dice,
  name: string,
  number: number,
  storeNames: readonly string[],
  density: number,
): WorldProduct {
  const retrievals = instants.slice(dice.happens(0.9) ? dice.below(3) : instants.length).map((retrievedAt) => ({
    retrievedAt,
    meetsPolicy: dice.happens(0.9),
  }));
  const pairs: Record<string, { letter: PairLetter; retrieval: number }> = {};
  for (const store of storeNames) {
    const letter = randomLetter(dice, density);
    if (retrievals.length === 0 || letter === pairLetters.unchecked) continue;
    pairs[store] = { letter, retrieval: dice.below(retrievals.length) };
  }
  const sku = String(number).padStart(6, '0');
  return { name, sku, formerSkus: [], warnings: pickSome(dice, warningCode.options), retrievals, pairs };
}

function randomLetter(dice: Dice, density: number): PairLetter {
  const { eligible, restricted, not_eligible, reported_zero, row_absent, unchecked } = pairLetters;
  if (dice.happens(density)) return dice.pick([eligible, eligible, eligible, restricted, not_eligible]);
  return dice.pick([reported_zero, row_absent, row_absent, row_absent, unchecked]);
}
