import * as z from 'zod';
import { type ChangeEvent, type ChangeOf, type ChangeType, changeType } from '../documents/change.ts';
import { catalogPresence } from '../documents/product.ts';
import { address, count, dateTime, minorAmount, sha256, sku, storeCode, text, uuid } from '../primitives.ts';
import { describe, exportFieldDescription, exportSchemaVersion, field, recordOf } from './export.ts';
import { pageSize, segmentSize } from './page-index.ts';

const pairState = z.enum(['reported_positive', 'reported_zero', 'row_absent']).nullable();
const quantity = (meaning: string) => field('integer or null', count.nullable(), meaning, 'packages');
const storeCount = (meaning: string) => field('integer or null', count.nullable(), meaning, 'stores');
const price = (meaning: string) => field('integer or null', minorAmount.nullable(), meaning, 'US cents');
const status = (meaning: string) => field('string or null', z.string().nullable(), meaning);
const presence = (meaning: string) => field('string or null', catalogPresence.nullable(), meaning);
const difference = (meaning: string, unit: string) => field('integer or null', z.int().nullable(), meaning, unit);

/** The columns of the change history. A column that does not apply to the type of an event is null. */
export const changeFields = {
  number: field('integer', z.int().min(1), 'Number of the event in the log, from 1, without gaps'),
  id: field('uuid', uuid, 'Stable event id'),
  type: field('string', changeType, 'Event type'),
  semantics: field('string', text, 'What the event says, and what it does not'),
  product_id: field('uuid', uuid, 'Product of the event'),
  agency_sku: field('string', sku, "The product's code then"),
  product_name: field('string', text, "The product's name then, without its brand"),
  brand: field('string or null', text.nullable(), 'Name of the reviewed brand then'),
  store_id: field('uuid or null', uuid.nullable(), 'Store of the event'),
  inventory_store_code: field('string or null', storeCode.nullable(), "The store's inventory code then"),
  store_name: field('string or null', text.nullable(), "The store's name then"),
  previous_state: field('string or null', pairState, 'What was reported of the pair before'),
  current_state: field('string or null', pairState, 'What is reported of the pair'),
  previous_reported_quantity: quantity('Reported quantity before, of the pair or over all stores'),
  current_reported_quantity: quantity('Reported quantity, of the pair or over all stores'),
  reported_quantity_difference: difference('Difference of the two', 'packages'),
  previous_positive_store_count: storeCount('Stores reported to have the product before'),
  current_positive_store_count: storeCount('Stores reported to have the product'),
  previous_price_minor: price('Price before'),
  current_price_minor: price('Price'),
  price_difference_minor: difference('Difference of the two', 'US cents'),
  previous_status_code: status('Source status code before'),
  current_status_code: status('Source status code'),
  previous_catalog_presence: presence('Whether the catalog listed the product before'),
  current_catalog_presence: presence('Whether the catalog lists the product'),
  presentation_fields: field('array of string or null', z.array(text).nullable(), 'What changed of the presentation'),
  source_updated_at: field('date-time or null', dateTime.nullable(), 'When the source says it updated the fact'),
  retrieved_at: field('date-time', dateTime, 'When the change was retrieved'),
  published_at: field('date-time', dateTime, 'When that retrieval was published'),
  upstream_age_known: field('boolean', z.boolean(), 'Whether the source dates the fact'),
  change: field('object', z.looseObject({}), 'The change in full, as the feed has it'),
};

export const changeRecord = recordOf('change', changeFields);
export type ChangeRecord = z.infer<typeof changeRecord>;

/**
 * An event of the feed as one flat record. Apart from the number, all of it comes from the event. Columns that an event
 * of its type does not fill are null.
 */
export function changeRecordOf(number: number, event: ChangeEvent): ChangeRecord {
  const { id, type, semantics, product, store, times, upstream_age_known, change } = event;
  return {
    record_type: 'change',
    number,
    id,
    type,
    semantics,
    ...productColumnsOf(product),
    ...storeColumnsOf(store),
    ...changeColumnsOf(event),
    source_updated_at: times.source_updated_at,
    retrieved_at: times.retrieved_at,
    published_at: times.published_at,
    upstream_age_known,
    change,
  };
}

