import * as z from 'zod';
import { type ChangeType, changeTypes } from '../vocabulary.ts';
import {
  categoryId,
  component,
  count,
  currency,
  dateTime,
  minorAmount,
  observationTimes,
  observedState,
  pageLinks,
  pageMeta,
  storeCode,
  text,
  unusual,
  uuid,
  warnings,
} from './primitives.ts';
import { catalogPresence, facts, lifecycle, namedProduct, packageSize, reducedPackageSize } from './product.ts';

export const changeType = z.enum(changeTypes);

const price = z.strictObject({ amount_minor: minorAmount, currency, display: text });
const status = z.strictObject({ code: z.string(), label: z.string(), lifecycle });
const named = z.strictObject({ id: uuid, name: text });
const aggregate = z.strictObject({ reported_quantity: count, reported_positive_store_count: count });
const storeState = z.strictObject({ state: observedState, reported_quantity: count.nullable() });

function fieldChange<Name extends string, Value extends z.ZodType>(field: Name, value: Value) {
  return z.strictObject({ field: z.literal(field), previous: value, current: value });
}

const presentationField = z.discriminatedUnion('field', [
  fieldChange('name', text),
  fieldChange('brand', named.nullable()),
  fieldChange('family', named.nullable()),
  fieldChange('category', categoryId.nullable()),
  fieldChange('package', packageSize),
  unusual(fieldChange('facts', facts)),
]);
export type PresentationField = z.infer<typeof presentationField>;

export const eventStore = z.strictObject({
  id: uuid,
  source_ids: z.strictObject({ inventory_store_code: storeCode.nullable() }),
  name: text,
});

function eventSchema<
  Type extends ChangeType,
  Semantics extends string,
  Change extends z.ZodRawShape,
  Store extends z.ZodType,
>(type: Type, semantics: Semantics, change: Change, store: Store) {
  return z.strictObject({
    id: uuid,
    type: z.literal(type),
    product: namedProduct,
    store,
    change: z.strictObject(change),
    semantics: z.literal(semantics),
    times: observationTimes,
    upstream_age_known: z.boolean(),
  });
}

const none = z.null();
const quantity = 'reported_quantity_change_not_a_sale';
const firstObservation = {
  name: text,
  brand: text.nullable(),
  price: price.nullable(),
  status,
  package_size: reducedPackageSize,
};
const prices = { previous: price.nullable(), current: price.nullable(), difference_minor: z.int().nullable() };
const presentation = { fields: z.array(presentationField).min(1) };
const totals = { previous: aggregate, current: aggregate, difference: z.int() };
const pair = { previous: storeState, current: storeState, difference: z.int().nullable() };
const presence = { previous: catalogPresence, current: catalogPresence };

/** An event in the feed (contract.md 7). `store` is null for events that concern no store. */
export const changeEvent = z
  .discriminatedUnion('type', [
    eventSchema(
      'product_first_observed',
      'first_observed_by_service',
      { current: z.strictObject(firstObservation) },
      none,
    ),
    eventSchema('price_changed', 'reported_price_change', prices, none),
    eventSchema('status_changed', 'reported_status_change', { previous: status, current: status }, none),
    eventSchema('product_presentation_changed', 'reported_presentation_change', presentation, none),
    eventSchema('aggregate_inventory_changed', quantity, totals, none),
    eventSchema(
      'store_inventory_first_observed',
      'baseline_observation_not_a_restock',
      { current: storeState },
      eventStore,
    ),
    eventSchema('store_inventory_changed', quantity, pair, eventStore),
    eventSchema('catalog_presence_changed', 'catalog_presence_change', presence, none),
  ])
  .meta({ id: 'ChangeEvent' });

/**
 * A change event. Its `type` says what its `change` looks like.
 *
 * @example
 * ```ts
 * import type { ChangeEvent } from 'shelfpress/client';
 *
 * const show = (event: ChangeEvent) =>
 *   console.log(event.type === 'price_changed' ? event.change.current?.display : event.type);
 * (await site.changes().take(10)).forEach(show);
 * ```
 */
export type ChangeEvent = z.infer<typeof changeEvent>;
export type ChangeOf<Type extends ChangeType> = Extract<ChangeEvent, { type: Type }>['change'];

export const changeSemantics = Object.fromEntries(
  changeEvent.options.map(({ shape }) => [shape.type.value, shape.semantics.value]),
) as Readonly<Record<ChangeType, ChangeEvent['semantics']>>;

/**
 * `meta.history`: the extent of the feed before filters, by retrieval time. A sealed page keeps the extent that it was
 * made with.
 */
export const changeHistory = component('ChangeHistory', {
  tracking_started_at: dateTime,
  earliest_available_at: dateTime.nullable(),
  latest_available_at: dateTime.nullable(),
  retention_days: count,
  retained_event_count: count,
  source_update_time_known: z.boolean(),
});
export type ChangeHistory = z.infer<typeof changeHistory>;

export const familyScope = z.strictObject({
  id: uuid,
  member_scope: z.literal('members_visible_at_publication_revision'),
});

const listMeta = { page: pageMeta, history: changeHistory, warnings };

export const changeList = z.strictObject({
  data: z.array(changeEvent).max(100),
  meta: z.strictObject(listMeta),
  links: pageLinks,
});

export const familyChangeList = z.strictObject({
  ...changeList.shape,
  meta: z.strictObject({ ...listMeta, family: familyScope }),
});

/** The answer of a page past retention: an empty last page. All such pages share one object. */
export const expiredPage = z.strictObject({
  data: z.array(changeEvent).max(0),
  meta: z.strictObject(listMeta),
  links: z.strictObject({ self: z.null(), next: z.null() }),
});

const statement = { corrected_by_revision: uuid, reason: text, corrected_at: dateTime };

/** A later publication states that a publication is wrong. `corrected_at`: when the later one was published. */
export const correction = component('Correction', statement);
export type Correction = z.infer<typeof correction>;

/** The correction of the publication with this revision. */
export const revisionCorrection = component('RevisionCorrection', { revision: uuid, ...statement });
export type RevisionCorrection = z.infer<typeof revisionCorrection>;

/** The newest correction of the series, with all revisions that it corrects, oldest first. */
export const newestCorrection = component('NewestCorrection', { revisions: z.array(uuid).min(1), ...statement });
export type NewestCorrection = z.infer<typeof newestCorrection>;

/** The numbers of the events that a corrected publication brought; null if it brought none. */
const correctedEvents = z.strictObject({
  revision: uuid,
  first_event: count.min(1).nullable(),
  last_event: count.min(1).nullable(),
});

/**
 * `number` counts the corrections of the series from 1. The correction follows the event `after_event` in the feed,
 * right before the first event of the publication that corrects. If the number is 0, the correction comes before all
 * events.
 */
const feedCorrection = component('FeedCorrection', {
  number: z.int().min(1),
  after_event: count,
  ...statement,
  corrected: z.array(correctedEvents).min(1),
});

/** `last_event`: the number of the newest event. `corrections`: all corrections of the series, oldest first. */
export const feedState = component('FeedState', { last_event: count, corrections: z.array(feedCorrection) });
export type FeedState = z.infer<typeof feedState>;
