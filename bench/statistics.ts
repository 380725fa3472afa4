/** Several measurements of one thing. */
export type Spread = { readonly median: number; readonly min: number; readonly max: number };

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  const [min, max] = [sorted[0], sorted[sorted.length - 1]];
  if (low === undefined || high === undefined || min === undefined || max === undefined) {
    throw new Error('expected at least one measurement, got none');
  }
  return { median: (low + high) / 2, min, max };
}

/**
 * The ratio of each measurement to the yardstick's in the same repetition, because a disturbance is likely to affect
 * both.
 */
export function ratioOf(measured: readonly number[], yardstick: readonly number[]): Spread {
  if (measured.length !== yardstick.length) {
    throw new Error(`expected as many measurements as of the yardstick, ${yardstick.length}, got ${measured.length}`);
  }
  return spreadOf(measured.map((value, index) => value / (yardstick[index] ?? Number.NaN)));
}
