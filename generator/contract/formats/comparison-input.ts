import * as z from 'zod';
import { product } from '../documents/product.ts';
import { storeSummary } from '../documents/store.ts';
import { warnings } from '../documents/warning.ts';
import { dateTime } from '../primitives.ts';

/**
 * The state of a product in a store, as one character: the classification of a positive report, zero, or row absent. A
 * hyphen means that the retrieval says nothing about the store.
 */
export const pairLetters = {
  eligible: 'e',
  restricted: 'r',
  not_eligible: 'n',
  reported_zero: 'z',
  row_absent: 'a',
  unchecked: '-',
} as const;

export type PairLetter = (typeof pairLetters)[keyof typeof pairLetters];

/** The stores that a comparison can choose from, by id. Letters of products are in the same order. */
export const comparisonStores = z
  .strictObject({ warnings, stores: z.array(storeSummary) })
  .meta({ id: 'ComparisonStores' });

export type ComparisonStores = z.infer<typeof comparisonStores>;

/**
 * What a comparison needs of one product. `observations` has an item per retrieval, newest first, with a letter for
 * every store of {@link comparisonStores} in the same order. At most one item says something about a store.
 */
export const comparisonProduct = z
  .strictObject({
    product,
    warnings,
    observations: z.array(
      z.strictObject({
        retrieved_at: dateTime,
        meets_retrieval_policy: z.boolean(),
        stores: z.string().regex(/^[ernza-]*$/),
      }),
    ),
  })
  .meta({ id: 'ComparisonProduct' });

export type ComparisonProduct = z.infer<typeof comparisonProduct>;
