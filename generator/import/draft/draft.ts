import { Failure, printable } from '../../failure.ts';
import { type Part, parts, type Recipe, type Rule, targets, undecided } from '../recipe/recipe.ts';
import { kindOf, textOf, trimmed } from '../tables/table.ts';
import { dateTime, code as readCode } from '../values/conversions.ts';
import { type DraftTable, draftTables } from './draft-tables.ts';

export type Draft = Awaited<ReturnType<typeof draftRecipe>>;

type Fields = Record<string, string | Rule>;

/**
 * A first recipe for files, guessed from their headers and values. A person has to read it. A Failure says why none fits.
 * `unplaced`: columns that no field got, by file. `unused`: tables that no part got, each with its columns and the reason.
 * `undecided`: how many places have the mark for a person to decide.
 */
export async function draftRecipe(paths: readonly string[]) {
  const chosen = new Map<Part, DraftTable>();
  const unused: string[] = [];
  for (const path of paths) {
    for (const table of await draftTables(path)) {
      const part = guessPart(table.columns);
      if (part !== null && !chosen.has(part)) chosen.set(part, table);
      else if (table.each === null) unused.push(`${nameOf(table)}: ${reasonOf(table, part)}`);
    }
  }
  if (chosen.size === 0) {
    const none =
      'expected a file with columns of products, stores or an inventory, got none; docs/importing.md has the fields';
    throw new Failure('import_faults', none, { lines: [...unused.map(printable), none] });
  }
  const products = chosen.get('products');
  // A list of products may say what is left of each, without a store.
  const isStatewide = products !== undefined && !chosen.has('inventory') && isCounted(products);
  if (isStatewide) chosen.set('inventory', products);
  const recipe = recipeOf(chosen, profileOf(chosen, isStatewide));
  return { recipe, unplaced: unplacedOf(recipe, chosen), unused, undecided: countUndecided(recipe) };
}

function nameOf({ file, rule }: DraftTable): string {
  return rule.sheet === undefined ? file : `${file}, ${rule.sheet}`;
}

function reasonOf({ columns }: DraftTable, part: Part | null): string {
  if (part !== null) return `another table has the ${part}`;
  if (columns.length === 0) return 'none of the first rows looks like a header, with two texts at least';
  const lacking = parts.map((one) => `${one} lack ${missingOf(one, columns).join(' and ')}`);
  const more = columns.length > mostShown ? `, and ${columns.length - mostShown} more` : '';
  return `no part has columns like ${columns.slice(0, mostShown).join(', ')}${more}: ${lacking.join('; ')}`;
}

const mostShown = 40;

function isCounted(table: DraftTable): boolean {
  const column = guessFields('inventory', table.columns).get('quantity');
  return column !== undefined && table.values(column).every((cell) => /^\d+$/.test(textOf(cell).trim()));
}

/** What is unlike the usual profile: longer codes, and no inventory of stores. */
function profileOf(chosen: ReadonlyMap<Part, DraftTable>, isStatewide: boolean) {
  const products = chosen.get('products');
  const column = products && guessFields('products', products.columns).get('sku');
  const width = products === undefined || column === undefined ? 0 : widthOf(products, column);
  const [first] = column === undefined ? [] : (products?.values(column) ?? []);
  const sku = { pattern: `^[0-9]{1,${width}}$`, example: trimmed(textOf(first)) };
  const hasStores = chosen.has('stores') || chosen.has('inventory');
  const inventory = isStatewide ? ('statewide' as const) : ('none' as const);
  return {
    ...(width > usualWidths.sku && width <= mostDigits ? { sku } : {}),
    ...(isStatewide || !hasStores ? { inventory } : {}),
  };
}

const usualWidths = { sku: 6, store: 4 };
const mostDigits = 32;

function recipeOf(chosen: ReadonlyMap<Part, DraftTable>, profile: ReturnType<typeof profileOf>): Recipe {
  const files: Recipe['files'] = {};
  const [products, stores, inventory] = parts.map((part) => {
    const table = chosen.get(part);
    if (table === undefined) return null;
    // A file of JSON that holds two parts is one file of the recipe.
    const rule = JSON.stringify(table.rule);
    const [from = part] = Object.entries(files).find(([, other]) => JSON.stringify(other) === rule) ?? [];
    files[from] = table.rule;
    return { from, fields: fieldsOf(part, table), table };
  });
  const category = products?.fields.category_id;
  return {
    format: 'inventory-recipe',
    format_version: 1,
    snapshot: {
      policy: { id: 'inventory-48h', max_age_seconds: 172_800 },
      retention: { history_days: 365, publication_days: 30 },
      warnings: [],
      ...(Object.keys(profile).length === 0 ? {} : { profile: profile as Recipe['snapshot']['profile'] }),
    },
    files,
    ...(products ? { products: { from: products.from, fields: products.fields } } : {}),
    ...(stores ? { stores: { from: stores.from, fields: stores.fields } } : {}),
    ...(inventory ? { inventory: inventoryOf(inventory, stores !== null, profile.inventory === 'statewide') } : {}),
    ...(category === undefined ? {} : { curation: { categories: 'from_products' as const } }),
  };
}

