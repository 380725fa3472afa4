import { Fragment } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import { DataTable } from '../parts/data-table.tsx';
import { useInSight } from '../parts/in-sight.ts';
import { Instant } from '../parts/instant.tsx';
import { type Move, Moved } from '../parts/moved.tsx';
import type { Column } from '../parts/table-columns.ts';
import { countNoun, dateText, priceText } from '../parts/text.ts';
import { fullName } from '../products/product-index.ts';
import { named, ProductLine } from '../products/product-link.tsx';
import { hrefFor } from '../site/router.ts';
import { useLoaded, useSession } from '../site/session.ts';
import { majorAmount } from '../site/site-profile.ts';
import { changeMove, changeText, changeTypes, storeTypes } from './change-text.ts';

/** Everything that changed for a product in a publication, or a single event. */
type Group = { readonly events: readonly ChangeEvent[]; readonly first: ChangeEvent };

/**
 * Events, newest first, and price changes first within a publication. The events of a product in a publication share
 * one row, which sums what its stores reported, so they must be complete. `isByEvent`: each event has its own row, for
 * lists that may end within a publication.
 */
export function ChangeTable({
  events,
  file,
  hasProducts = true,
  isByEvent = false,
  isGrowing = false,
}: {
  readonly events: readonly ChangeEvent[];
  readonly file: string;
  readonly hasProducts?: boolean;
  readonly isByEvent?: boolean;
  readonly isGrowing?: boolean;
}) {
  const { publication, retention } = useSession().metadata.data;
  const expiry = Date.parse(publication.published_at) - retention.history_days * 86_400_000;
  const groups = useMemo(() => {
    // Some events of an older publication may have expired already.
    const isWhole = ({ times }: ChangeEvent) => !isByEvent && Date.parse(times.published_at) >= expiry;
    return groupEvents(events, isWhole);
  }, [events, isByEvent, expiry]);
  const columns = [
    ...(hasProducts ? [productColumn] : []),
    textColumn,
    ...(groups.some(({ events }) => hasStoreEvents(events)) ? [storesColumn] : []),
    ...(events.some(({ type }) => type === 'price_changed') ? savedPrices : []),
    ...otherColumns,
  ];
  return (
    <DataTable
      caption="Changes"
      file={file}
      columns={columns}
      rows={groups}
      rowKey={({ first }) => first.id}
      change={isGrowing ? 'growing' : 'other'}
    />
  );
}

/** `isWhole`: whether all events of the event's product and publication are there. */
function groupEvents(events: readonly ChangeEvent[], isWhole: (event: ChangeEvent) => boolean): Group[] {
  const groups = new Map<string, ChangeEvent[]>();
  for (const event of events) {
    const key = !isWhole(event) ? event.id : `${event.times.published_at} ${event.product.id}`;
    const group = groups.get(key) ?? [];
    group.push(event);
    groups.set(key, group);
  }
  const rank = ({ type }: ChangeEvent) => changeTypes.indexOf(type);
  return [...groups.values()]
    .map((group) => group.toSorted((a, b) => rank(a) - rank(b)))
    .flatMap((events) => (events[0] ? [{ events, first: events[0] }] : []))
    .sort(
      ({ first: a }, { first: b }) =>
        Date.parse(b.times.published_at) - Date.parse(a.times.published_at) ||
        Number(b.type === 'price_changed') - Number(a.type === 'price_changed'),
    );
}

/** One change in a group, and the rise or fall if it is one. */
type Part = { readonly text: string; readonly move: Move | null };

/**
 * The changes in a group, price first. Events of several stores are one part: their totals are an event of their own,
 * unless the totals stayed the same.
 */
function groupParts({ events }: Group): readonly Part[] {
  const eventPart = (event: ChangeEvent): Part => ({ text: changeText(event), move: changeMove(event) });
  const ofStores = events.filter(({ store }) => store !== null);
  const parts = events.filter(({ store }) => store === null).map(eventPart);
  const isSummed = events.some(({ type }) => type === 'aggregate_inventory_changed');
  if (isSummed) return parts;
  if (ofStores.length === 1) return [...parts, ...ofStores.map(eventPart)];
  const changed = ofStores.filter((event) => event.type === 'store_inventory_changed');
  const first = ofStores.length - changed.length;
  if (changed.length > 0)
    parts.push({
      text: `Reported differently in ${countNoun(changed.length, 'store')}, with the same total`,
      move: null,
    });
  if (first > 0) parts.push({ text: `First observed in ${countNoun(first, 'store')}`, move: null });
  return parts;
}

