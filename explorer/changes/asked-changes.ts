import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import { type UnusedPart, unusedCodes } from '../parts/unused-parts.tsx';
import type { Fields } from '../site/address-query.ts';
import { expectedAgencyCode, isAgencyCode } from '../site/site-profile.ts';
import { changeTypes, productTypes, storeTypes } from './change-text.ts';

/* What the address of the Changes view asks for. */

/** The parameters of the address. `after`: a publication time; changes up to that publication are left out. */
export const askedNames = ['types', 'presence', 'store', 'sku', 'since', 'until', 'after'] as const;
export const noChangeFilters = { store: '', sku: '', since: '', until: '', after: '' };
export type ChangeFields = Fields<(typeof askedNames)[number]>;

/** A kind of changes to choose. `types` null: all. `isSinceFirst`: leaves out the first publication. */
type Kind = {
  readonly label: string;
  readonly types: readonly ChangeType[] | null;
  readonly presence?: Presence;
  readonly isSinceFirst?: true;
};

export const changeKinds: readonly Kind[] = [
  { label: 'Prices', types: ['price_changed'] },
  { label: 'New', types: ['product_first_observed'], isSinceFirst: true },
  { label: 'Gone', types: ['catalog_presence_changed'], presence: 'gone' },
  { label: 'Returned', types: ['catalog_presence_changed'], presence: 'returned' },
  { label: 'Status and names', types: ['status_changed', 'product_presentation_changed'] },
  { label: 'Quantities', types: ['aggregate_inventory_changed'] },
  { label: 'By store', types: storeTypes },
  { label: 'All', types: null },
];

/** All types of a list. In a list of all products, single stores have a kind of their own. */
export function allTypes({ sku, store }: Pick<ChangeFields, 'sku' | 'store'>): readonly ChangeType[] {
  return sku === '' && store === '' ? productTypes : changeTypes;
}

/** The types that an address asks for, in the fixed order. */
export function askedTypes(asked: ChangeFields): readonly ChangeType[] {
  const { types, sku, store } = asked;
  if (types === '' && sku === '' && store === '') return ['price_changed'];
  const wanted = types.split(',');
  const known = changeTypes.filter((type) => wanted.includes(type));
  return known.length === 0 ? allTypes(asked) : known;
}

/**
 * Whether each event has a row of its own. The events of a product in a publication share a row that sums what its
 * stores reported, so none of them may be missing.
 */
export function isByEvent(asked: ChangeFields): boolean {
  return asked.sku === '' || askedTypes(asked).every((type) => storeTypes.includes(type));
}

/** Whether an address asks for products that are gone or that returned; null for neither. */
export function askedPresence({ types, presence }: ChangeFields): Presence | null {
  return types === 'catalog_presence_changed' ? (presences.find((known) => known === presence) ?? null) : null;
}

/** The time after which changes were published; null if the address has none. */
export function askedAfter({ after }: ChangeFields): string | null {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(after) && !Number.isNaN(Date.parse(after)) ? after : null;
}

export function isAfter(instant: string, after: string | null): boolean {
  return after === null || Date.parse(instant) > Date.parse(after);
}

/** The parts of an address that are ignored. */
export function unusedChangeParts(asked: ChangeFields): UnusedPart[] {
  const { types, presence, after } = asked;
  const isUnused = { presence: askedPresence(asked) === null, after: askedAfter(asked) === null };
  const expectedPresence = `${presences.join(' or ')} beside types=catalog_presence_changed`;
  return [
    ...unusedCodes('types', types, ['all', ...changeTypes], `some of ${changeTypes.join(', ')}`),
    ...(presence !== '' && isUnused.presence
      ? [{ name: 'presence', value: presence, expected: expectedPresence }]
      : []),
    ...(after !== '' && isUnused.after
      ? [{ name: 'after', value: after, expected: 'a time such as 2025-01-21T22:00:00Z' }]
      : []),
  ];
}

/** The events to show out of those that were read. Whether a product is gone also depends on later events. */
export function shownEvents(events: readonly ChangeEvent[], asked: ChangeFields): readonly ChangeEvent[] {
  const presence = askedPresence(asked);
  if (presence === null) return events;
  const { until } = asked;
  return eventsWithPresence(presence, events).filter(
    ({ times }) => until === '' || times.retrieved_at.slice(0, 10) <= until,
  );
}

/** Why the fields cannot be used, in words; null if they can. */
export function askedFault({ sku, since, until }: ChangeFields): string | null {
  if (sku !== '' && !isAgencyCode('sku', sku)) return `A SKU is ${expectedAgencyCode('sku')}.`;
  if (since !== '' && until !== '' && until < since) return 'The last day is before the first.';
  return null;
}

/**
 * The parameters of the request. Days are whole UTC days. Whether a product is gone also depends on changes after those
 * days.
 */
export function changesQuestion(fields: ChangeFields) {
  const { store, sku, since, until } = fields;
  const types = askedTypes(fields);
  return {
    ...(types.length < changeTypes.length && { types: [...types] }),
    ...(store !== '' && { store_id: store }),
    ...(sku !== '' && { sku }),
    ...(since !== '' && { since: `${since}T00:00:00Z` }),
    ...(until !== '' && askedPresence(fields) !== 'gone' && { until: `${until}T23:59:59.999Z` }),
  };
}

/**
 * Products that are missing from the catalog now, and products that were missing once. The service has one type of
 * change for both.
 */
const presences = ['gone', 'returned'] as const;
type Presence = (typeof presences)[number];

/** Filters changes of presence (newest first): returns, or the newest change of each product that is still gone. */
function eventsWithPresence(presence: Presence, events: readonly ChangeEvent[]): ChangeEvent[] {
  if (presence === 'returned') return events.filter((event) => isChangeTo(event, 'listed'));
  const newest = new Map<string, ChangeEvent>();
  for (const event of events) if (!newest.has(event.product.id)) newest.set(event.product.id, event);
  return [...newest.values()].filter((event) => isChangeTo(event, 'absent'));
}

function isChangeTo(event: ChangeEvent, current: 'listed' | 'absent'): boolean {
  return event.type === 'catalog_presence_changed' && event.change.current === current;
}
