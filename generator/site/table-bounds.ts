import type { Statistics } from 'hyparquet';

/**
 * What is wrong with the statistics of a column chunk; null for nothing. Readers that filter skip a row group whose bounds
 * exclude what they look for, so a wrong bound hides rows. `values`: those of the column as stored; null may be undefined.
 * `scale`: digits after the point of a decimal, whose bounds are numbers.
 */
export function boundsProblem(
  { min_value, max_value, null_count }: Statistics,
  values: ArrayLike<unknown>,
  scale: number | undefined,
): string | null {
  const isBefore = orderOf(min_value, max_value);
  let nulls = 0n;
  let last: unknown;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    if (value === null) nulls += 1n;
    if (value === null || value === last) continue;
    last = value;
    for (const one of Array.isArray(value) ? value : [value]) {
      const own = scale === undefined ? one : Number(one) * 10 ** -scale;
      if (min_value !== undefined && isBefore(own, min_value)) return `a value below their least, ${min_value}`;
      if (max_value !== undefined && isBefore(max_value, own)) return `a value above their greatest, ${max_value}`;
    }
  }
  return null_count === undefined || null_count === nulls ? null : `${null_count} nulls in place of ${nulls}`;
}

type Order = (a: unknown, b: unknown) => boolean;

/** Parquet orders text by its bytes in UTF-8. JavaScript orders it otherwise where a text has surrogates. */
function orderOf(...bounds: readonly unknown[]): Order {
  const isPlain = !bounds.some((bound) => typeof bound === 'string' && surrogates.test(bound));
  return (a, b) => {
    if (typeof a !== 'string' || typeof b !== 'string') return (a as number) < (b as number);
    if (isPlain && !surrogates.test(a) && !surrogates.test(b)) return a < b;
    return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  };
}

const surrogates = /[\ud800-\udfff]/;
