import { productFacts } from '../../../contract/profile.ts';
import { countOf, Failure } from '../../files/failure.ts';
import {
  type Part,
  type ProductsRule,
  partRule,
  parts,
  type Recipe,
  type Rule,
  targets,
  undecided,
} from '../recipe/recipe.ts';
import { cellKind, cellText } from '../tables/table.ts';
import { dateTime, price } from '../values/conversions.ts';
import { minorWordIn } from '../values/minor-units.ts';
import { guessFields, guessPart, missingFields, wideStore } from './column-guesses.ts';
import {
  areCodes,
  areFractions,
  currencyIn,
  decimalTexts,
  guessCodeFormat,
  guessDecimalSign,
  guessSizeStyle,
  isPackColumn,
  isWrittenSize,
  packPattern,
  sizePattern,
} from './column-values.ts';
import { codesIn, type DraftTable, draftTables, tableName, textsIn } from './draft-tables.ts';
import { relate } from './related-tables.ts';

export type Draft = ReturnType<typeof draftFrom>;

type Fields = Record<string, string | Rule>;

/** What a person states about the agency, because no file says it. Null if it is still to be decided. */
export type Stated = {
  readonly currency: string | null;
  readonly country: string | null;
  readonly zone: string | null;
};

/** What the draft makes of a column. `field`: with its part; null for none. `why`: the reason for the guess. */
export type ColumnGuess = {
  readonly file: string;
  readonly column: string;
  readonly example: string;
  readonly field: string | null;
  readonly why: string;
};

/** What a person decided about tables: the part of a table, by its name, and the column of a field, by its part. */
export type Decided = {
  readonly parts: ReadonlyMap<string, Part>;
  readonly columns: ReadonlyMap<Part, ReadonlyMap<string, string>>;
};

/** The tables of files, and drafts a recipe for them: see {@link draftFrom}. */
export async function draftRecipe(paths: readonly string[], stated?: Stated) {
  return draftFrom(await tablesIn(paths), stated);
}

export async function tablesIn(paths: readonly string[]): Promise<DraftTable[]> {
  const tables: DraftTable[] = [];
  for (const path of paths) tables.push(...(await draftTables(path)));
  return tables;
}

/**
 * Drafts a recipe for tables. Values decide; headers, in any of ten languages, come second; anything else gets the mark
 * for a person to decide. Throws a Failure that says why no table has columns. `columns`: every column with its guess.
 * `columnsOf`: the columns of the table of a part. `unplaced`: columns without a field, by file. `unused`: tables
 * without a part, each with the reason. `unassigned`: those that a person may still give a part. `undecided`: how many
 * places have the mark.
 */
export function draftFrom(
  given: readonly DraftTable[],
  stated: Stated = { currency: null, country: null, zone: null },
  decided: Decided = { parts: new Map(), columns: new Map() },
) {
  const chosen = new Map<Part, DraftTable>();
  const unused: string[] = [];
  const unassigned: string[] = [];
  const tables: DraftTable[] = [];
  for (const one of given) {
    const own = decided.parts.get(tableName(one)) ?? decided.parts.get(one.file);
    const part = own ?? guessPart(one.columns, one);
    const table = { ...one, decided: (part && decided.columns.get(part)) ?? new Map<string, string>() };
    tables.push(table);
    if (part !== null && (own !== undefined || !chosen.has(part))) chosen.set(part, table);
    else if (table.each === null) {
      unused.push(`${tableName(table)}: ${unusedReason(table, part)}`);
      if (part === null && table.columns.length > 1) unassigned.push(tableName(table));
    }
  }
  relate(chosen, tables, unassigned, unused);
  if (chosen.size === 0) {
    // The headers are in an unknown language. The table is most likely the products, and a person names its columns.
    const first = tables.find(({ columns }) => columns.length > 1);
    if (first !== undefined) chosen.set('products', first);
  }
  if (chosen.size === 0) {
    const none = 'expected a file with a header and columns, got none; docs/importing.md has the fields';
    throw new Failure('import_faults', none, { lines: [...unused, none] });
  }
  const products = chosen.get('products');
  if (products !== undefined && !guessFields('products', products.columns, products).has('price_minor'))
    unused.push(`${tableName(products)}: no column is taken for the price`);
  if (products !== undefined) unused.push(...currencyNotes(products, stated.currency), ...sizeNotes(products));
  // A list of products may have the stock of each, without a store.
  const isStatewide = products !== undefined && !chosen.has('inventory') && isCounted(products);
  if (isStatewide) chosen.set('inventory', products);
  const recipe = assembleRecipe(chosen, draftProfile(chosen, isStatewide, stated), stated);
  const columns = describeColumns(recipe, chosen);
  const columnsOf = new Map<string, readonly string[]>([...chosen].map(([part, table]) => [part, table.columns]));
  const unplaced = unplacedColumns(recipe, chosen);
  return { recipe, columns, columnsOf, unplaced, unused, unassigned, undecided: countUndecided(recipe) };
}

