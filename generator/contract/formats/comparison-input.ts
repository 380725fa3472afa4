import * as z from 'zod';
import { product } from '../documents/product.ts';
import { storeSummary } from '../documents/store.ts';
import { warnings } from '../documents/warning.ts';
import { dateTime } from '../primitives.ts';

/**
 * What is known of a product in a store, as one character: positive and how it is classified, zero, row absent; a
 * hyphen where this retrieval says nothing of the store.
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

/** The stores that a comparison can choose from, in the order in which products speak of them: by id. */
export const comparisonStores = z
  .strictObject({ warnings, stores: z.array(storeSummary) })
  .meta({ id: 'ComparisonStores' });

export type ComparisonStores = z.infer<typeof comparisonStores>;

/**
 * What a comparison needs of one product. `observations`: a retrieval each, newest first, with a letter for every store
 * of {@link comparisonStores} in its order; every store is spoken of by one of them at most.
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
