import { yearsIn } from '../../contract/search-order.ts';

/** Other four-digit numbers, as in `San Pedro 1865`, belong to the name. */
const wholeYear = /(?<![\p{L}\p{N}])(?:19[5-9]|20[0-4])\d(?![\p{L}\p{N}])/u;

/**
 * The year in a name, which for a wine is its vintage: 2019 in `Chateau La Nerthe '19` and in `Rousseau 2019`. The
 * first one counts.
 */
export function yearInName(name: string): number | null {
  const year = yearsIn(name)[0] ?? wholeYear.exec(name)?.[0];
  return year === undefined ? null : Number(year);
}
