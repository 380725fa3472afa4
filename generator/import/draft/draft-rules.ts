import type { Part, Rule } from '../recipe/recipe.ts';
import { targets, undecided } from '../recipe/recipe.ts';
import { cellKind } from '../tables/table.ts';
import { dateTime, price } from '../values/conversions.ts';
import { minorWordIn } from '../values/minor-units.ts';
import { guessColumns } from './column-guesses.ts';
import { isProof, wideStore } from './column-names.ts';
import {
  areCodes,
  areFractions,
  areUnitsOfSale,
  containersIn,
  decimalTexts,
  guessCodeFormat,
  guessDecimalSign,
  guessSizeStyle,
  hasPackWords,
  isPackColumn,
  isYear,
  packPattern,
  packWordPattern,
  sizePattern,
} from './column-values.ts';
import { codesIn, type DraftTable, textsIn } from './draft-tables.ts';

export type Fields = Record<string, string | Rule>;

/** What a person states about the agency, because no file says it. Null if undecided. */
export type Stated = {
  readonly currency: string | null;
  readonly country: string | null;
  readonly zone: string | null;
};

/** A person is asked about at most this many words of a column. */
const mostWords = 100;

export function hasWideStores({ columns, stores }: DraftTable): boolean {
  return stores !== undefined || columns.filter((name) => wideStore.test(name)).length > 1;
}

/**
 * Whose size a column states. Undefined if no column shows that. A price per liter covers everything that the price
 * buys.
 */
function sizeOf({ proofs = [] }: DraftTable, size: string | undefined): 'container' | 'package' | undefined {
  if (proofs.some(({ kind }) => kind === 'pack_size')) return 'container';
  return proofs.some((proof) => proof.kind === 'per_liter' && proof.size === size) ? 'package' : undefined;
}

/** Required fields without a column get the mark to decide. */
export function draftFields(part: Part, table: DraftTable, stated: Stated): Fields {
  const guesses = guessColumns(part, table.columns, table);
  const found = new Map(guesses.fields);
  const code = found.get('inventory_store_code');
  const isShared = table.decided?.has('inventory_store_code');
  if (code !== undefined && !isShared && !found.has('directory_id') && !areCodes(textsIn(table, code))) {
    found.delete('inventory_store_code');
    found.set('directory_id', code);
  }
  // Bare numbers are not published as the text of a size.
  const size = found.get('size_ml');
  const isWritten = size !== undefined && guessSizeStyle(textsIn(table, size), table.counts(size)) === 'written';
  const isPacked = isWritten && !found.has('pack_count') && isPackColumn(textsIn(table, size));
  const hasPacks =
    isWritten && !found.has('pack_count') && !guesses.rivals.has('pack_count') && hasPackWords(textsIn(table, size));
  const isWide = part === 'inventory' && hasWideStores(table) && (table.stores !== undefined || !found.has('quantity'));
  const fields: Fields = {};
  for (const { field, as, fallback } of targets[part]) {
    const column = found.get(field) ?? found.get(sameAs[part]?.[field] ?? '');
    if (isWide && (field === 'store' || field === 'quantity')) continue;
    if (field === 'size_text' && !isWritten) continue;
    if (isPacked && field === 'pack_count') fields[field] = { column: size, extract: packPattern, otherwise: '1' };
    else if (hasPacks && field === 'pack_count')
      fields[field] = { column: size, extract: packWordPattern, otherwise: '1' };
    else if ((isPacked || hasPacks) && field === 'size_of') fields[field] = { value: 'container' };
    else if (field === 'size_of' && part === 'products' && found.has('pack_count') && found.has('size_ml'))
      fields[field] = { value: sizeOf(table, size) ?? undecided };
    else if (column !== undefined) fields[field] = draftRule(field, as, column, table, stated);
    else if (part === 'stores' && stated.country === 'US' && field === 'address.region')
      fields[field] = { value: undecided };
    else if (part === 'stores' && stated.country === 'US' && field === 'address.postal_code')
      fields[field] = { column: undecided };
    else if (guesses.rivals.has(field) || guesses.rivals.has(sameAs[part]?.[field] ?? ''))
      fields[field] = { column: undecided };
    else if (fallback === undefined) fields[field] = constants[field] ?? { column: undecided };
    else if (field === 'directory_id' && code === undefined) fields[field] = { column: undecided };
  }
  return fields;
}

const sameAs: Readonly<Partial<Record<Part, Readonly<Record<string, string>>>>> = {
  products: {
    name: 'source_name',
    size_text: 'size_ml',
    status_label: 'status_code',
    status_raw: 'status_code',
    lifecycle: 'status_code',
  },
};

const constants: Readonly<Record<string, Rule>> = {
  price_source: { value: 'agency_workbook' },
  status_code: { value: 'listed' },
  status_label: { value: 'Listed' },
  status_raw: { value: 'listed' },
  lifecycle: { value: undecided },
  access_type: { value: undecided },
};

