import type { Part } from '../recipe/recipe.ts';

type Guesses = Readonly<Record<string, RegExp | readonly RegExp[]>>;

const code = [
  /^(sku|csc|plu|code|item|item (code|no|num|number|id)|product (code|no|num|number|id)|agency sku)$/,
  /^(id|no|number)$/,
];
const store = /^(store|store (code|no|num|number|id)|outlet|location (code|no|id))$/;

/**
 * Names that agencies give their columns, in lower case and as words, by part and field. The first fit counts, and of several
 * patterns the first that a column fits.
 */
const guesses: Readonly<Record<Part, Guesses>> = {
  products: {
    sku: code,
    source_name: /^(description|item name|product name|product|name|title|label|item description)$/,
    size_ml: /^(size|volume|bottle size|bottled volume|unit size|size ml|ml)( text)?$/,
    pack_count: /^(pack|pack size|pack count|units per pack)$/,
    price_minor: /^(price|retail|retail price|current retail|shelf price|unit price)$/,
    status_code: /^(status|item status|status code|listing|listing status)$/,
    status_label: /^status (text|label|name|description)$/,
    category_id: [/^(category|category name)$/, /^(class|dept|department) name$/, /^(class|dept|department|type)$/],
  },
  stores: {
    inventory_store_code: /^(store|store (code|no|num|number|id)|code|number)$/,
    directory_id: /^(directory id|id)$/,
    name: /^(store name|name|label)$/,
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
    quantity: /^(qty|quantity|on hand|qty on hand|quantity on hand|qoh|stock|units|inventory|available)$/,
    retrieved_at: /^(retrieved|retrieved at|checked|checked at)$/,
    source_updated_at: /^(as of|updated|updated at|last updated|timestamp|date)$/,
  },
};

/** A column that holds the quantities of one store. */
export const wideStore = /^(?:Store\s*)?#?\s*(\d{1,4})$/i;

/** The fields of a part with the columns that their names suggest. A column is suggested once. */
export function guessFields(part: Part, columns: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [field, patterns] of Object.entries(guesses[part])) {
    const taken = new Set(found.values());
    const free = columns.filter((column) => !taken.has(column));
    const column = [patterns]
      .flat()
      .flatMap((pattern) =>
        [wordsOf, lastWordsOf, firstWordsOf].map((words) => free.find((name) => pattern.test(words(name)))),
      )
      .find((name) => name !== undefined);
    if (column !== undefined) found.set(field, column);
  }
  return found;
}

/** The part that a table with these columns most likely is, or null. */
export function guessPart(columns: readonly string[]): Part | null {
  const has = (part: Part, ...fields: string[]) => fields.every((field) => guessFields(part, columns).has(field));
  const isWide = columns.filter((name) => wideStore.test(name)).length > 1;
  if (has('inventory', 'sku') && (has('inventory', 'store', 'quantity') || isWide)) return 'inventory';
  if (has('stores', 'address.line1') || has('stores', 'address.city')) return 'stores';
  return has('products', 'sku') && (has('products', 'source_name') || has('products', 'price_minor'))
    ? 'products'
    : null;
}

/** `Item Code`, `item_code`, `itemCode` and `ITEM #` as words in lower case. A dot of JSON separates words too. */
function wordsOf(name: string): string {
  const separate = name.replace(/([a-z])([A-Z\d])/g, '$1 $2').replaceAll('#', ' no ');
  return separate
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

function lastWordsOf(name: string): string {
  return wordsOf(name.slice(name.lastIndexOf('.') + 1));
}

function firstWordsOf(name: string): string {
  return wordsOf(name.split('.')[0] ?? '');
}
