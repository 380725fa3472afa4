import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitCount, coverageField, undominated } from '../../../../shim/comparison/plans/candidates.ts';
import { coveredSets, NearestCover, reaches, withOneMore } from '../../../../shim/comparison/plans/nearest-cover.ts';
import {
  bargain,
  evenPrices,
  fullPrice,
  type ProductPrices,
  worthOf,
} from '../../../../shim/comparison/plans/product-prices.ts';
import { atOnce } from '../../../../shim/scheduling/work.ts';
import { Dice } from '../../../support/random-world.ts';
import { bestOfEveryPlan } from './every-plan.ts';
import { randomCandidates } from './random-candidates.ts';

const size = fc.noBias(
  fc.record({ seed: fc.nat(), stores: fc.integer({ min: 1, max: 20 }), products: fc.integer({ min: 1, max: 9 }) }),
);

function check(property: (size: { seed: number; stores: number; products: number }) => void, numRuns = 300): void {
  fc.assert(fc.property(size, property), { seed: 20250401, numRuns });
}

test('every product has a table bit: a set is in when some store covers it, or all but so many of it', () => {
  check((size) => {
    const { coverage, productCount } = coverageField(randomCandidates(size));
    let table = atOnce(coveredSets(coverage, productCount));
    for (let missing = 0; missing < 3; missing += 1) {
      // Tables ignore product 0, so this checks the sets without it: the even numbers.
      for (let set = 0; set < 2 ** productCount; set += 2) {
        const isIn = coverage.some((covered) => bitCount(set & ~covered) <= missing);
        expect(reaches(table, set), `${set.toString(2)} but ${missing}`).toBe(isIn && coverage.length > 0);
      }
      table = atOnce(withOneMore(table));
    }
  });
});

test('the nearest store is found alike with tables, without them, and with tables of more stores than are left', () => {
  check((size) => {
    const field = coverageField(randomCandidates(size));
    const dice = new Dice(size.seed);
    for (const patience of [0, Number.POSITIVE_INFINITY]) {
      const cover = new NearestCover(field, patience);
      for (let end = field.coverage.length; end > 0; end -= dice.below(3)) {
        cover.begin(end);
        const [needed, missing] = [dice.below(2 ** field.productCount), dice.below(3)];
        if (bitCount(needed) <= missing) continue;
        const nearest = field.coverage.subarray(0, end).findIndex((covered) => bitCount(needed & ~covered) <= missing);
        if (cover.isDue(missing)) atOnce(cover.renew(missing, end));
        expect(cover.find(needed, missing, end)).toBe(nearest);
        const table = cover.table(missing);
        if (nearest >= 0 && table) expect(reaches(table, needed)).toBe(true);
      }
    }
  });
});

test('no plan leaves less uncovered than the prices say', () => {
  const least = ({ highest, ...prices }: ProductPrices, all: number, stops: number) =>
    Math.ceil((worthOf(prices, all) - stops * highest) / fullPrice);
  check((size) => {
    const candidates = randomCandidates(size);
    const field = coverageField(candidates);
    if (field.coverage.length === 0) return;
    for (const stops of [1, 2, 3]) {
      const most = bitCount(bestOfEveryPlan(candidates, stops)?.covered ?? 0);
      for (const prices of [evenPrices(field), atOnce(bargain(field, stops))]) {
        expect(least(prices, 2 ** field.productCount - 1, stops)).toBeLessThanOrEqual(field.productCount - most);
      }
    }
  });
});

test('prices tell what counting cannot: four products of which a store has one at most take four stores', () => {
  const coverage = Int32Array.from({ length: 40 }, (_, store) => (1 << (store % 4)) | ((((store * 37) % 64) | 9) << 4));
  const field = coverageField({ distances: new Int32Array(40), coverage, idRanks: coverage.map((_, rank) => rank) });
  const surplus = ({ highest, ...prices }: ProductPrices) => worthOf(prices, 2 ** field.productCount - 1) - 3 * highest;
  expect(surplus(evenPrices(field))).toBeLessThanOrEqual(0);
  expect(surplus(atOnce(bargain(field, 3)))).toBeGreaterThan(0);
});

test('the best plan never needs a store that was left out', () => {
  check((size) => {
    const candidates = randomCandidates(size);
    const kept = [...undominated(candidates)];
    for (const maxStops of [1, 2, 3]) {
      for (const store of bestOfEveryPlan(candidates, maxStops)?.plan ?? []) expect(kept).toContain(store);
    }
  });
});
