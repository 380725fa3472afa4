import { productFacts } from '../../../contract/product-facts.ts';
import { countOf, Failure } from '../../files/failure.ts';
import { type InventoryRule, type Part, type ProductsRule, parts, type Recipe, undecided } from '../recipe/recipe.ts';
import { nameCode } from '../values/name-ids.ts';
import { assignedTables, type Decided, statewideStock } from './assigned-parts.ts';
import { guessColumns, guessFields } from './column-guesses.ts';
import { wideStore } from './column-names.ts';
import { areCodes, bareCode, currencyIn, guessCodeFormat, guessSizeStyle, isWrittenSize } from './column-values.ts';
import { describeColumns, unplacedColumns } from './described-columns.ts';
import { draftFields, type Fields, hasWideStores, type Stated } from './draft-rules.ts';
import { codesIn, type DraftTable, draftTables, tableName, textsIn } from './draft-tables.ts';
import type { Assigned } from './related-tables.ts';

export type Draft = ReturnType<typeof draftFrom>;

export async function draftRecipe(paths: readonly string[], stated?: Stated) {
  return draftFrom(await tablesIn(paths), stated);
}

export async function tablesIn(paths: readonly string[]): Promise<DraftTable[]> {
  const tables: DraftTable[] = [];
  for (const path of paths) tables.push(...(await draftTables(path)));
  return tables;
}

/**
 * Drafts a recipe for tables. Values decide, and headers in any of ten languages come second. A mark asks a person to
 * decide the rest. Throws a Failure if no table has columns. `columns`: every column with its guess. `columnsFor`:
 * possible columns of a field. `unplaced`: columns without a field, by file. `unused`: tables without a part, each with
 * the reason, and other notes. `unassigned`: tables that a person may still give a part. `undecided`: how many places
 * have the mark.
 */
export function draftFrom(given: readonly DraftTable[], stated: Stated = nothingStated, decided = nothingDecided) {
  const assigned = assignedTables(given, decided, stated);
  const { chosen, left } = assigned;
  const unused = left.flatMap(({ table, reason }) => (reason === null ? [] : `${tableName(table)}: ${reason}`));
  if (chosen.size === 0) {
    const none = 'expected a file with a header and columns, got none; docs/importing.md has the fields';
    throw new Failure('import_faults', none, { lines: [...unused, none] });
  }
  const products = chosen.get('products');
  const guesses = products && guessColumns('products', products.columns, products);
  const notes = [...assigned.notes];
  if (products && guesses && !guesses.fields.has('price_minor') && !guesses.rivals.has('price_minor'))
    notes.push(`${tableName(products)}: no column is taken for the price`);
  if (products && guesses) notes.push(...misnamedNotes(products, guesses));
  for (const table of chosen.values()) notes.push(...titleNotes(table));
  if (products !== undefined) notes.push(...currencyNotes(products, stated.currency), ...sizeNotes(products));
  const statewide = statewideStock(assigned, decided.columns.get('inventory'));
  const tables = statewide === null ? chosen : new Map([...chosen, ['inventory' as const, statewide]]);
  const recipe = assembleRecipe(
    { ...assigned, chosen: tables },
    draftProfile(tables, statewide !== null, stated),
    stated,
  );
  return {
    recipe,
    columns: describeColumns(recipe, tables),
    columnsFor(part: Part, field: string): readonly string[] {
      const table = tables.get(part);
      const rivals = table && guessColumns(part, table.columns, table).rivals;
      const inner = (column: string) => Number(table?.each != null && column.startsWith(`${table.each}.`));
      return rivals?.get(field) ?? [...(table?.columns ?? [])].sort((a, b) => inner(b) - inner(a));
    },
    unplaced: unplacedColumns(recipe, tables),
    unused: [...unused, ...notes],
    used: [...new Set([...tables.values(), ...assigned.joins.map(({ table }) => table)].map(({ path }) => path))],
    unassigned: left.filter(({ isOpen }) => isOpen).map(({ table }) => tableName(table)),
    undecided: countUndecided(recipe),
  };
}

const nothingStated: Stated = { currency: null, country: null, zone: null };
const nothingDecided: Decided = { parts: new Map(), columns: new Map() };

function misnamedNotes(table: DraftTable, { misnamed, fields }: ReturnType<typeof guessColumns>): string[] {
  const open = [...misnamed].filter(([column, field]) => !fields.has(field) && ![...fields.values()].includes(column));
  return open.flatMap(([column, field]) => {
    const examples = textsIn(table, column)
      .slice(0, 3)
      .map((text) => `'${text}'`);
    const words = field.replace(/_(?:minor|ml|id)$/, '').replaceAll('_', ' ');
    return examples.length === 0
      ? []
      : [`${tableName(table)} ${column}: named as the ${words}, but its values are not: ${examples.join(', ')}`];
  });
}

