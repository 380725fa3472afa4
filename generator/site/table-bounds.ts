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
  let nulls = 0n;
  for (const value of new Set(Array.from(values).flat())) {
    if (value === null || value === undefined) continue;
    const own = scale === undefined ? value : Number(value) * 10 ** -scale;
    if (min_value !== undefined && isBefore(own, min_value)) return `a value below their least, ${min_value}`;
    if (max_value !== undefined && isBefore(max_value, own)) return `a value above their greatest, ${max_value}`;
  }
  for (let index = 0; index < values.length; index += 1) if ((values[index] ?? null) === null) nulls += 1n;
  return null_count === undefined || null_count === nulls ? null : `${null_count} nulls in place of ${nulls}`;
}

/** Parquet orders text by its bytes in UTF-8. JavaScript orders it otherwise where there are surrogates. */
function isBefore(a: unknown, b: unknown): boolean {
  const hasSurrogates = typeof a === 'string' && typeof b === 'string' && surrogates.test(a + b);
  return hasSurrogates ? Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0 : (a as string) < (b as string);
}

const surrogates = /[\ud800-\udfff]/;
