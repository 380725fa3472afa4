/** Numbers from 0 up to but not including 1. */
export type Random = () => number;

/** Mulberry32: 32 bits of state. The same seed gives the same numbers everywhere. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An integer from `first` to `last`, both included. */
export function integer(random: Random, first: number, last: number): number {
  return first + Math.floor(random() * (last - first + 1));
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('expected something to pick from, got an empty list');
  return item;
}