function draftRule(
  field: string,
  as: string,
  column: string,
  table: DraftTable,
  { zone, currency }: Stated,
): string | Rule {
  const values = table.values(column);
  const texts = textsIn(table, column);
  if (as === 'price' && minorWordIn(column) !== null && texts.every((text) => /^\d+$/.test(text)))
    return { column, as: 'integer' };
  const sign = table.decimalOf(column) ?? guessDecimalSign([decimalTexts(values, '.')]);
  const own = sign !== table.rule.decimal && isNumeric(as) ? sign : undefined;
  const decimal = own === undefined ? {} : { decimal: own };
  // The file may use another sign than the currency code suggests, such as $ for Australian dollars.
  const isPrice = (text: string) => !/\d/.test(text) || (currency !== null && 'value' in price(text, currency));
  const marks = as === 'price' && !texts.every(isPrice) ? marksOf(texts) : null;
  if (marks !== null) return { column, ...decimal, remove: marks };
  if (as === 'percent' && isProof(column)) return { column, ...decimal, as: 'proof' };
  if (as === 'percent' && areFractions(texts) && !values.some((cell) => cellKind(cell) === 'percentage'))
    return { column, ...decimal, times: 100 };
  if (as === 'code') {
    if (field !== 'sku' && !areCodes(texts) && texts.length > 0) return { column, as: 'name-code' };
    if (table.padTo !== undefined && field === 'sku') return { column, pad: table.padTo };
    const mayLackZeros = texts.length > 0 && guessCodeFormat(codesIn(table, column)).mayLackZeros;
    return mayLackZeros ? ({ column, pad: undecided } as unknown as Rule) : column;
  }
  if (field === 'size_ml') {
    const proof = table.proofs?.find((one) => one.kind === 'per_liter' && one.size === column);
    if (proof?.kind === 'per_liter' && (proof.unit === 'l' || proof.unit === 'cl'))
      return { column, ...decimal, unit: proof.unit };
    const style = guessSizeStyle(texts, table.counts(column));
    const pattern = style === 'written' ? sizePattern(texts, isPackColumn(texts)) : null;
    if (pattern !== null) return { column, ...decimal, extract: pattern, otherwise: null };
    if (style === 'l') return { column, ...decimal, unit: 'l' };
    if (style === 'unclear' && !proof) return { column, ...decimal, unit: undecided } as unknown as Rule;
  }
  if (field === 'pack_count' && areUnitsOfSale(texts)) {
    const counts = texts.map((text) => [text, String(containersIn(text) ?? undecided)]);
    return { column, lookup: Object.fromEntries(counts) };
  }
  // A wine without a vintage says so in words.
  const others = field === 'vintage' ? texts.filter((text) => !isYear(text)) : [];
  if (others.length > 0 && others.length <= 10) return { column, null_when: others };
  if (field === 'category_id') return { column, as: 'category' };
  if (field === 'name' && column !== 'name') return { column, spaces: 'collapse' };
  if (field === 'lifecycle' || field === 'access_type')
    return { column, lookup: Object.fromEntries(texts.slice(0, mostWords).map((text) => [text, undecided])) };
  if (as !== 'date-time') return own === undefined ? column : { column, ...decimal };
  if (values.some((cell) => cellKind(cell) === 'date')) return { column, zone: zone ?? undecided };
  const isRead = (format: string | null) => (text: string) =>
    'value' in dateTime(text, { zone: format === null ? null : 'utc', format, whenRepeated: null });
  if (texts.every(isRead(null))) return column;
  const [format = undecided, other] = formats.filter((one) => texts.every(isRead(one)));
  // 3/4 may be in March or in April. Only a day after the 12th tells.
  const isAmbiguous = other !== undefined && format.replace('M/d', 'd/M') === other;
  return { column, format: isAmbiguous ? undecided : format, zone: zone ?? undecided };
}

/** A pattern for text beside numbers, such as `zł`; null if there is none. A text without a number is not a price. */
function marksOf(texts: readonly string[]): string | null {
  const beside = texts.filter((text) => /\d/.test(text)).map((text) => text.replaceAll(/[\d.,\s-]+/g, ' ').trim());
  const marks = [...new Set(beside)].filter((mark) => mark !== '').sort();
  if (marks.length === 0 || marks.length > 3) return null;
  return marks.map((mark) => mark.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
}

function isNumeric(as: string): boolean {
  return ['integer', 'number', 'percent', 'price', 'volume'].includes(as);
}

const formats = [
  'M/d/yyyy h:mm a',
  'M/d/yyyy h:mm:ss a',
  'M/d/yyyy H:mm',
  'M/d/yyyy H:mm:ss',
  'M/d/yyyy',
  'd/M/yyyy',
  'd/M/yyyy H:mm',
  'd.M.yyyy',
  'd.M.yyyy H:mm',
  "yyyy-MM-dd'T'HH:mm:ss",
  'yyyy-MM-dd HH:mm',
  'yyyy-MM-dd HH:mm:ss',
  'yyyy-MM-dd',
];
