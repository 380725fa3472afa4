import type { ProductSeries } from '../../contract/schemas/product.ts';
import { priceMove } from '../parts/moved.tsx';
import { capital, countText, dateText, priceText } from '../parts/text.ts';

/** Whether something was already known at the moment since which changes are shown, by publication or by time. */
export type IsKnown = (publication: number, at: string) => boolean;

/** A value at that moment and now; null for none. */
type Change<Value> = { readonly before: Value | null; readonly now: Value | null };

/** What changed for a product since a moment. */
export type ProductChanges = {
  /** Whether the product was first observed after that moment. */
  readonly isNew: boolean;
  readonly price: Change<number>;
  readonly status: Change<string>;
  readonly presence: Change<string>;
  readonly stores: Change<number>;
  readonly quantity: Change<number>;
  /** The newest changes in words, newest first. All changes in what stores report are one line each. */
  readonly texts: readonly string[];
  /** When it last changed since the moment; null if it did not. */
  readonly last: string | null;
};

/** The most changes of a product shown in words. */
const mostTexts = 4;

type Column<Value> = {
  readonly publication: readonly number[];
  readonly at: readonly string[];
  readonly values: readonly (Value | null)[];
};

export function changesSince(series: ProductSeries, isKnown: IsKnown): ProductChanges {
  const { prices, statuses, presence, retrievals } = series;
  const columns = {
    price: { ...prices, values: prices.price_minor },
    status: { ...statuses, values: statuses.label },
    presence: { ...presence, values: presence.catalog_presence },
    stores: reported(retrievals, 'reported_positive_store_count'),
    quantity: reported(retrievals, 'reported_quantity'),
  };
  const isNew = !isKnown(presence.publication[0] ?? 0, presence.at[0] ?? '');
  const stores = valueChange(columns.stores, isKnown);
  const quantity = valueChange(columns.quantity, isKnown);
  const lines = [
    ...(isNew ? [{ at: presence.at[0] ?? '', text: 'First observed' }] : []),
    ...steps(columns.price, isKnown, (before, now) => priceStep(before, now)),
    ...steps(columns.status, isKnown, (before, now) => `Status from ${before ?? 'none'} to ${now ?? 'none'}`),
    ...steps(columns.presence, isKnown, (_, now) => (now === 'listed' ? 'Back in the catalog' : 'Left the catalog')),
    ...total(columns.stores, stores, 'Stores that report it'),
    ...total(columns.quantity, quantity, 'Reported quantity'),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const texts = lines.slice(0, mostTexts).map(({ at, text }) => `${text}, ${dateText(at)}`);
  return {
    ...{ isNew, stores, quantity },
    price: valueChange(columns.price, isKnown),
    status: valueChange(columns.status, isKnown),
    presence: valueChange({ ...columns.presence, values: columns.presence.values.map(capital) }, isKnown),
    texts: lines.length > mostTexts ? [...texts, `and ${countText(lines.length - mostTexts)} more`] : texts,
    last: lines[0]?.at ?? null,
  };
}

/** What the successful attempts reported. */
function reported(
  { publication, attempted_at, ...counts }: ProductSeries['retrievals'],
  of: 'reported_positive_store_count' | 'reported_quantity',
): Column<number> {
  const known = counts[of].flatMap((count, index) => (count === null ? [] : [index]));
  const at = <Value>(values: readonly Value[]) => values.filter((_, index) => known.includes(index));
  return { publication: at(publication), at: at(attempted_at), values: at(counts[of]) };
}

function priceStep(before: number | null, now: number | null): string {
  const move = priceMove(before, now);
  return `Price ${priceText(before)} → ${priceText(now)}${move === null ? '' : `, ${move.text}`}`;
}

/** The position of the last value known at the moment; -1 for none. */
function lastKnown({ publication, at }: Column<unknown>, isKnown: IsKnown): number {
  return publication.findLastIndex((number, index) => isKnown(number, at[index] ?? ''));
}

function valueChange<Value>(column: Column<Value>, isKnown: IsKnown): Change<Value> {
  return { before: column.values[lastKnown(column, isKnown)] ?? null, now: column.values.at(-1) ?? null };
}

/** Each step from one value to the next since the moment. The very first value is not a change. */
function steps<Value>(
  column: Column<Value>,
  isKnown: IsKnown,
  text: (before: Value | null, now: Value | null) => string,
): { readonly at: string; readonly text: string }[] {
  const from = Math.max(1, lastKnown(column, isKnown) + 1);
  return column.at.slice(from).map((at, index) => {
    const position = from + index;
    return { at, text: text(column.values[position - 1] ?? null, column.values[position] ?? null) };
  });
}

/** The total difference in what is reported; nothing if there is none. */
function total({ at }: Column<number>, { before, now }: Change<number>, label: string) {
  if (before === null || now === null || before === now) return [];
  return [{ at: at.at(-1) ?? '', text: `${label} ${countText(before)} → ${countText(now)}` }];
}
