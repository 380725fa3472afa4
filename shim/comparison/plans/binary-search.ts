/** How many of the numbers 0 to `count - 1` pass a test that all up to some number pass and none after it. */
export function passing(count: number, test: (number: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
