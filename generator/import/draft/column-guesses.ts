import type { Part } from '../recipe/recipe.ts';
import { cellKind } from '../tables/table.ts';
import { minorWordIn } from '../values/minor-units.ts';
import {
  areAlcohols,
  areCodes,
  areGtins,
  areLikelyPrices,
  areNames,
  arePacks,
  arePrices,
  areQuantities,
  areUniqueCodes,
  areUsualSizes,
  areYears,
  currencyIn,
  decimalTexts,
  guessSizeStyle,
} from './column-values.ts';
import type { DraftTable } from './draft-tables.ts';
import { columnWords, fieldWords } from './field-words.ts';

/*
 * Which column is which field. Each row of the tables below is a field with its usual names, or the look of its values.
 */

type Guesses = Readonly<Record<string, RegExp | readonly RegExp[]>>;

const code = [
  /^(sku|csc|plu|code|item|item (code|no|num|number|id)|product (code|no|num|number|id)|agency sku)$/,
  /^(id|no|number|[a-z]+ code)$/,
];
const store = /^(store|(store|site|shop) (code|no|num|number|id)|outlet|location (code|no|id))$/;

/**
 * Names that agencies give their columns, in lower case and as words, by part and field. The first column that fits the
 * first pattern with a fit counts.
 */
const guesses: Readonly<Record<Part, Guesses>> = {
  products: {
    sku: code,
    source_name:
      /^(description|(item|product|brand) name|product|name|product name bold|title|label|item description)$/,
    size_ml: /^(size|volume|bottle size|bottled volume|unit size|size ml|ml)( text)?$/,
    pack_count: /^(pack|pack size|pack count|units per pack)$/,
    price_minor: /^(price|retail|retail price|current retail|shelf price|unit price)$/,
    status_code: /^(status|item status|status code|listing|listing status)$/,
    status_label: /^status (text|label|name|description)$/,
    alcohol_by_volume: /^(alcohol|abv|alc|alc vol|vol|alcohol (by volume|content|percent|pct|vol))$/,
    producer: /^(producer|manufacturer|maker|winery|distillery|brewery|producer name)$/,
    country_of_origin: /^(country|country of origin|origin country|country name)$/,
    vintage: /^(vintage|vintage year)$/,
    gtin: /^(gtin|ean|upc|barcode|bar code|(gtin|ean|upc) (code|no|13|number))$/,
    category_id: [
      /^(category|category (name|label|title|text))$/,
      /^(class|dept|department) name$/,
      /^(class|dept|department|type)$/,
    ],
  },
  stores: {
    inventory_store_code: /^(store|(store|site|shop) (code|no|num|number|id)|code|number)$/,
    directory_id: /^(directory id|id)$/,
    name: /^((store|display) name|name|label|alias)$/,
    'address.line1': /^(address|address (0?1|line 1)|street|street address|line 1)$/,
    'address.line2': /^(address (0?2|line 2)|line 2|suite)$/,
    'address.city': /^(city|town|what city)$/,
    'address.region': /^(state|st|region|province)$/,
    'address.postal_code': /^(zip|zip code|zipcode|postal code|postcode)$/,
    phone: /^(phone|phone number|telephone|tel)$/,
    'location.latitude': /^(lat|latitude)$/,
    'location.longitude': /^(long|lon|lng|longitude)$/,
    access_type: /^(type|store type|kind|location type)$/,
    regular_hours: /^(hours|store hours|opening hours|regular hours)$/,
  },
  inventory: {
    sku: code,
    store,
    quantity: /^(total )?(qty|quantity|on hand|qty on hand|quantity on hand|qoh|stock|units|inventory|available)$/,
    retrieved_at: /^(retrieved|retrieved at|checked|checked at)$/,
    source_updated_at: /^(as of|updated|updated at|last updated|timestamp|date)$/,
  },
};

/** A column that holds the quantities of one store. */
export const wideStore = /^(?:Store\s*)?#?\s*(\d{1,4})$/i;

/** Whether values may be a field's. `texts`: the distinct ones, `filled`: how many rows have one. */
type Look = (texts: readonly string[], filled: number, counts: readonly number[]) => boolean;

/** What values of a field look like. A column with other values is not suggested, whatever its name. */
const looks: Readonly<Record<string, Look>> = {
  sku: (texts) => areCodes(texts) || texts.every((text) => /\d/.test(text) && text.length <= 40),
  // Sizes of bottles are few. Numbers that differ in nearly every row are something else.
  size_ml: (texts, filled, counts) =>
    guessSizeStyle(texts, counts) === 'written' ||
    (guessSizeStyle(texts) !== null && (filled < 20 || texts.length <= filled / 2)),
  pack_count: arePacks,
  category_id: (texts) => !texts.every((text) => /^\d+$/.test(text)),
  price_minor: arePrices,
  quantity: areQuantities,
  alcohol_by_volume: areAlcohols,
  vintage: areYears,
  gtin: (texts) => areGtins(texts, 0.9),
};