/** How many rows have no size that can be read. */
function sizeNotes(table: DraftTable): string[] {
  const column = guessFields('products', table.columns, table).get('size_ml');
  if (column === undefined || guessSizeStyle(textsIn(table, column), table.counts(column)) !== 'written') return [];
  const texts = textsIn(table, column);
  const counts = table.counts(column);
  const other = [...texts.keys()].filter((index) => !isWrittenSize(texts[index] ?? ''));
  const rows = other.reduce((sum, index) => sum + (counts[index] ?? 0), 0);
  const examples = other.slice(0, 3).map((index) => `'${texts[index]}'`);
  return rows === 0
    ? []
    : [`${tableName(table)} ${column}: ${countOf(rows, 'row')} without a size in units: ${examples.join(', ')}`];
}

function unusedReason(table: DraftTable, part: Part | null): string {
  const { columns } = table;
  if (part !== null) return `another table has the ${part}`;
  if (columns.length === 0) return 'none of the first rows looks like a header, with two texts at least';
  const lacking = parts.map((one) => `${one} lack ${missingFields(one, columns, table).join(' and ')}`);
  const more = columns.length > mostShown ? `, and ${columns.length - mostShown} more` : '';
  return `no part has columns like ${columns.slice(0, mostShown).join(', ')}${more}: ${lacking.join('; ')}`;
}

const mostShown = 40;

/** The most words of a column that a person is asked about. */
const mostWords = 100;

function isCounted(table: DraftTable): boolean {
  return likelyColumn('inventory', 'quantity', table)?.texts.every((text) => /^\d+$/.test(text)) ?? false;
}

/** The likely column of a field, with its distinct values. Null if there is none. */
function likelyColumn(part: Part, field: string, table: DraftTable | undefined) {
  const column = table && guessFields(part, table.columns, table).get(field);
  return table === undefined || column === undefined ? null : { column, texts: textsIn(table, column) };
}

/** The agency's profile: codes from the values, and what a person states or must decide. */
function draftProfile(chosen: ReadonlyMap<Part, DraftTable>, isStatewide: boolean, stated: Stated) {
  const formatIn = (part: Part, field: string) => {
    const table = chosen.get(part);
    const column = likelyColumn(part, field, table)?.column;
    const texts = table === undefined || column === undefined ? [] : codesIn(table, column);
    if (texts.length === 0) return null;
    const { pattern, example } = areCodes(texts) ? guessCodeFormat(texts) : { pattern: undecided, example: undecided };
    return { pattern, example };
  };
  const sku = formatIn('products', 'sku') ?? formatIn('inventory', 'sku') ?? { pattern: undecided, example: undecided };
  const hasSkus = chosen.has('products') || chosen.has('inventory');
  const store = formatIn('stores', 'inventory_store_code') ?? formatIn('inventory', 'store');
  const products = chosen.get('products');
  const found = products === undefined ? null : guessFields('products', products.columns, products);
  const facts = productFacts.filter((fact) => found?.has(fact));
  const isStored = !isStatewide && (chosen.has('stores') || chosen.has('inventory'));
  return {
    currency: stated.currency ?? likelyCurrency(chosen) ?? undecided,
    country: stated.country ?? undecided,
    time_zone: stated.zone ?? undecided,
    ...(hasSkus ? { sku } : {}),
    ...(store !== null && isStored ? { store_code: store } : {}),
    ...(isStored ? {} : { inventory: isStatewide ? ('statewide' as const) : ('none' as const) }),
    ...(facts.length > 0 ? { product_facts: facts } : {}),
  };
}

