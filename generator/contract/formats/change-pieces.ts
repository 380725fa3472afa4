import * as z from 'zod';
import { catalogPresence } from '../documents/catalog.ts';
import { type ChangeEvent, type ChangeOf, type ChangeType, changeType } from '../documents/change.ts';
import {
  address,
  count,
  dateTime,
  minorAmount,
  observedState,
  sha256,
  sku,
  storeCode,
  text,
  uuid,
} from '../primitives.ts';
import { minorUnit, type Profile } from '../profile.ts';
import { pageSize, segmentSize, span } from './pages.ts';
import {
  columnOf,
  describe,
  exportFieldDescription,
  exportSchemaVersion,
  recordMaker,
  recordOf,
  type Said,
} from './table.ts';

/** An event with its number in the log. */
export type NumberedEvent = { readonly number: number; readonly event: ChangeEvent };

const ofEvent = columnOf<NumberedEvent>();

/** What events of some types say. In the records of all other types the column is null. */
type OfChanges<Value> = { readonly [Type in ChangeType]?: (change: ChangeOf<Type>) => Value };

/** A column of what changed (contract.md 7). */
function changed<Schema extends z.ZodType>(
  type: string,
  schema: Schema,
  meaning: string,
  of: OfChanges<z.infer<Schema>>,
  unit: Said | null = null,
) {
  const value = ({ event }: NumberedEvent) =>
    (of[event.type] as ((change: unknown) => z.infer<Schema>) | undefined)?.(event.change) ?? null;
  return ofEvent(type, schema.nullable(), meaning, value as never, unit);
}

/** The columns of the change history. A column that does not apply to the type of an event is null. */
export const changeColumns = {
  number: ofEvent(
    'integer',
    z.int().min(1),
    'Number of the event in the log, from 1, without gaps',
    ({ number }) => number,
  ),
  id: ofEvent('uuid', uuid, 'Stable event id', ({ event }) => event.id),
  type: ofEvent('string', changeType, 'Event type', ({ event }) => event.type),
  semantics: ofEvent('string', text, 'What the event says, and what it does not', ({ event }) => event.semantics),
  product_id: ofEvent('uuid', uuid, 'Product of the event', ({ event }) => event.product.id),
  agency_sku: ofEvent('string', sku, "The product's code then", ({ event }) => event.product.source_ids.agency_sku),
  product_name: ofEvent(
    'string',
    text,
    "The product's name then, without its brand",
    ({ event }) => event.product.name,
  ),
  brand: ofEvent('string', text.nullable(), 'Name of the reviewed brand then', ({ event }) => event.product.brand),
  store_id: ofEvent('uuid', uuid.nullable(), 'Store of the event', ({ event }) => event.store?.id ?? null),
  inventory_store_code: ofEvent(
    'string',
    storeCode.nullable(),
    "The store's inventory code then",
    ({ event }) => event.store?.source_ids.inventory_store_code ?? null,
  ),
  store_name: ofEvent('string', text.nullable(), "The store's name then", ({ event }) => event.store?.name ?? null),
  previous_state: changed('string', observedState, 'What was reported of the pair before', {
    store_inventory_changed: ({ previous }) => previous.state,
  }),
  current_state: changed('string', observedState, 'What is reported of the pair', {
    store_inventory_first_observed: ({ current }) => current.state,
    store_inventory_changed: ({ current }) => current.state,
  }),
  previous_reported_quantity: changed(
    'integer',
    count.nullable(),
    'Reported quantity before, of the pair or over all stores',
    {
      aggregate_inventory_changed: ({ previous }) => previous.reported_quantity,
      store_inventory_changed: ({ previous }) => previous.reported_quantity,
    },
    'packages',
  ),
  current_reported_quantity: changed(
    'integer',
    count.nullable(),
    'Reported quantity, of the pair or over all stores',
    {
      aggregate_inventory_changed: ({ current }) => current.reported_quantity,
      store_inventory_first_observed: ({ current }) => current.reported_quantity,
      store_inventory_changed: ({ current }) => current.reported_quantity,
    },
    'packages',
  ),
  reported_quantity_difference: changed(
    'integer',
    z.int().nullable(),
    'Difference of the two',
    {
      aggregate_inventory_changed: ({ difference }) => difference,
      store_inventory_changed: ({ difference }) => difference,
    },
    'packages',
  ),
  previous_positive_store_count: changed(
    'integer',
    count,
    'Stores reported to have the product before',
    { aggregate_inventory_changed: ({ previous }) => previous.reported_positive_store_count },
    'stores',
  ),
  current_positive_store_count: changed(
    'integer',
    count,
    'Stores reported to have the product',
    { aggregate_inventory_changed: ({ current }) => current.reported_positive_store_count },
    'stores',
  ),
  previous_price_minor: changed(
    'integer',
    minorAmount.nullable(),
    'Price before',
    { price_changed: ({ previous }) => previous?.amount_minor ?? null },
    minorUnit,
  ),
  current_price_minor: changed(
    'integer',
    minorAmount.nullable(),
    'Price',
    {
      product_first_observed: ({ current }) => current.price?.amount_minor ?? null,
      price_changed: ({ current }) => current?.amount_minor ?? null,
    },
    minorUnit,
  ),
  price_difference_minor: changed(
    'integer',
    z.int().nullable(),
    'Difference of the two',
    { price_changed: ({ difference_minor }) => difference_minor },
    minorUnit,
  ),
  previous_status_code: changed('string', z.string(), 'Source status code before', {
    status_changed: ({ previous }) => previous.code,
  }),
  current_status_code: changed('string', z.string(), 'Source status code', {
    product_first_observed: ({ current }) => current.status.code,
    status_changed: ({ current }) => current.code,
  }),
  previous_catalog_presence: changed('string', catalogPresence, 'Whether the catalog listed the product before', {
    catalog_presence_changed: ({ previous }) => previous,
  }),
  current_catalog_presence: changed('string', catalogPresence, 'Whether the catalog lists the product', {
    catalog_presence_changed: ({ current }) => current,
  }),
  presentation_fields: changed('array of string', z.array(text), 'What changed of the presentation', {
    product_presentation_changed: ({ fields }) => fields.map(({ field }) => field),
  }),
  source_updated_at: ofEvent(
    'date-time',
    dateTime.nullable(),
    'When the source says it updated the fact',
    ({ event }) => event.times.source_updated_at,
  ),
  retrieved_at: ofEvent(
    'date-time',
    dateTime,
    'When the change was retrieved',
    ({ event }) => event.times.retrieved_at,
  ),
  published_at: ofEvent(
    'date-time',
    dateTime,
    'When that retrieval was published',
    ({ event }) => event.times.published_at,
  ),
  upstream_age_known: ofEvent(
    'boolean',
    z.boolean(),
    'Whether the source dates the fact',
    ({ event }) => event.upstream_age_known,
  ),
  change: ofEvent('object', z.looseObject({}), 'The change in full, as the feed has it', ({ event }) => event.change),
};

