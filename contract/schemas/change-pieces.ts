import * as z from 'zod';
import {
  type Column,
  column,
  columnMaker,
  describe,
  exportFieldDescription,
  exportSchemaVersion,
  orNull,
  type ProfiledText,
  recordSchema,
} from '../columns/table.ts';
import { pageSize, segmentSize } from '../pages.ts';
import { minorUnit, type Profile } from '../profile.ts';
import type { ChangeType } from '../vocabulary.ts';
import { type ChangeEvent, changeEvent, changeType, eventStore } from './change.ts';
import { span } from './pages.ts';
import { address, component, count, observationTimes, sha256, text, uuid } from './primitives.ts';
import { namedProduct } from './product.ts';

const numberedEvent = z.object({
  number: z.int().min(1),
  event: z.object({
    id: uuid,
    type: changeType,
    semantics: text,
    product: namedProduct,
    store: eventStore.nullable(),
    change: z.looseObject({}),
    times: observationTimes,
    upstream_age_known: z.boolean(),
  }),
});

export type NumberedEvent = { readonly number: number; readonly event: ChangeEvent };

const eventColumn = columnMaker(numberedEvent);

/** By event type, the path of the value in `change`. For other types the column is null. */
type ChangePaths = Readonly<Partial<Record<ChangeType, string>>>;

/** A column for a change (contract.md 7). */
export function changed(meaning: string, paths: ChangePaths, unit: ProfiledText | null = null): Column<NumberedEvent> {
  const columns = new Map<ChangeType, Column>();
  for (const { shape } of changeEvent.options) {
    const path = paths[shape.type.value];
    if (path !== undefined) columns.set(shape.type.value, columnMaker<z.ZodType>(shape.change)(path, meaning));
  }
  const [first] = columns.values();
  return column(
    orNull(first?.schema ?? z.null()),
    meaning,
    ({ event }) => columns.get(event.type)?.of(event.change as never) ?? null,
    unit,
  );
}

/** A column that does not apply to the type of an event is null. */
export const changeColumns = {
  number: eventColumn('number', 'Number of the event in the log, from 1, without gaps'),
  id: eventColumn('event.id', 'Stable event id'),
  type: eventColumn('event.type', 'Event type'),
  semantics: eventColumn('event.semantics', 'What the event says, and what it does not'),
  product_id: eventColumn('event.product.id', 'Product of the event'),
  agency_sku: eventColumn('event.product.source_ids.agency_sku', "The product's code then"),
  product_name: eventColumn('event.product.name', "The product's name then, without its brand"),
  brand: eventColumn('event.product.brand', 'Name of the reviewed brand then'),
  store_id: eventColumn('event.store.id', 'Store of the event'),
  inventory_store_code: eventColumn('event.store.source_ids.inventory_store_code', "The store's inventory code then"),
  store_name: eventColumn('event.store.name', "The store's name then"),
  previous_state: changed('What was reported of the pair before', { store_inventory_changed: 'previous.state' }),
  current_state: changed('What is reported of the pair', {
    store_inventory_first_observed: 'current.state',
    store_inventory_changed: 'current.state',
  }),
  previous_reported_quantity: changed(
    'Reported quantity before, of the pair or over all stores',
    {
      aggregate_inventory_changed: 'previous.reported_quantity',
      store_inventory_changed: 'previous.reported_quantity',
    },
    'packages',
  ),
  current_reported_quantity: changed(
    'Reported quantity, of the pair or over all stores',
    {
      aggregate_inventory_changed: 'current.reported_quantity',
      store_inventory_first_observed: 'current.reported_quantity',
      store_inventory_changed: 'current.reported_quantity',
    },
    'packages',
  ),
  reported_quantity_difference: changed(
    'Difference of the two',
    { aggregate_inventory_changed: 'difference', store_inventory_changed: 'difference' },
    'packages',
  ),
  previous_positive_store_count: changed(
    'Stores reported to have the product before',
    { aggregate_inventory_changed: 'previous.reported_positive_store_count' },
    'stores',
  ),
  current_positive_store_count: changed(
    'Stores reported to have the product',
    { aggregate_inventory_changed: 'current.reported_positive_store_count' },
    'stores',
  ),
  previous_price_minor: changed('Price before', { price_changed: 'previous.amount_minor' }, minorUnit),
  current_price_minor: changed(
    'Price',
    { product_first_observed: 'current.price.amount_minor', price_changed: 'current.amount_minor' },
    minorUnit,
  ),
  price_difference_minor: changed('Difference of the two', { price_changed: 'difference_minor' }, minorUnit),
  previous_status_code: changed('Source status code before', { status_changed: 'previous.code' }),
  current_status_code: changed('Source status code', {
    product_first_observed: 'current.status.code',
    status_changed: 'current.code',
  }),
  previous_catalog_presence: changed('Whether the catalog listed the product before', {
    catalog_presence_changed: 'previous',
  }),
  current_catalog_presence: changed('Whether the catalog lists the product', { catalog_presence_changed: 'current' }),
  presentation_fields: column(
    z.array(text).nullable(),
    'What changed of the presentation',
    ({ event }: NumberedEvent) =>
      event.type === 'product_presentation_changed' ? event.change.fields.map(({ field }) => field) : null,
  ),
  source_updated_at: eventColumn('event.times.source_updated_at', 'When the source says it updated the fact'),
  retrieved_at: eventColumn('event.times.retrieved_at', 'When the change was retrieved'),
  published_at: eventColumn('event.times.published_at', 'When that retrieval was published'),
  upstream_age_known: eventColumn('event.upstream_age_known', 'Whether the source dates the fact'),
  change: eventColumn('event.change', 'The change in full, as the feed has it'),
};