function likelyCurrency(chosen: ReadonlyMap<Part, DraftTable>): string | null {
  const products = chosen.get('products');
  const [only, other] = products === undefined ? [] : currenciesIn(products);
  if (only !== undefined && other === undefined) return only;
  const price = likelyColumn('products', 'price_minor', products);
  return price === null ? null : currencyIn(price.column, price.texts);
}

/** The currencies that a column of the table has, beside the prices. */
function currenciesIn(table: DraftTable): string[] {
  const known = new Set(Intl.supportedValuesOf('currency'));
  const columns = table.columns.map((column) => textsIn(table, column));
  return columns.find((texts) => texts.length > 0 && texts.length < 10 && texts.every((text) => known.has(text))) ?? [];
}

/** Why the prices may be in another currency than the one that is stated. */
function currencyNotes(table: DraftTable, stated: string | null): string[] {
  const found = currenciesIn(table);
  if (found.length === 0 || (found.length === 1 && (stated === null || found[0] === stated))) return [];
  return [
    `${tableName(table)}: prices are in ${found.join(', ')}, by a column with these words; a site has one currency`,
  ];
}

function assembleRecipe(
  chosen: ReadonlyMap<Part, DraftTable>,
  profile: ReturnType<typeof draftProfile>,
  stated: Stated,
): Recipe {
  const files: Recipe['files'] = {};
  const [products, stores, inventory] = parts.map((part) => {
    const table = chosen.get(part);
    if (table === undefined) return null;
    // A JSON file with two parts is one file of the recipe.
    const rule = JSON.stringify(table.rule);
    const [from = part] = Object.entries(files).find(([, other]) => JSON.stringify(other) === rule) ?? [];
    files[from] = table.rule;
    const fields = draftFields(part, table, stated);
    return { from, fields, leftOut: rowsWithoutCode(fields, table), table };
  });
  const category = products?.fields.category_id;
  return {
    format: 'inventory-recipe',
    format_version: 1,
    snapshot: {
      policy: { id: 'inventory-48h', max_age_seconds: 172_800 },
      retention: { history_days: 365, publication_days: 30 },
      warnings: [],
      profile: profile as Recipe['snapshot']['profile'],
    },
    files,
    ...(products ? { products: { from: products.from, fields: products.fields, ...products.leftOut } } : {}),
    ...(stores ? { stores: { from: stores.from, fields: stores.fields } } : {}),
    ...(inventory ? { inventory: draftInventory(inventory, stores !== null, profile.inventory === 'statewide') } : {}),
    // The first publication needs products, if only none, and a curation.
    ...(products || inventory ? {} : { products: 'none' as const }),
    ...(products || !inventory
      ? { curation: { categories: category === undefined ? [] : ('from_products' as const) } }
      : {}),
  };
}

type LeftOut = Pick<ProductsRule, 'leave_out'>;

/** Leaves out rows without a code, if they are few: titles of sections, sums, and products that have none yet. */
function rowsWithoutCode({ sku }: Fields, table: DraftTable): LeftOut {
  const column = typeof sku === 'string' ? sku : sku?.column;
  if (column === undefined || table.each !== null) return {};
  const filled = table.filled(column);
  if (filled === table.count || filled * 2 < table.count) return {};
  return { leave_out: [{ column, empty: true, reason: 'a row without a code' }] };
}

