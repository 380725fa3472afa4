import type { Part } from '../recipe/recipe.ts';
import { minorWordIn } from '../values/minor-units.ts';
import { columnWords, fieldWords } from './field-words.ts';

type Names = Readonly<Record<string, RegExp | readonly RegExp[]>>;

const code = [
  /^(sku|csc|plu|code|item|item (code|no|num|number|id)|product (code|no|num|number|id)|agency sku)$/,
  /^(id|no|number|[a-z]+ code)$/,
];
const store = /^(store|(store|site|shop) (code|no|num|number|id)|outlet|location (code|no|id))$/;

/**
 * Patterns for the names of columns, in lower case and as words, by part and field. The first pattern that fits any
 * column decides, and takes the first column that it fits.
 */
export const columnNames: Readonly<Record<Part, Names>> = {
  products: {
    sku: code,
    source_name:
      /^(description|(item|product|brand|display) name|product|name|product name bold|title|label|(item )?desc(ription)?|descr)$/,
    size_ml: /^(size|volume|bottle size|bottled volume|unit size|size ml|ml)( text)?$/,
    pack_count: /^(pack|pack size|pack count|units per pack)$/,
    price_minor: /^(price|retail|retail price|current retail|shelf price|unit price)$/,
    status_code: [
      /^(status|item status|status code|listing|listing status)$/,
      /^(?:is )?(active|discontinued|delisted|inactive|obsolete)$/,
    ],
    status_label: /^status (text|label|name|description)$/,
    alcohol_by_volume: /^(alcohol|abv|alc|alc vol|vol|alcohol (by volume|content|percent|percentage|pct|vol|volume))$/,
    producer: /^(producer|manufacturer|maker|winery|distillery|brewery|producer name)$/,
    country_of_origin: /^(country|country of origin|origin country|country name)$/,
    vintage: /^(vintage|vintage year|year)$/,
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
    name: /^((store|display|branch|shop|outlet) name|name|label|alias)$/,
    'address.line1': /^(address|address (0?1|line 1)|street|street address|line 1)$/,
    'address.line2': /^(address (0?2|line 2)|line 2|suite)$/,
    'address.city': /^(city|town|what city)$/,
    'address.region': /^(state|st|region|province)$/,
    'address.postal_code': /^(zip|zip code|zipcode|postal|postal code|postcode)$/,
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

/** Tries the patterns first, then the words of other languages. */
export function namedColumn(columns: readonly string[], part: Part, field: string): string | undefined {
  const phrases = new Set(fieldWords[part][field]?.split(', '));
  const found = [
    ...[columnNames[part][field] ?? []]
      .flat()
      .flatMap((pattern) => [
        ...[columnWords, lastWords].map((words) => columns.find((name) => pattern.test(words(name)))),
        onlyOne(columns.filter((name) => pattern.test(firstWords(name)))),
        ...[amountWords, lastAmountWords].map((words) => columns.find((name) => pattern.test(words(name)))),
      ]),
    columns.find((name) =>
      [columnWords, lastWords, amountWords, lastAmountWords].some((words) => phrases.has(words(name))),
    ),
  ];
  return found.find((name) => name !== undefined);
}

/** Available stock is the stock on hand that is not promised to anybody. */
export function isAvailableStock(name: string): boolean {
  return [columnWords, lastWords].some((words) => availableStock.test(words(name)));
}

/** Proof in the USA is twice the percent of alcohol. */
export function isProof(name: string): boolean {
  return /(?:^|[ .])proof$/.test(columnWords(name));
}

const availableStock =
  /^(?:(?:qty|quantity|units|stock) )?(?:available|avail|free|sellable|available to (?:sell|promise))(?: (?:qty|quantity|units|stock))?$/;

export const wideStore = /^(?:Store\s*)?#?\s*(\d{1,4})$/i;

function lastWords(name: string): string {
  return columnWords(name.slice(name.lastIndexOf('.') + 1));
}

/**
 * The words of a name without its minor unit: `retail price` for `retail price cents`. Empty if there is no such unit.
 */
function amountWords(name: string): string {
  const minor = minorWordIn(name);
  return minor === null ? '' : columnWords(name.replace(minor, ''));
}

function lastAmountWords(name: string): string {
  return amountWords(name.slice(name.lastIndexOf('.') + 1));
}

/** Whether a column names an amount other than the usual retail price. */
export function isOtherAmount(name: string): boolean {
  return /\b(?:special|sale|promo|promotion|discount|savings?|was|old|cost|wholesale|licensee|case|deposit|tax)\b/.test(
    lastWords(name),
  );
}

/** The only one of these names. If several members of an object fit, none of them is what the object is called. */
function onlyOne(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

function firstWords(name: string): string {
  return columnWords(name.split('.')[0] ?? '');
}