export const changeRecord = recordSchema('change', changeColumns);
export type ChangeRecord = z.infer<typeof changeRecord>;

/** A piece has one sealed segment of the list of all changes, which is 100 sealed pages. */
export const eventsPerPiece = pageSize * segmentSize;

/** Events are numbered in the log, and pieces from the oldest, which is 1. */
export function eventsInPiece(number: number): { readonly first: number; readonly last: number } {
  return { first: (number - 1) * eventsPerPiece + 1, last: number * eventsPerPiece };
}

/** The content of a compressed piece. Clients that decode Content-Encoding save it under this name. */
const unpackedPiece = z.strictObject({ name: text, size: count, sha256 });

/** A gzip file that never changes. `size` and `sha256` describe the compressed bytes. */
export const changePiece = z.strictObject({
  number: z.int().min(1),
  url: address,
  first_event: z.int().min(1),
  last_event: z.int().min(1),
  record_count: z.literal(eventsPerPiece),
  size: count,
  sha256,
  unpacked: unpackedPiece,
  /** The same records as Parquet. */
  parquet: z.strictObject({ url: address, size: count, sha256 }),
  retrieved: span,
  published: span,
});
export type ChangePiece = z.infer<typeof changePiece>;

/** Events that are in no piece yet: they are in the pages from `first_page` on, then in the list itself. */
export const afterPieces = z.strictObject({
  first_event: z.int().min(1),
  first_page: z.int().min(1),
  page_path: address,
  list: z.strictObject({ url: address }),
});

/** The pieces of the change history, oldest first. */
export const changePieces = component('ChangePieces', {
  format: z.literal('gzip_ndjson'),
  schema_version: z.literal(exportSchemaVersion),
  events_per_piece: z.literal(eventsPerPiece),
  fields: z.array(exportFieldDescription),
  pieces: z.array(changePiece),
  /** All pieces in one Parquet file, and the events after them in another. */
  parquet: z.strictObject({ url: address, newest_url: address }),
  after: afterPieces,
});
export type ChangePieces = z.infer<typeof changePieces>;

export const changeFieldDescriptions = (profile: Profile) => describe(changeColumns, profile);