/** Fields that values reveal without a header. */
const shownByValues: Readonly<Partial<Record<Part, Readonly<Record<string, Look>>>>> = {
  products: {
    gtin: (texts) => texts.length >= 3 && areGtins(texts, 0.98),
    size_ml: (texts, _, counts) => guessSizeStyle(texts, counts) === 'written' || areUsualSizes(texts),
    pack_count: (texts, filled) => arePacks(texts) && texts.length > 1 && texts.length < filled && texts.includes('1'),
    price_minor: (texts) => (currencyIn('', texts) !== null && arePrices(texts)) || areLikelyPrices(texts),
  },
};

/** What values of a table of products reveal, if they also show a size or a price. */
const shownBesides: Readonly<Record<string, Look>> = {
  sku: (texts, filled) => areUniqueCodes(texts, filled),
  source_name: (texts, filled) => areNames(texts) && texts.length >= 0.7 * filled,
};

type Values = Pick<DraftTable, 'values' | 'counts' | 'filled' | 'rule' | 'decided'>;

/**
 * The fields of a part with the columns that their names suggest, if the values agree, and then those that values alone
 * reveal. A column is suggested once. Without values, only names count.
 */
export function guessFields(
  part: Part,
  columns: readonly string[],
  table: Values | null = null,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>(table?.decided);
  const texts = new Map(
    columns.map((column) => [column, table === null ? [] : decimalTexts(table.values(column), table.rule.decimal)]),
  );
  const looksLike = (look: Look | undefined, column: string) => {
    const values = texts.get(column) ?? [];
    return (
      values.length === 0 || look === undefined || look(values, table?.filled(column) ?? 0, table?.counts(column) ?? [])
    );
  };
  // A list in a record is no value.
  const usable = columns.filter((column) => !table?.values(column).some((cell) => cellKind(cell) === 'error'));
  const free = () => usable.filter((column) => ![...found.values()].includes(column));
  for (const [field, patterns] of Object.entries(guesses[part])) {
    if (found.has(field)) continue;
    const phrases = new Set(fieldWords[part][field]?.split(', '));
    const candidates = free().filter((column) => looksLike(looks[field], column));
    const named = [patterns]
      .flat()
      .flatMap((pattern) =>
        [columnWords, lastWords, firstWords, amountWords].map((words) =>
          candidates.find((name) => pattern.test(words(name))),
        ),
      );
    const column = [
      ...named,
      candidates.find((name) => [columnWords, amountWords].some((words) => phrases.has(words(name)))),
    ].find((name) => name !== undefined);
    if (column !== undefined) found.set(field, column);
  }
  for (const [field, look] of Object.entries(shownByValues[part] ?? {})) {
    const [column, other] = free().filter((name) => (texts.get(name) ?? []).length > 0 && looksLike(look, name));
    if (found.has(field) || column === undefined) continue;
    // A number of bottles means something only beside the size of one, and looks like many other numbers.
    if (field === 'pack_count' && (other !== undefined || !found.has('size_ml'))) continue;
    // Two columns of amounts may be a price and a cost, and a person decides.
    if (field === 'price_minor' && other !== undefined && currencyIn('', texts.get(column) ?? []) === null) continue;
    found.set(field, column);
  }
  if (part !== 'products' || !(found.has('size_ml') || found.has('price_minor'))) return found;
  for (const [field, look] of Object.entries(shownBesides)) {
    const [column] = free().filter((name) => (texts.get(name) ?? []).length > 0 && looksLike(look, name));
    if (!found.has(field) && column !== undefined) found.set(field, column);
  }
  return found;
}

/** The part that a table with these columns most likely has, or null. */
export function guessPart(columns: readonly string[], table: Values | null = null): Part | null {
  const order = ['inventory', 'stores', 'products'] as const;
  return order.find((part) => missingFields(part, columns, table).length === 0) ?? null;
}

/** The fields that a table of a part needs: one of each group. */
const needed: Readonly<Record<Part, readonly (readonly string[])[]>> = {
  products: [['sku'], ['source_name', 'price_minor']],
  stores: [['address.line1', 'address.city']],
  inventory: [['sku'], ['store'], ['quantity']],
};

/** The fields of a part that a table with these columns lacks. */
export function missingFields(part: Part, columns: readonly string[], table: Values | null): string[] {
  const found = guessFields(part, columns, table);
  const isWide = part === 'inventory' && columns.filter((name) => wideStore.test(name)).length > 1;
  const lacking = needed[part].filter((fields) => !fields.some((field) => found.has(field)));
  return lacking.map((fields) => fields.join(' or ')).filter((field) => !isWide || field === 'sku');
}

function lastWords(name: string): string {
  return columnWords(name.slice(name.lastIndexOf('.') + 1));
}

/** `retail price cents` as `retail price`. */
function amountWords(name: string): string {
  const minor = minorWordIn(name);
  return minor === null ? '' : columnWords(name.replace(minor, ''));
}

function firstWords(name: string): string {
  return columnWords(name.split('.')[0] ?? '');
}