export const changeRecord = recordOf('change', changeColumns);
export type ChangeRecord = z.infer<typeof changeRecord>;

/** An event of the feed as one flat record. */
export const changeRecordOf = recordMaker<NumberedEvent>('change', Object.entries(changeColumns));

/** Events of a piece. A piece has one sealed segment of the list of all changes, which is 100 sealed pages. */
export const eventsPerPiece = pageSize * segmentSize;

/** Numbers of the first and last event of a piece. Pieces are numbered from 1, from the oldest. */
export function eventsOfPiece(number: number): { readonly first: number; readonly last: number } {
  return { first: (number - 1) * eventsPerPiece + 1, last: number * eventsPerPiece };
}

/**
 * A piece of the change history: a gzip file that never changes. `size` and `sha256` are those of the compressed bytes.
 */
export const changePiece = z.strictObject({
  number: z.int().min(1),
  url: address,
  first_event: z.int().min(1),
  last_event: z.int().min(1),
  record_count: z.literal(eventsPerPiece),
  size: count,
  sha256,
  /** The same records as Parquet. */
  parquet: z.strictObject({ url: address, size: count, sha256 }),
  retrieved: span,
  published: span,
});
export type ChangePiece = z.infer<typeof changePiece>;

/** Where to find the events that are in no piece yet: on the pages from `first_page` on, then in the list itself. */
export const afterPieces = z.strictObject({
  first_event: z.int().min(1),
  first_page: z.int().min(1),
  page_path: address,
  list: z.strictObject({ url: address }),
});

/** The change history as files: its pieces, oldest first, and where to find the events after the last piece. */
export const changePieces = z
  .strictObject({
    format: z.literal('gzip_ndjson'),
    schema_version: z.literal(exportSchemaVersion),
    events_per_piece: z.literal(eventsPerPiece),
    fields: z.array(exportFieldDescription),
    pieces: z.array(changePiece),
    /** All pieces in one Parquet file, and the events after them in another. */
    parquet: z.strictObject({ url: address, newest_url: address }),
    after: afterPieces,
  })
  .meta({ id: 'ChangePieces' });
export type ChangePieces = z.infer<typeof changePieces>;

/** The columns of a piece's records, in the order of their keys. */
export const changeFieldDescriptions = (profile: Profile) => describe(changeColumns, profile);
