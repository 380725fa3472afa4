import type { ChangeOf } from '../contract/documents/change.ts';

/** What a store reports of a product; undefined if it reports no row. */
export type Reported = number | undefined;

/** Quantities below this have texts that are made once: nearly all changes are between two of them. */
const smallQuantities = 100;

const changes = new Map<number, string>();
const baselines = new Map<number, string>();

/** The payload of `store_inventory_changed` as JSON. */
export function rowChangeText(was: Reported, now: Reported): string {
  if (!isSmall(was) || !isSmall(now)) return changeText(was, now);
  const key = keyOf(was) * (smallQuantities + 1) + keyOf(now);
  const known = changes.get(key);
  if (known !== undefined) return known;
  const text = changeText(was, now);
  changes.set(key, text);
  return text;
}

/** The payload of `store_inventory_first_observed` as JSON. */
export function baselineText(now: Reported): string {
  if (!isSmall(now)) return textOfBaseline(now);
  const known = baselines.get(keyOf(now));
  if (known !== undefined) return known;
  const text = textOfBaseline(now);
  baselines.set(keyOf(now), text);
  return text;
}

function isSmall(quantity: Reported): boolean {
  return quantity === undefined || quantity < smallQuantities;
}

function keyOf(quantity: Reported): number {
  return quantity === undefined ? smallQuantities : quantity;
}

function changeText(was: Reported, now: Reported): string {
  const change: ChangeOf<'store_inventory_changed'> = {
    previous: stateOf(was),
    current: stateOf(now),
    difference: was === undefined || now === undefined ? null : now - was,
  };
  return JSON.stringify(change);
}

function textOfBaseline(now: Reported): string {
  const baseline: ChangeOf<'store_inventory_first_observed'> = { current: stateOf(now) };
  return JSON.stringify(baseline);
}

function stateOf(quantity: Reported): ChangeOf<'store_inventory_changed'>['current'] {
  if (quantity === undefined) return { state: 'row_absent', reported_quantity: null };
  return { state: quantity > 0 ? 'reported_positive' : 'reported_zero', reported_quantity: quantity };
}