function titleNotes(table: DraftTable): string[] {
  const texts = table.titles?.texts ?? [];
  const examples = texts.slice(0, 3).map((text) => `'${text}'`);
  const rows = countOf(texts.length, 'row');
  return texts.length === 0
    ? []
    : [`${tableName(table)}: ${rows} with a single value are left out, as titles of sections: ${examples.join(', ')}`];
}

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

/** The likely column of a field, or the first candidate, with its distinct values. Null if there is none. */
function likelyColumn(part: Part, field: string, table: DraftTable | undefined) {
  const guesses = table && guessColumns(part, table.columns, table);
  const column = guesses?.fields.get(field) ?? guesses?.rivals.get(field)?.[0];
  return table === undefined || column === undefined ? null : { column, texts: textsIn(table, column) };
}

/** Codes come from the values. A person states or decides the rest. */
function draftProfile(chosen: ReadonlyMap<Part, DraftTable>, isStatewide: boolean, stated: Stated) {
  const formatIn = (part: Part, field: string) => {
    const table = chosen.get(part);
    const column = likelyColumn(part, field, table)?.column;
    const texts = table === undefined || column === undefined ? [] : codesIn(table, column);
    if (texts.length === 0) return null;
    if (!areCodes(texts) && field !== 'sku') return { pattern: '^[A-Z0-9-]{1,32}$', example: nameCodeOf(texts[0]) };
    if (!areCodes(texts)) return { pattern: undecided, example: undecided };
    const { padTo } = table ?? {};
    if (padTo !== undefined) return { pattern: `^[0-9]{${padTo}}$`, example: (texts[0] ?? '').padStart(padTo, '0') };
    const { pattern, example, mayLackZeros } = guessCodeFormat(texts);
    return { pattern: mayLackZeros ? undecided : pattern, example };
  };
  const sku = formatIn('products', 'sku') ?? formatIn('inventory', 'sku') ?? { pattern: undecided, example: undecided };
  const hasSkus = chosen.has('products') || chosen.has('inventory');
  const store = formatIn('stores', 'inventory_store_code') ?? formatIn('inventory', 'store');
  const products = chosen.get('products');
  const found = products === undefined ? null : guessFields('products', products.columns, products);
  const facts = productFacts.filter((fact) => found?.has(fact));
  const isStored = !isStatewide && chosen.has('inventory');
  return {
    currency: stated.currency ?? likelyCurrency(chosen) ?? undecided,
    country: stated.country ?? undecided,
    time_zone: stated.zone ?? undecided,
    ...(hasSkus ? { sku } : {}),
    ...(store !== null && !isStatewide && (isStored || chosen.has('stores')) ? { store_code: store } : {}),
    ...(isStored ? {} : { inventory: isStatewide ? ('statewide' as const) : ('none' as const) }),
    ...(facts.length > 0 ? { product_facts: facts } : {}),
  };
}

function nameCodeOf(text = ''): string {
  const made = nameCode(text, new Map());
  return 'value' in made ? String(made.value) : undecided;
}

function likelyCurrency(chosen: ReadonlyMap<Part, DraftTable>): string | null {
  const products = chosen.get('products');
  const [only, other] = products === undefined ? [] : currenciesIn(products);
  if (only !== undefined && other === undefined) return only;
  const price = likelyColumn('products', 'price_minor', products);
  return price === null ? null : currencyIn(price.column, price.texts);
}

function currenciesIn(table: DraftTable): string[] {
  const column = currencyColumn(table);
  return column === undefined ? [] : textsIn(table, column);
}

function currencyColumn(table: DraftTable): string | undefined {
  const known = new Set(Intl.supportedValuesOf('currency'));
  return table.columns.find((column) => {
    const texts = textsIn(table, column);
    return texts.length > 0 && texts.length < 10 && texts.every((text) => known.has(text));
  });
}

/** Leaves out prices in currencies other than the site's. */
function otherCurrencies(table: DraftTable, currency: string | null): NonNullable<ProductsRule['leave_out']> {
  const column = currencyColumn(table);
  const others = currenciesIn(table).filter((one) => one !== currency);
  if (column === undefined || currency === null || others.length === 0 || others.length === currenciesIn(table).length)
    return [];
  return [{ column, equals: others, reason: `a price that is not in ${currency}` }];
}

function currencyNotes(table: DraftTable, stated: string | null): string[] {
  const found = currenciesIn(table);
  if (found.length === 0 || (found.length === 1 && (stated === null || found[0] === stated))) return [];
  return [
    `${tableName(table)}: prices are in ${found.join(', ')}, by a column with these words; a site has one currency`,
  ];
}

