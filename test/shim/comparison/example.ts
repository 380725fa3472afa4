import type { Comparison } from '../../../contract/schemas/store.ts';
import type { StrategyName } from '../../../contract/vocabulary.ts';
import { type ComparisonQuery, compare } from '../../../shim/comparison/compare.ts';
import {
  type ComparisonWorld,
  nameFor,
  openView,
  type PairLetter,
  placeAt,
  queryFor,
  type WorldProduct,
  type WorldStore,
} from './comparison-world.ts';

/** Times at which pairs were observed: one within the policy, and one too old for it. */
export const [recently, longAgo] = ['2025-04-01T06:00:00Z', '2025-02-01T06:00:00.5Z'];

/**
 * A world from a table: for each store its distance from the centre in metres (null: no published location) and a
 * letter for each product. A capital letter is an observation that does not meet the policy.
 */
export function example(
  products: readonly string[],
  table: Readonly<Record<string, readonly [metres: number | null, letters: string]>>,
): ComparisonWorld {
  const rows = Object.entries(table);
  return {
    warnings: [],
    stores: rows.map(
      ([name, [metres]], row): WorldStore => ({ name, location: metres === null ? null : placeAt(metres, 70 * row) }),
    ),
    products: products.map((name, column): WorldProduct => {
      const pairs = rows.flatMap(([store, [, letters]]) => {
        const letter = letters[column] ?? '-';
        const retrieval = letter === letter.toLowerCase() ? 0 : 1;
        return letter === '-' ? [] : [[store, { letter: letter.toLowerCase() as PairLetter, retrieval }] as const];
      });
      return {
        name,
        sku: String(100 + column).padStart(6, '0'),
        formerSkus: [],
        warnings: [],
        retrievals: [
          { retrievedAt: recently as string, meetsPolicy: true },
          { retrievedAt: longAgo as string, meetsPolicy: false },
        ],
        pairs: Object.fromEntries(pairs),
      };
    }),
  };
}

/** Asks for all products of a world, in its order. */
export async function ask(world: ComparisonWorld, query: Partial<ComparisonQuery> = {}): Promise<Comparison> {
  const names = world.products.map(({ name }) => name);
  return compare(await openView(world), queryFor(names, query));
}

/**
 * The result of a strategy in one line: `complete: a(gin) c(rum)` with the products assigned to each store, or the
 * reason for no solution.
 */
export function describeSolution({ data }: Comparison, strategy: StrategyName): string {
  const found = data.strategies.find((solution) => solution.strategy === strategy);
  if (!found?.plan) return `${found?.result_state}: ${found?.no_solution_reason}`;
  const stops = found.plan.stores.map(
    ({ store, assigned_product_ids }) => `${store.name}(${assigned_product_ids.map(nameFor).join(' ')})`,
  );
  return `${found.result_state}: ${stops.join(' ')}`;
}