function inventoryOf(
  { from, fields: all, table }: { from: string; fields: Fields; table: DraftTable },
  hasStores: boolean,
  isStatewide: boolean,
) {
  const { store: _, ...others } = all;
  if (isStatewide) return { from, fields: others };
  const fields = all;
  const isWide = fields.quantity === undefined;
  return {
    from,
    ...(table.each === null ? {} : { each: table.each }),
    fields,
    ...(isWide ? { stores: { columns: wideStore.source.replace('Store', '[Ss]tore'), pad: 4 } } : {}),
    scope: hasStores ? ('stores' as const) : ('rows' as const),
  };
}

/** The rules of a part. Required fields without a column get the mark. */
function fieldsOf(part: Part, table: DraftTable): Fields {
  const found = new Map(guessFields(part, table.columns));
  const code = found.get('inventory_store_code');
  if (code !== undefined && !found.has('directory_id') && widthOf(table, code) > usualWidths.store) {
    found.delete('inventory_store_code');
    found.set('directory_id', code);
  }
  const isWide = part === 'inventory' && !found.has('quantity');
  const fields: Fields = {};
  for (const { field, as, fallback } of targets[part]) {
    const column = found.get(field) ?? found.get(sameAs[part]?.[field] ?? '');
    if (isWide && (field === 'store' || field === 'quantity')) continue;
    if (column !== undefined) fields[field] = ruleOf(field, as, column, table);
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

function ruleOf(field: string, as: string, column: string, table: DraftTable): string | Rule {
  const values = table.values(column);
  const texts = values.map((cell) => trimmed(textOf(cell)));
  const width = field === 'sku' ? usualWidths.sku : usualWidths.store;
  if (as === 'code') return widthOf(table, column) > width ? column : { column, pad: width };
  if (field === 'category_id') return { column, as: 'category' };
  if (field === 'name' && column !== 'name') return { column, spaces: 'collapse' };
  if (field === 'lifecycle' || field === 'access_type')
    return { column, lookup: Object.fromEntries(texts.map((text) => [text, undecided])) };
  if (as !== 'date-time') return column;
  if (values.some((cell) => kindOf(cell) === 'date')) return { column, zone: undecided };
  const format = formats.find((one) =>
    texts.every((text) => 'value' in dateTime(text, { zone: 'utc', format: one, whenRepeated: null })),
  );
  if (texts.every((text) => 'value' in dateTime(text, { zone: null, format: null, whenRepeated: null }))) return column;
  return { column, format: format ?? undecided, zone: undecided };
}

/** The most characters of a column's values; more than any code if one is no code. */
function widthOf(table: DraftTable, column: string): number {
  const widths = table.values(column).map((cell) => {
    const converted = readCode(trimmed(textOf(cell)), null, null);
    return 'value' in converted ? String(converted.value).length : Number.POSITIVE_INFINITY;
  });
  return Math.max(0, ...widths);
}

const formats = [
  'M/d/yyyy h:mm a',
  'M/d/yyyy h:mm:ss a',
  'M/d/yyyy H:mm',
  'M/d/yyyy H:mm:ss',
  'M/d/yyyy',
  'yyyy-MM-dd HH:mm',
  'yyyy-MM-dd HH:mm:ss',
  'yyyy-MM-dd',
];

function unplacedOf(recipe: Recipe, chosen: ReadonlyMap<Part, DraftTable>) {
  const used = (part: Part) =>
    Object.values(recipe[part]?.fields ?? {}).flatMap((rule) =>
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

type Guesses = Readonly<Record<string, RegExp | readonly RegExp[]>>;

const code = [
  /^(sku|csc|plu|code|item|item (code|no|num|number|id)|product (code|no|num|number|id)|agency sku)$/,
  /^(id|no|number|[a-z]+ code)$/,
];
const store = /^(store|(store|site|shop) (code|no|num|number|id)|outlet|location (code|no|id))$/;

/**
 * Names that agencies give their columns, in lower case and as words, by part and field. The first fit counts, and of several
 * patterns the first that a column fits.
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
    category_id: [/^(category|category name)$/, /^(class|dept|department) name$/, /^(class|dept|department|type)$/],
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
const wideStore = /^(?:Store\s*)?#?\s*(\d{1,4})$/i;

/** The fields of a part with the columns that their names suggest. A column is suggested once. */
export function guessFields(part: Part, columns: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [field, patterns] of Object.entries(guesses[part])) {
    const used = new Set(found.values());
    const free = columns.filter((column) => !used.has(column));
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
  const order = ['inventory', 'stores', 'products'] as const;
  return order.find((part) => missingOf(part, columns).length === 0) ?? null;
}

/** By part, fields of which a table has one of each. */
const needed: Readonly<Record<Part, readonly (readonly string[])[]>> = {
  products: [['sku'], ['source_name', 'price_minor']],
  stores: [['address.line1', 'address.city']],
  inventory: [['sku'], ['store'], ['quantity']],
};

/** The fields of a part that a table with these columns lacks. */
function missingOf(part: Part, columns: readonly string[]): string[] {
  const found = guessFields(part, columns);
  const isWide = part === 'inventory' && columns.filter((name) => wideStore.test(name)).length > 1;
  const lacking = needed[part].filter((fields) => !fields.some((field) => found.has(field)));
  return lacking.map((fields) => fields.join(' or ')).filter((field) => !isWide || field === 'sku');
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