function draftInventory(
  { from, fields, leftOut, table }: { from: string; fields: Fields; leftOut: LeftOut; table: DraftTable },
  hasStores: boolean,
  isStatewide: boolean,
) {
  if (isStatewide) {
    const { store: _, ...others } = fields;
    return { from, fields: others, ...leftOut };
  }
  const isWide = hasWideStores(table) && fields.quantity === undefined;
  return {
    from,
    ...(table.each === null ? {} : { each: table.each }),
    fields,
    ...leftOut,
    ...(isWide ? { stores: { columns: wideStore.source.replace('Store', '[Ss]tore') } } : {}),
    scope: hasStores ? ('stores' as const) : ('rows' as const),
  };
}

function hasWideStores({ columns }: DraftTable): boolean {
  return columns.filter((name) => wideStore.test(name)).length > 1;
}

/** The rules of a part. Required fields without a column get the mark to decide. */
function draftFields(part: Part, table: DraftTable, stated: Stated): Fields {
  const found = new Map(guessFields(part, table.columns, table));
  const code = found.get('inventory_store_code');
  if (code !== undefined && !found.has('directory_id') && !areCodes(textsIn(table, code))) {
    found.delete('inventory_store_code');
    found.set('directory_id', code);
  }
  // A bare number is not a text that shows a size.
  const size = found.get('size_ml');
  const isWritten = size !== undefined && guessSizeStyle(textsIn(table, size), table.counts(size)) === 'written';
  const isPacked = isWritten && !found.has('pack_count') && isPackColumn(textsIn(table, size));
  const isWide = part === 'inventory' && hasWideStores(table) && !found.has('quantity');
  const fields: Fields = {};
  for (const { field, as, fallback } of targets[part]) {
    const column = found.get(field) ?? found.get(sameAs[part]?.[field] ?? '');
    if (isWide && (field === 'store' || field === 'quantity')) continue;
    if (field === 'size_text' && !isWritten) continue;
    if (isPacked && field === 'pack_count') fields[field] = { column: size, extract: packPattern, otherwise: '1' };
    else if (isPacked && field === 'size_of') fields[field] = { value: 'container' };
    else if (field === 'size_of' && part === 'products' && found.has('pack_count') && found.has('size_ml'))
      fields[field] = { value: undecided };
    else if (column !== undefined) fields[field] = draftRule(field, as, column, table, stated);
    else if (part === 'stores' && stated.country === 'US' && field === 'address.region')
      fields[field] = { value: undecided };
    else if (part === 'stores' && stated.country === 'US' && field === 'address.postal_code')
      fields[field] = { column: undecided };
    else if (fallback === undefined) fields[field] = constants[field] ?? { column: undecided };
    else if (field === 'directory_id' && code === undefined) fields[field] = { column: undecided };
  }
  return fields;
}

/** Fields that agencies give in one column. */
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
  const own =
    table.rule.decimal === undefined && isNumeric(as) ? guessDecimalSign([decimalTexts(values, '.')]) : undefined;
  const decimal = own === undefined ? {} : { decimal: own };
  // The mark may not be the currency's own, such as the dollar of Australia.
  const isPrice = (text: string) => !/\d/.test(text) || (currency !== null && 'value' in price(text, currency));
  const marks = as === 'price' && !texts.every(isPrice) ? marksOf(texts) : null;
  if (marks !== null) return { column, ...decimal, remove: marks };
  if (as === 'percent' && areFractions(texts) && !values.some((cell) => cellKind(cell) === 'percentage'))
    return { column, ...decimal, times: 100 };
  if (as === 'code') {
    const mayLackZeros = texts.length > 0 && guessCodeFormat(codesIn(table, column)).mayLackZeros;
    return mayLackZeros ? ({ column, pad: undecided } as unknown as Rule) : column;
  }
  if (field === 'size_ml') {
    const style = guessSizeStyle(texts, table.counts(column));
    const pattern = style === 'written' ? sizePattern(texts, isPackColumn(texts)) : null;
    if (pattern !== null) return { column, ...decimal, extract: pattern, otherwise: null };
    if (style === 'l') return { column, ...decimal, unit: 'l' };
    if (style === 'unclear') return { column, ...decimal, unit: undecided } as unknown as Rule;
  }
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

