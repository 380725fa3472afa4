import { yearsIn } from '../search/ranking.ts';

/** Other numbers of four digits, such as `San Pedro 1865`, are names. */
const wholeYear = /(?<![\p{L}\p{N}])(?:19[5-9]|20[0-4])\d(?![\p{L}\p{N}])/u;

/** The year in a name, which for a wine is its vintage: 2019 for `Chateau La Nerthe '19` as for `Rousseau 2019`. Of several the first counts. */
export function yearInName(name: string): number | null {
  const year = yearsIn(name)[0] ?? wholeYear.exec(name)?.[0];
  return year === undefined ? null : Number(year);
}