/** The columns that say which product an event is of. */
export function productColumnsOf({ id, source_ids, name, brand }: ChangeEvent['product']) {
  return { product_id: id, agency_sku: source_ids.agency_sku, product_name: name, brand };
}

/** The columns that say which store an event is of. `store`: null for none. */
export function storeColumnsOf(store: ChangeEvent['store']) {
  return {
    store_id: store?.id ?? null,
    inventory_store_code: store?.source_ids.inventory_store_code ?? null,
    store_name: store?.name ?? null,
  };
}

const emptyColumns = {
  previous_state: null,
  current_state: null,
  previous_reported_quantity: null,
  current_reported_quantity: null,
  reported_quantity_difference: null,
  previous_positive_store_count: null,
  current_positive_store_count: null,
  previous_price_minor: null,
  current_price_minor: null,
  price_difference_minor: null,
  previous_status_code: null,
  current_status_code: null,
  previous_catalog_presence: null,
  current_catalog_presence: null,
  presentation_fields: null,
} satisfies Partial<ChangeRecord>;

export type ChangeColumns = Pick<ChangeRecord, keyof typeof emptyColumns>;

/** The columns that say what changed. */
export function changeColumnsOf(event: EventChange): ChangeColumns {
  return { ...emptyColumns, ...filledByType(event) };
}

/** What an event says, without when and of what. */
export type EventChange = {
  [Type in ChangeType]: { readonly type: Type; readonly change: ChangeOf<Type> };
}[ChangeType];

/** The columns that an event of its type fills (contract.md 7). */
function filledByType(event: EventChange): Partial<ChangeColumns> {
  switch (event.type) {
    case 'product_first_observed': {
      const { price, status } = event.change.current;
      return { current_price_minor: price?.amount_minor ?? null, current_status_code: status.code };
    }
    case 'price_changed': {
      const { previous, current, difference_minor } = event.change;
      return {
        previous_price_minor: previous?.amount_minor ?? null,
        current_price_minor: current?.amount_minor ?? null,
        price_difference_minor: difference_minor,
      };
    }
    case 'status_changed': {
      const { previous, current } = event.change;
      return { previous_status_code: previous.code, current_status_code: current.code };
    }
    case 'product_presentation_changed':
      return { presentation_fields: event.change.fields.map(({ field }) => field) };
    case 'aggregate_inventory_changed': {
      const { previous, current, difference } = event.change;
      return {
        previous_reported_quantity: previous.reported_quantity,
        current_reported_quantity: current.reported_quantity,
        reported_quantity_difference: difference,
        previous_positive_store_count: previous.reported_positive_store_count,
        current_positive_store_count: current.reported_positive_store_count,
      };
    }
    case 'store_inventory_first_observed': {
      const { state, reported_quantity } = event.change.current;
      return { current_state: state, current_reported_quantity: reported_quantity };
    }
    case 'store_inventory_changed': {
      const { previous, current, difference } = event.change;
      return {
        previous_state: previous.state,
        current_state: current.state,
        previous_reported_quantity: previous.reported_quantity,
        current_reported_quantity: current.reported_quantity,
        reported_quantity_difference: difference,
      };
    }
    case 'catalog_presence_changed':
      return {
        previous_catalog_presence: event.change.previous,
        current_catalog_presence: event.change.current,
      };
  }
}

/** Events of a piece. A piece has one sealed segment of the list of all changes, which is 100 sealed pages. */
export const eventsPerPiece = pageSize * segmentSize;

/** Numbers of the first and last event of a piece. Pieces are numbered from 1, from the oldest. */
export function eventsOfPiece(number: number): { readonly first: number; readonly last: number } {
  return { first: (number - 1) * eventsPerPiece + 1, last: number * eventsPerPiece };
}

const span = z.tuple([dateTime, dateTime]);

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
export const changeFieldDescriptions = describe(changeFields);