function groupText(group: Group): string {
  return groupParts(group)
    .map(({ text, move }) => (move === null ? text : `${text}, ${move.text}`))
    .join('; ');
}

const productColumn: Column<Group> = {
  label: 'Product',
  value: ({ first }) => fullName(first.product),
  show: ({ first }) => <ProductLine product={named(first.product)} />,
  width: 38,
};

const textColumn: Column<Group> = {
  label: 'Change',
  value: groupText,
  show: (group) => (
    <span class="prose">
      {groupParts(group).map(({ text, move }, at) => (
        <Fragment key={text}>
          {at > 0 && '; '}
          {text}
          {move && (
            <>
              , <Moved move={move} />
            </>
          )}
        </Fragment>
      ))}
      {hasLeft(group) && (
        <>
          {' '}
          <LastKnown id={group.first.product.id} />
        </>
      )}
      <span class="narrow muted">{dateText(group.first.times.retrieved_at)}</span>
      {hasStoreEvents(group.events) && <span class="narrow">{storesLink(group)}</span>}
    </span>
  ),
  width: 46,
};

/** The price before or after the change; null if the price did not change. */
function changedPrice({ events }: Group, which: 'previous' | 'current'): number | null {
  const event = events.find((event) => event.type === 'price_changed');
  const price = event?.type === 'price_changed' ? event.change[which] : null;
  return price === null ? null : majorAmount(price.amount_minor);
}

const savedPrices: readonly Column<Group>[] = [
  { label: 'Price before', value: (group) => changedPrice(group, 'previous'), isAmount: true, isOnlySaved: true },
  { label: 'Price now', value: (group) => changedPrice(group, 'current'), isAmount: true, isOnlySaved: true },
];

const otherColumns: readonly Column<Group>[] = [
  { label: 'SKU', value: ({ first }) => first.product.source_ids.agency_sku, isOptional: true, isMinor: true },
  {
    label: 'Retrieved',
    unit: 'UTC',
    value: ({ first }) => first.times.retrieved_at,
    show: ({ first }) => <Instant at={first.times.retrieved_at} />,
    isMinor: true,
    width: 22,
  },
];

const storesColumn: Column<Group> = {
  label: 'Stores',
  value: ({ events, first }) =>
    events.length === 1 ? (first.store?.name ?? null) : hasStoreEvents(events) ? 'several' : null,
  show: storesLink,
  isMinor: true,
  width: 24,
};

/** A link to the only store of a group, or to what each of its stores reported. */
function storesLink({ events, first }: Group) {
  const ofStores = events.filter(({ store }) => store !== null);
  const [one] = ofStores;
  if (ofStores.length === 1 && one?.store) return <a href={hrefFor('store', one.store.id)}>{one.store.name}</a>;
  return hasStoreEvents(events) ? <a href={storeEventsHref(first)}>By store</a> : '';
}

function hasLeft({ events }: Group): boolean {
  return events.some(({ type, change }) => type === 'catalog_presence_changed' && change.current === 'absent');
}

/** Whether there are store events behind a group. */
function hasStoreEvents(events: readonly ChangeEvent[]): boolean {
  return events.some(({ type, store }) => store !== null || type === 'aggregate_inventory_changed');
}

/** A link to what each store reported about a product on the day of an event. */
function storeEventsHref({ product, times }: ChangeEvent): string {
  const day = times.retrieved_at.slice(0, 10);
  return hrefFor('changes', '', {
    types: storeTypes.join(),
    sku: product.source_ids.agency_sku,
    since: day,
    until: day,
  });
}

/** Size and last price of a product that left the catalog. Visible rows read them from the product's own document. */
function LastKnown({ id }: { readonly id: string }) {
  const element = useRef<HTMLSpanElement>(null);
  const isInSight = useInSight(element, id);
  // A row without them is still complete, so failures are not shown here. The product's own view explains them.
  const product = useLoaded(isInSight ? `last known ${id}` : null, (site, signal) => site.product.byId(id, { signal }));
  const { package_size: size, price } = product.value?.data ?? {};
  const facts = [size?.display, price && `last price ${priceText(price.amount_minor)}`].filter(Boolean);
  return (
    <span ref={element} class="last-known muted">
      {facts.join(' · ')}
    </span>
  );
}