function assembleRecipe({ chosen, joins }: Assigned, profile: ReturnType<typeof draftProfile>, stated: Stated): Recipe {
  const files: Recipe['files'] = {};
  const joined = joins.map(({ role, table, by: [own, key] }) => {
    files[role] = table.rule;
    return { file: role, by: own === key ? own : { [own]: key } };
  });
  const [products, stores, inventory] = parts.map((part) => {
    const table = chosen.get(part);
    if (table === undefined) return null;
    // A JSON file with two parts is one file of the recipe.
    const rule = JSON.stringify(table.rule);
    const [from = part] = Object.entries(files).find(([, other]) => JSON.stringify(other) === rule) ?? [];
    files[from] = table.rule;
    const fields = draftFields(part, table, stated);
    const currencies = part === 'products' ? otherCurrencies(table, stated.currency) : [];
    const leftOut = rowsWithoutCode(fields, table);
    const all = [...titleRows(table), ...(leftOut.leave_out ?? []), ...currencies];
    return { from, fields, leftOut: all.length === 0 ? {} : { leave_out: all }, table };
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
    ...(products
      ? {
          products: {
            from: products.from,
            ...(joined.length > 0 ? { joins: joined } : {}),
            fields: products.fields,
            ...products.leftOut,
          },
        }
      : {}),
    ...(stores ? { stores: { from: stores.from, ...eachOf(stores.table), fields: stores.fields } } : {}),
    ...(inventory
      ? {
          inventory: draftInventory(
            inventory,
            products?.table ?? null,
            stores !== null,
            profile.inventory === 'statewide',
          ),
        }
      : {}),
    // The first publication needs a curation and products, even if there are none.
    ...(products || inventory ? {} : { products: 'none' as const }),
    ...(products || !inventory
      ? { curation: { categories: category === undefined ? [] : ('from_products' as const) } }
      : {}),
  };
}

type LeftOut = Pick<ProductsRule, 'leave_out'>;

/** Leaves out products that no list has, if they are few. */
function unknownCodes(inventory: DraftTable, products: DraftTable) {
  const codes = (part: Part, table: DraftTable) => {
    const column = guessFields(part, table.columns, table).get('sku');
    return column === undefined ? [] : codesIn(table, column).map((text) => bareCode(text).replace(/^0+(?=\d)/, ''));
  };
  const listed = new Set(codes('products', products));
  const own = codes('inventory', inventory);
  const unknown = own.filter((code) => !listed.has(code)).length;
  if (listed.size === 0 || unknown === 0 || unknown > Math.max(1, 0.2 * own.length)) return [];
  return [{ not_in: 'products' as const, reason: 'not in the list of products' }];
}

function titleRows({ titles }: DraftTable): NonNullable<LeftOut['leave_out']> {
  return titles === null ? [] : [{ column: titles.lacking, empty: true, reason: 'the title of a section' }];
}

/** Leaves out rows without a code, if they are few: titles of sections, sums, and products without a code yet. */
function rowsWithoutCode({ sku }: Fields, table: DraftTable): LeftOut {
  const column = typeof sku === 'string' ? sku : sku?.column;
  if (column === undefined || table.each !== null) return {};
  const filled = table.filled(column);
  if (filled === table.count || filled * 2 < table.count) return {};
  return { leave_out: [{ column, empty: true, reason: 'a row without a code' }] };
}

function wideRule({ stores }: DraftTable): NonNullable<InventoryRule['stores']> {
  if (stores === undefined) return { columns: wideStore.source.replace('Store', '[Ss]tore') };
  const names = [...stores.keys()].map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return { columns: `^(${names.join('|')})$`, lookup: Object.fromEntries(stores) };
}

function eachOf({ each }: DraftTable): { readonly each?: string } {
  return each === null ? {} : { each };
}

function draftInventory(
  { from, fields, leftOut: own, table }: { from: string; fields: Fields; leftOut: LeftOut; table: DraftTable },
  products: DraftTable | null,
  hasStores: boolean,
  isStatewide: boolean,
) {
  const unknown = products === null ? [] : unknownCodes(table, products);
  const leftOut = unknown.length === 0 ? own : { leave_out: [...(own.leave_out ?? []), ...unknown] };
  if (isStatewide) {
    const { store: _, ...others } = fields;
    return { from, fields: others, ...leftOut };
  }
  const isWide = hasWideStores(table) && (table.stores !== undefined || fields.quantity === undefined);
  return {
    from,
    ...eachOf(table),
    fields,
    ...leftOut,
    ...(isWide ? { stores: wideRule(table) } : {}),
    scope: hasStores ? ('stores' as const) : ('rows' as const),
  };
}

function countUndecided(value: unknown): number {
  if (value === undecided) return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countUndecided(inner), 0);
}
