import type { ChangeEvent, ChangeOf } from '../../contract/schemas/change.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import { countMove, type Move, priceMove } from '../parts/moved.tsx';
import { capital, countNoun, countText, priceText, words } from '../parts/text.ts';

/** A label for every type of event, in the order of the filters. */
export const changeLabels: Readonly<Record<ChangeType, string>> = {
  price_changed: 'Price',
  status_changed: 'Status',
  catalog_presence_changed: 'Catalog listing',
  product_first_observed: 'Product first observed',
  product_presentation_changed: 'Name and details',
  aggregate_inventory_changed: 'Quantity, all stores',
  store_inventory_changed: 'Quantity in a store',
  store_inventory_first_observed: 'Store first observed',
};

export const changeTypes = Object.keys(changeLabels) as ChangeType[];

/** The types of events that belong to a single store. */
export const storeTypes: readonly ChangeType[] = ['store_inventory_changed', 'store_inventory_first_observed'];

/** The types of events that belong to no single store. */
export const productTypes: readonly ChangeType[] = changeTypes.filter((type) => !storeTypes.includes(type));

/** The rise or fall that an event is; null for any other event. */
export function changeMove(event: ChangeEvent): Move | null {
  if (event.type === 'price_changed') {
    const { previous, current } = event.change;
    return priceMove(previous?.amount_minor ?? null, current?.amount_minor ?? null);
  }
  if (event.type !== 'aggregate_inventory_changed' && event.type !== 'store_inventory_changed') return null;
  return countMove(event.change.previous.reported_quantity, event.change.current.reported_quantity);
}

/** An event as a sentence without a full stop. A lower quantity is a change in the report and nothing else. */
export function changeText(event: ChangeEvent): string {
  switch (event.type) {
    case 'price_changed': {
      const { previous, current } = event.change;
      return `Price ${amountOrNone(previous)} → ${amountOrNone(current)}`;
    }
    case 'status_changed':
      return `Status from ${status(event.change.previous)} to ${status(event.change.current)}`;
    case 'catalog_presence_changed':
      return event.change.current === 'listed' ? 'Back in the catalog' : 'Left the catalog';
    case 'product_first_observed': {
      const { price, status: first, package_size } = event.change.current;
      const size = package_size.display === null ? '' : `, ${package_size.display}`;
      return `First observed: price ${amountOrNone(price)}, status ${status(first)}${size}`;
    }
    case 'product_presentation_changed':
      return capital(event.change.fields.map(fieldText).join('; '));
    case 'aggregate_inventory_changed': {
      const { previous, current } = event.change;
      const [before, now] = [previous.reported_positive_store_count, current.reported_positive_store_count];
      const stores =
        before === now ? `in ${countNoun(now, 'store')}` : `in ${countText(before)} → ${countNoun(now, 'store')}`;
      return `${quantities(previous.reported_quantity, current.reported_quantity)}, ${stores}`;
    }
    case 'store_inventory_first_observed':
      return `First observed: ${state(event.change.current)}`;
    case 'store_inventory_changed': {
      const { previous, current } = event.change;
      if (previous.reported_quantity !== null && current.reported_quantity !== null)
        return quantities(previous.reported_quantity, current.reported_quantity);
      return `${capital(state(previous))} before, now ${state(current)}`;
    }
  }
}

type Price = ChangeOf<'price_changed'>['current'];
type Status = ChangeOf<'status_changed'>['current'];
type ReportedState = ChangeOf<'store_inventory_changed'>['current'];
type Field = ChangeOf<'product_presentation_changed'>['fields'][number];
type Facts = Extract<Field, { readonly field: 'facts' }>['current'];

function amountOrNone(price: Price): string {
  return price === null ? 'none' : priceText(price.amount_minor);
}

function quantities(before: number, now: number): string {
  return `Reported ${countText(before)} → ${countText(now)}`;
}

function status({ label, code }: Status): string {
  return code === '' || code === label ? label : `${label} (${code})`;
}

/** What is reported for a product in a store. */
function state({ state: code, reported_quantity }: ReportedState): string {
  if (code === 'reported_positive') return `reported ${countText(reported_quantity ?? 0)}`;
  return code === 'reported_zero' ? 'reported zero' : 'not in the report';
}

function fieldText(field: Field): string {
  switch (field.field) {
    case 'brand':
    case 'family':
      return `${field.field} from ${field.previous?.name ?? 'none'} to ${field.current?.name ?? 'none'}`;
    case 'package':
      return `package from ${field.previous.display ?? 'none'} to ${field.current.display ?? 'none'}`;
    case 'category':
      return `category from ${category(field.previous)} to ${category(field.current)}`;
    case 'name':
      return `name from “${field.previous}” to “${field.current}”`;
    case 'facts':
      return factsText(field.previous, field.current);
  }
}

/** `producer from “A” to “B”, vintage from 2019 to 2020` */
function factsText(previous: Facts, current: Facts): string {
  const changed = (Object.keys(current) as (keyof Facts)[]).filter((name) => previous[name] !== current[name]);
  return changed
    .map((name) => `${words(name)} from ${previous[name] ?? 'none'} to ${current[name] ?? 'none'}`)
    .join(', ');
}

function category(id: string | null): string {
  return id === null ? 'none' : words(id.replace(/^cat_/, ''));
}
