const mode = process.env.SHELFPRESS_TESTS;

/** Whether this is the nightly run. It tries all cases of the files `*.sampled.*`, and the check only some. */
export const isNight = mode === 'nightly';

/** Whether this is the check or the nightly run. `npm test` runs small versions of the long tests. */
export const isCheck = mode === 'check' || isNight;

/** All cases at night, otherwise this many of them, spread evenly from the first to the last. */
export function sampled<Case>(cases: readonly Case[], count: number): readonly Case[] {
  if (isNight || cases.length <= count) return cases;
  const step = (cases.length - 1) / Math.max(count - 1, 1);
  return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)] as Case);
}
