import { countText } from '../../files/failure.ts';
import { cellText, trimmed } from '../tables/table.ts';
import { volume } from '../values/conversions.ts';
import { areUsualSizes, decimalTexts, guessSizeStyle, isWrittenSize } from './column-values.ts';
import type { DraftTable } from './draft-tables.ts';

/*
 * Guesses columns by how they depend on each other, row by row. A price per liter is the price divided by the size,
 * which identifies all three. A price or size of a pack is a number of bottles times the price or size of one.
 */

export type Proof = { readonly why: string } & (
  | {
      readonly kind: 'per_liter';
      readonly price: string;
      readonly size: string;
      readonly per: string;
      readonly unit: Unit;
    }
  | { readonly kind: 'pack_price' | 'pack_size'; readonly one: string; readonly pack: string; readonly whole: string }
);

/** The unit of sizes. `written`: the sizes name their unit. */
type Unit = 'l' | 'cl' | 'ml' | 'written';

/** One entry for each sampled row; NaN where there is no number. */
type Numbers = { readonly column: string; readonly values: readonly number[]; readonly texts: readonly string[] };

/** At least this many rows must agree. Fewer may agree by chance. */
const least = 8;
const share = 0.95;
/** The most columns that are looked at, because each column is compared with all pairs of others. */
const mostColumns = 40;

export function proofsIn(table: DraftTable): Proof[] {
  const series = numbersIn(table);
  const proofs: Proof[] = [];
  // Sizes with units identify themselves, so a number beside them is something else.
  const written = series.filter((one) => unitsOf(one).includes('written'));
  const sizes = written.length > 0 ? written : series.filter((one) => unitsOf(one).length > 0);
  for (const size of sizes)
    for (const price of series)
      for (const per of series) {
        if (new Set([size, price, per]).size < 3 || !differsMore(price, size) || !differsMore(per, size)) continue;
        for (const unit of unitsOf(size)) {
          const liters = { l: 1, cl: 100, ml: 1000, written: 1 }[unit];
          const rows = agreeing(per, (index) => ((price.values[index] ?? 0) / (size.values[index] ?? 0)) * liters);
          const why = rows && `'${per.column}' is it for a liter ${rows}`;
          if (why)
            proofs.push({ kind: 'per_liter', price: price.column, size: size.column, per: per.column, unit, why });
        }
      }
  for (const pack of series.filter(({ texts }) => texts.length > 1 && areCounts(texts)))
    for (const one of series)
      for (const whole of series) {
        if (new Set([pack, one, whole]).size < 3) continue;
        const rows = agreeing(whole, (index) => (one.values[index] ?? 0) * (pack.values[index] ?? 0));
        const isSize = areUsualSizes(one.texts) || guessSizeStyle(one.texts) === 'written';
        const kind = isSize ? 'pack_size' : 'pack_price';
        const why = rows && `'${whole.column}' is it times '${pack.column}' ${rows}`;
        if (why) proofs.push({ kind, one: one.column, pack: pack.column, whole: whole.column, why });
      }
  return proofs;
}

/** Whether two columns can be a price and a size: prices have more different values than sizes. */
function differsMore(price: Numbers, size: Numbers): boolean {
  return price.texts.length > size.texts.length;
}

/** In how many rows a column has the expected number, in words. Null if too few rows agree. */
function agreeing({ values, texts }: Numbers, expected: (index: number) => number): string | null {
  if (texts.length < 5) return null;
  let [equal, other] = [0, 0];
  for (const [index, value] of values.entries()) {
    const wanted = expected(index);
    if (!(Number.isFinite(value) && Number.isFinite(wanted) && value > 0)) continue;
    // The file rounds both to cents.
    if (Math.abs(value - wanted) <= 0.0151 + 0.002 * wanted) equal += 1;
    else other += 1;
    if (other > 3 && equal < other) return null;
  }
  if (equal < least || equal < share * (equal + other)) return null;
  return `in ${countText(equal)} of ${countText(equal + other)} rows`;
}

function numbersIn(table: DraftTable): Numbers[] {
  const columns = table.columns.slice(0, 4 * mostColumns);
  const rows = table.sample(columns);
  const all = columns.map((column, at) => {
    const texts = decimalTexts(table.values(column), table.decimalOf(column));
    const isWritten = guessSizeStyle(texts, table.counts(column)) === 'written';
    const cells = rows.map((row) => row[at]);
    const values = decimalTexts(
      cells.map((cell) => cell ?? ''),
      table.decimalOf(column),
    ).map((text) => (isWritten ? litersOf(text) : numberOf(text)));
    return { column, values, texts };
  });
  return all.filter(({ values }) => values.filter(Number.isFinite).length >= least).slice(0, mostColumns);
}

function litersOf(text: string): number {
  const read = isWrittenSize(text) ? volume(text, 'ml') : null;
  return read !== null && 'value' in read ? Number(read.value) / 1000 : Number.NaN;
}

function numberOf(text: string): number {
  const bare = trimmed(cellText(text))
    .replace(/^[^\d-]{0,4}|[^\d]{0,4}$/g, '')
    .replaceAll(/,(?=\d{3})|\s/g, '');
  return /^\d+(?:\.\d+)?$/.test(bare) ? Number(bare) : Number.NaN;
}

function areCounts(texts: readonly string[]): boolean {
  return texts.every((text) => /^\d{1,3}(?:\.0+)?$/.test(text) && Number(text) >= 1);
}

/** The possible units of bare sizes. Small whole numbers count bottles, so they are not liters. */
function unitsOf({ texts }: Numbers): Unit[] {
  if (guessSizeStyle(texts) === 'written') return ['written'];
  const style = guessSizeStyle(texts);
  if (style === 'ml') return areUsualSizes(texts) ? ['ml'] : [];
  const hasFractions = texts.some((text) => /\.\d*[1-9]/.test(text));
  if (style === 'l') return hasFractions ? ['l'] : [];
  return style === 'unclear' && hasFractions ? ['cl', 'l'] : [];
}
