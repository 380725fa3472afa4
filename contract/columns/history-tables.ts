import * as z from 'zod';
import { codeMeaning, minorUnit } from '../profile.ts';
import { changeColumns, changed, type NumberedEvent } from '../schemas/change-pieces.ts';
import { count, dateTime, minorAmount, sku, text, uuid } from '../schemas/primitives.ts';
import { catalogPresence, lifecycle } from '../schemas/product.ts';
import { type Columns, column, columnMaker, inMajorUnit, insertedAfter } from './table.ts';

/** The fields have the names of the database's columns. */
export const dailyRow = z.object({
  publication: z.int().min(1),
  publication_revision: text,
  published_at: dateTime,
  product_id: uuid,
  agency_sku: sku,
  name: z.string(),
  brand: z.string().nullable(),
  catalog_presence: catalogPresence,
  price_amount_minor: minorAmount.nullable(),
  status_code: z.string(),
  lifecycle,
  inventory_attempted: z.boolean(),
  inventory_observed: z.boolean(),
  inventory_retrieved_at: dateTime.nullable(),
  positive_store_count: count.nullable(),
  reported_quantity: count.nullable(),
});
export type DailyRow = z.infer<typeof dailyRow>;

const dayColumn = columnMaker(dailyRow);

const dailyPrice = dayColumn('price_amount_minor', 'Price in force; null: the catalog gives none', minorUnit);

/** The table has a row for each pair of a publication and a product that had been listed by then. */
export const dailyColumns = {
  publication: dayColumn('publication', 'Number of the publication, from 1'),
  publication_revision: dayColumn('publication_revision', 'Revision of the publication'),
  published_at: dayColumn('published_at', 'When it was published'),
  agency_sku: dayColumn(
    'agency_sku',
    codeMeaning('sku', "The product's code, leading zeros kept", "The product's code"),
  ),
  catalog_presence: dayColumn('catalog_presence', 'Whether the catalog in force lists the product'),
  price_amount_minor: dailyPrice,
  price_amount: { ...inMajorUnit(dailyPrice), meaning: 'The same price' },
  status_code: dayColumn('status_code', 'Source status code in force'),
  lifecycle: dayColumn('lifecycle', 'Lifecycle the status stands for'),
  inventory_attempted: dayColumn('inventory_attempted', 'Whether its inventory was asked for in this publication'),
  inventory_observed: dayColumn('inventory_observed', 'Whether that succeeded, so that the two numbers are new'),
  inventory_retrieved_at: dayColumn(
    'inventory_retrieved_at',
    'Last successful inventory retrieval; null: unchecked so far',
  ),
  positive_store_count: dayColumn(
    'positive_store_count',
    'Stores it reported to have the product, in scope or not; null: unchecked so far',
    'stores',
  ),
  reported_quantity: dayColumn(
    'reported_quantity',
    'Sum of the quantities it reported over all stores; 0 where no store has the product; null: unchecked so far',
    'packages',
  ),
};

/**
 * Puts the given columns first. A reader that asks for some columns gets adjacent ones in one request, so the short
 * columns of most questions come first, and long texts last.
 */
function startingWith<Source>(columns: Columns<Source>, first: readonly string[]): Columns<Source> {
  const known = first.map((name) => {
    const own = columns[name];
    if (!own) throw new Error(`no column ${name}`);
    return [name, own] as const;
  });
  return { ...Object.fromEntries(known), ...columns };
}

/** These columns also say what the product was called. */
export const dailyHistoryColumns = startingWith<DailyRow>(
  {
    ...dailyColumns,
    product_id: dayColumn('product_id', 'Product of the row'),
    name: dayColumn('name', "The product's name in that publication, without its brand"),
    brand: dayColumn('brand', 'Name of the reviewed brand in that publication'),
  },
  [
    'agency_sku',
    'publication',
    'published_at',
    'catalog_presence',
    'price_amount',
    'status_code',
    'lifecycle',
    'inventory_attempted',
    'inventory_observed',
    'positive_store_count',
    'reported_quantity',
  ],
);

/** Facts from the object `change` that have no column of their own in the record. */
const changeFacts = {
  previous_price: inMajorUnit(changeColumns.previous_price_minor),
  current_price: inMajorUnit(changeColumns.current_price_minor),
  price_difference: inMajorUnit(changeColumns.price_difference_minor),
  previous_status_label: changed('Source status label before', { status_changed: 'previous.label' }),
  current_status_label: changed('Source status label', {
    product_first_observed: 'current.status.label',
    status_changed: 'current.label',
  }),
  previous_lifecycle: changed('Lifecycle before', { status_changed: 'previous.lifecycle' }),
  current_lifecycle: changed('Lifecycle', {
    product_first_observed: 'current.status.lifecycle',
    status_changed: 'current.lifecycle',
  }),
  previous_name: presented('Name before', 'name', 'previous'),
  current_name: presented('Name', 'name', 'current', 'current.name'),
  previous_brand: presented('Name of the reviewed brand before', 'brand', 'previous'),
  current_brand: presented('Name of the reviewed brand', 'brand', 'current', 'current.brand'),
  previous_family: presented('Name of the family before', 'family', 'previous'),
  current_family: presented('Name of the family', 'family', 'current'),
  previous_category: presented('Category before', 'category', 'previous'),
  current_category: presented('Category', 'category', 'current'),
  previous_package: presented('Size as text before', 'package', 'previous'),
  current_package: presented('Size as text', 'package', 'current', 'current.package_size.display'),
};

/**
 * The value of a presentation field as text, or the name or text of what it refers to. `first`: the path of the value
 * in the event that reports the first observation of a product.
 */
function presented(meaning: string, name: string, side: 'previous' | 'current', first?: string) {
  const observed = changed(meaning, first === undefined ? {} : { product_first_observed: first });
  return column(z.string().nullable(), meaning, (source: NumberedEvent) => {
    const { type, change } = source.event;
    if (type !== 'product_presentation_changed') return observed.of(source) as string | null;
    const value = change.fields.find(({ field }) => field === name)?.[side] ?? null;
    if (value === null || typeof value === 'string') return value;
    return 'name' in value ? value.name : 'display' in value ? value.display : null;
  });
}

const publishedEvent = z.object({ publication: z.int().min(1) });
export type PublishedEvent = NumberedEvent & z.infer<typeof publishedEvent>;

export const pieceColumns = insertedAfter<NumberedEvent>(
  // Event ids are all different. As text they would be most of the file; as 16 bytes each they take half the space.
  { ...changeColumns, id: { ...changeColumns.id, type: 'uuid bytes' } },
  'presentation_fields',
  changeFacts,
);

/**
 * The column `id` is left out: it follows from the publication, type, product and store of an event, and would be half
 * of the file.
 */
const { id: _, ...columnsWithoutId } = pieceColumns;

export const changesHistoryColumns = startingWith<PublishedEvent>(
  {
    ...columnsWithoutId,
    publication: columnMaker(publishedEvent)('publication', 'Number of the publication that brought it, from 1'),
  },
  [
    'agency_sku',
    'type',
    'publication',
    'published_at',
    'previous_price',
    'current_price',
    'price_difference',
    'inventory_store_code',
    'current_reported_quantity',
    'previous_reported_quantity',
    'previous_state',
    'current_state',
    'store_id',
    'previous_positive_store_count',
    'current_positive_store_count',
    'previous_lifecycle',
    'current_lifecycle',
    'previous_catalog_presence',
    'current_catalog_presence',
    'number',
    'retrieved_at',
  ],
);
