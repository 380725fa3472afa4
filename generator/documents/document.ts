import type { CachePolicy } from '../../contract/addresses.ts';
import { compareInstants, type InstantSpan, instantSpan } from '../../contract/instant.ts';
import type { Addresser } from '../../contract/paths.ts';
import { type Freshness, type Warning, warningCode } from '../../contract/schemas/primitives.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import type { Product } from './product.ts';
import type { State } from './state.ts';

export type Document = {
  readonly path: string;
  /** Other addresses that answer with the same bytes. */
  readonly aliases?: readonly string[];
  readonly cache: CachePolicy;
  /**
   * For bytes that never change, the time of the publication that they are from. Null for all others, whose
   * Last-Modified depends on the previous build.
   */
  readonly since: string | null;
  readonly value: unknown;
  /** The JSON of the members of `value.data`, which is empty then. */
  readonly rows?: readonly string[];
  /** Their values, where they have to be checked; absent if another document has the same rows and checks them. */
  readonly rowValues?: () => readonly unknown[];
};

export function changing(path: string, value: unknown, aliases: readonly string[] = []): Document {
  return { path, aliases, cache: 'revalidate', since: null, value };
}

/** A changing document with `data`, and the warnings that concern it. */
export function answer(
  path: string,
  data: unknown,
  warnings: Iterable<WarningCode>,
  aliases: readonly string[] = [],
): Document {
  return changing(path, { data, meta: { warnings: warningList(warnings) } }, aliases);
}

export type Site = { readonly address: Addresser };

/** The warnings with these codes, each once, in the order of the contract. */
export function warningList(codes: Iterable<WarningCode>): Warning[] {
  const held = new Set(codes);
  return warningCode.options.filter((code) => held.has(code)).map((code) => ({ code }));
}

/** The newest of some times; null if all are null. */
export function newestTime(times: Iterable<string | null>): string | null {
  return instantSpan(times).max;
}

/** `meta.freshness` of these products. `retrieved`: the oldest and newest retrieval of their pairs. */
export function freshness(state: State, products: Iterable<Product>, retrieved: InstantSpan): Freshness {
  const { publication } = state;
  const catalog = state.publicationAt(publication.catalog_publication);
  let newest: Product | null = null;
  for (const product of products) {
    const [time, latest] = [product.inventory_retrieved_at, newest?.inventory_retrieved_at ?? null];
    if (time !== null && (latest === null || compareInstants(time, latest) > 0)) newest = product;
  }
  return {
    catalog: {
      source_updated_at: publication.catalog_source_updated_at,
      retrieved_at: publication.catalog_retrieved_at,
      published_at: catalog.published_at,
    },
    inventory: {
      source_updated_at: newest?.inventory_source_updated_at ?? null,
      retrieved_at_min: retrieved.min,
      retrieved_at_max: retrieved.max,
      published_at: newest?.inventory_publication
        ? state.publicationAt(newest.inventory_publication).published_at
        : null,
      upstream_age_known: false,
    },
  };
}