/**
 * A pattern for what stands beside numbers, such as `zł`; null if nothing does. A text without a number is no price.
 */
function marksOf(texts: readonly string[]): string | null {
  const beside = texts.filter((text) => /\d/.test(text)).map((text) => text.replaceAll(/[\d.,\s-]+/g, ' ').trim());
  const marks = [...new Set(beside)].filter((mark) => mark !== '').sort();
  if (marks.length === 0 || marks.length > 3) return null;
  return marks.map((mark) => mark.replaceAll(/[^\p{L}\p{N} ]/gu, String.raw`\$&`)).join('|');
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

/** Every column of the chosen tables with its guess. */
function describeColumns(recipe: Recipe, chosen: ReadonlyMap<Part, DraftTable>): ColumnGuess[] {
  const guessed = new Map<string, ColumnGuess>();
  for (const [part, table] of chosen) {
    const fields = Object.entries(partRule(recipe, part)?.fields ?? {});
    for (const column of table.columns) {
      const texts = textsIn(table, column);
      const used = fields.filter(([, rule]) => (typeof rule === 'string' ? rule : rule.column) === column);
      const field = used.length === 0 ? null : used.map(([name]) => `${part}.${name}`).join(', ');
      const key = JSON.stringify([tableName(table), column]);
      if (guessed.has(key) && field === null) continue;
      const why = table.reasons?.get(column) ?? guessReason(used, texts, table.counts(column));
      const example = cellText(table.values(column)[0]);
      guessed.set(key, {
        file: tableName(table),
        column,
        example,
        field,
        why,
      });
    }
  }
  return [...guessed.values()];
}

const sizeReasons = {
  written: 'sizes with their units',
  ml: 'milliliters, by its values',
  l: 'liters, by its values',
  unclear: 'sizes in a unit to decide',
} as const;

/** The reason for a guess. `used`: the fields of the column with their rules. */
function guessReason(
  used: readonly (readonly [field: string, rule: string | Rule])[],
  texts: readonly string[],
  counts: readonly number[],
): string {
  const [first] = used;
  if (first === undefined) return 'neither its name nor its values show a field';
  const [field, rule] = first;
  const size = field === 'size_ml' ? guessSizeStyle(texts, counts) : null;
  if (size !== null) return sizeReasons[size];
  if (field === 'sku' && areCodes(texts)) {
    const { pattern, mayLackZeros } = guessCodeFormat(texts);
    return `codes like ${pattern}${mayLackZeros ? ', of which shorter ones may have lost zeros' : ''}`;
  }
  return JSON.stringify(rule).includes(undecided) ? 'its name; decide the marked places' : 'its name and values';
}

function unplacedColumns(recipe: Recipe, chosen: ReadonlyMap<Part, DraftTable>) {
  const used = (part: Part) =>
    Object.values(partRule(recipe, part)?.fields ?? {}).flatMap((rule) =>
      typeof rule === 'string' ? rule : (rule.column ?? []),
    );
  const isStore = (part: Part, name: string) =>
    part === 'inventory' && recipe.inventory?.stores !== undefined && wideStore.test(name);
  const tables = [...chosen].map(([part, table]) => ({ part, table, names: new Set(used(part)) }));
  const byFile = Map.groupBy(tables, ({ table }) => table.file + (table.rule.sheet ?? ''));
  return [...byFile.values()].flatMap((ofFile) => {
    const names = [...new Set(ofFile.flatMap(({ table }) => table.columns))];
    const columns = names.filter(
      (name) => !ofFile.some((one) => one.names.has(name) || one.table.each === name || isStore(one.part, name)),
    );
    return columns.length === 0 ? [] : [{ file: ofFile[0]?.table.file ?? '', columns }];
  });
}

function countUndecided(value: unknown): number {
  if (value === undecided) return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countUndecided(inner), 0);
}
