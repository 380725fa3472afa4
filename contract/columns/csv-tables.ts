import * as z from 'zod';
import type { Cell } from '../csv.ts';
import { establishedMilliliters, perLitre } from '../per-litre.ts';
import { codeMeaning, majorAmount, type Profile } from '../profile.ts';
import { count, dateTime, minorAmount, sku } from '../schemas/primitives.ts';
import { catalogPresence, productDetail } from '../schemas/product.ts';
import { dailyColumns, dailyRow } from './history-tables.ts';
import {
  type Column,
  type Columns,
  column,
  columnMaker,
  columnsIn,
  describe,
  type ExportFields,
  inMajorUnit,
  textFor,
} from './table.ts';

export const csvTable = z.enum(['products', 'prices', 'daily']);
export type CsvTable = z.infer<typeof csvTable>;

/** `reported_quantity`: the sum over all stores in scope, or the number for the whole state. */
const csvProduct = z.object({
  detail: productDetail,
  categories: z.array(z.string()),
  reported_quantity: count.nullable(),
});
export type CsvProduct = z.infer<typeof csvProduct>;

/** A price that was in force from one retrieval of the catalog to another. */
const csvPrice = z.object({
  sku,
  name: z.string(),
  brand: z.string().nullable(),
  size: z.string().nullable(),
  from: dateTime,
  until: dateTime.nullable(),
  price_minor: minorAmount.nullable(),
  catalog_presence: catalogPresence,
});
export type CsvPrice = z.infer<typeof csvPrice>;

export type CsvSources = {
  readonly products: CsvProduct;
  readonly prices: CsvPrice;
  readonly daily: z.infer<typeof dailyRow>;
};

const productColumn = columnMaker(csvProduct);
const priceColumn = columnMaker(csvPrice);
const dayColumn = columnMaker(dailyRow);

const skuMeaning = codeMeaning('sku', "The product's code, with its leading zeros", "The product's code");

const currencyIn = <Source>(profile: Profile): Column<Source> =>
  column<Source, z.ZodString>(z.string(), 'Currency of the prices', () => profile.currency);

const presence = 'Whether the catalog in force lists the product';

const productsIn = (profile: Profile): Columns<CsvProduct> => ({
  agency_sku: productColumn('detail.source_ids.agency_sku', skuMeaning),
  name: productColumn('detail.name', 'Display title without its resolved brand'),
  brand: productColumn('detail.brand', 'Name of the reviewed brand'),
  size: productColumn('detail.package_size.display', 'Human-readable size'),
  price: inMajorUnit(productColumn('detail.price.amount_minor', 'Observed price')),
  price_per_liter: inMajorUnit(
    column(minorAmount.nullable(), 'Its price for a liter; empty where the volume is not established', pricePerLiter),
  ),
  currency: currencyIn(profile),
  status: productColumn('detail.status.label', 'Source status label'),
  lifecycle: productColumn('detail.status.lifecycle', 'Lifecycle the status stands for'),
  catalog_presence: productColumn('detail.catalog_presence', presence),
  categories: productColumn('categories', 'Names of the categories the product is filed under'),
  reported_positive_store_count: {
    ...column(
      count.nullable(),
      'Stores in scope reported to have the product; empty: unchecked so far',
      ({ detail }: CsvProduct) =>
        detail.inventory_retrieved_at === null ? null : detail.availability_summary.reported_positive_store_count,
      'stores',
    ),
    when: ({ inventory }: Profile) => inventory === 'stores',
  },
  reported_quantity_packages: productColumn(
    'reported_quantity',
    'Sum of the quantities reported in scope; 0 where no store has the product; empty: unchecked so far',
    'packages',
  ),
  inventory_retrieved_at: productColumn(
    'detail.inventory_retrieved_at',
    'When the source was last asked for them with success',
  ),
});

function pricePerLiter({ detail: { price, package_size: size } }: CsvProduct): number | null {
  return perLitre(price?.amount_minor ?? null, establishedMilliliters(size));
}

const pricesIn = (profile: Profile): Columns<CsvPrice> => ({
  agency_sku: priceColumn('sku', skuMeaning),
  name: priceColumn('name', 'Display title at the newest publication'),
  brand: priceColumn('brand', 'Name of the reviewed brand at the newest publication'),
  size: priceColumn('size', 'Human-readable size at the newest publication'),
  from: priceColumn('from', 'When the catalog was retrieved that first had the price'),
  until: priceColumn('until', 'When the catalog was retrieved that had another one; empty: in force'),
  price: inMajorUnit(priceColumn('price_minor', 'The price; empty: the catalog gave none')),
  currency: currencyIn(profile),
  catalog_presence: priceColumn('catalog_presence', presence),
});

const dailyIn = (profile: Profile): Columns<z.infer<typeof dailyRow>> => ({
  publication: dailyColumns.publication,
  published_at: dailyColumns.published_at,
  agency_sku: dayColumn('agency_sku', skuMeaning),
  name: dayColumn('name', 'Display title in that publication, without its resolved brand'),
  brand: dayColumn('brand', 'Name of the reviewed brand in that publication'),
  catalog_presence: dayColumn('catalog_presence', presence),
  price: inMajorUnit(dayColumn('price_amount_minor', 'Price in force; empty: the catalog gives none')),
  currency: currencyIn(profile),
  status_code: dailyColumns.status_code,
  lifecycle: dailyColumns.lifecycle,
  inventory_attempted: dailyColumns.inventory_attempted,
  inventory_observed: dailyColumns.inventory_observed,
  inventory_retrieved_at: dayColumn(
    'inventory_retrieved_at',
    'Last successful inventory retrieval; empty: unchecked so far',
  ),
  positive_store_count: dayColumn(
    'positive_store_count',
    'Stores it reported to have the product, in scope or not; empty: unchecked so far',
    'stores',
  ),
  reported_quantity_packages: dayColumn(
    'reported_quantity',
    'Sum of the quantities it reported over all stores; 0 where no store has the product; empty: unchecked so far',
    'packages',
  ),
});

const tables: { readonly [Name in CsvTable]: (profile: Profile) => Columns<CsvSources[Name]> } = {
  products: productsIn,
  prices: pricesIn,
  daily: dailyIn,
};

/** What a row of each table is, for data packages and the docs. */
export const csvMeanings: Readonly<Record<CsvTable, string>> = {
  products: 'Every product for spreadsheets, by agency_sku: prices in the major unit, times in UTC.',
  prices: 'Every price of every product over time, by agency_sku, oldest first.',
  daily: 'Price, status and reported inventory of every product in every publication, oldest first.',
};

export function describeCsv(table: CsvTable, profile: Profile): ExportFields {
  return describe(tables[table](profile) as Columns, profile);
}

export function csvHead(table: CsvTable, profile: Profile): string[] {
  return describeCsv(table, profile).map(({ name }) => name);
}

export function csvRowMaker<Name extends CsvTable>(
  table: Name,
  profile: Profile,
): (source: CsvSources[Name]) => Cell[] {
  const columns = columnsIn<CsvSources[Name]>(profile, tables[table](profile)).map(([, { type, of }]) => ({
    isAmount: textFor(profile, type).startsWith('decimal'),
    of,
  }));
  return (source) => columns.map(({ isAmount, of }) => toCell(of(source), isAmount ? profile.currency : null));
}

/** `currency`: the currency of an amount in minor units; null for any other value. */
function toCell(value: unknown, currency: string | null): Cell {
  if (value === null) return null;
  if (typeof value === 'number') return currency === null ? value : majorAmount(value, currency);
  return Array.isArray(value) ? value.join('; ') : String(value);
}
