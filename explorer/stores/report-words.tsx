import type { ComponentChildren } from 'preact';
import { type Look, lookMeanings } from '../map/looks.tsx';
import { countNoun, countText } from '../parts/text.ts';

/* Counts of stores, which always say how many stores were checked: a store that was not may have the product too. */

/** `7 of 49 checked stores report it`. */
export function reportText(reporting: number, checked: number): string {
  const number = reporting === 0 ? 'None' : countText(reporting);
  return `${number} of ${countNoun(checked, 'checked store')} ${reporting > 1 ? 'report' : 'reports'} it`;
}

/** `7 of 49` for tables; a dash if the product was never checked. */
export function reportedOf(reporting: number | null, checked: number | null): string {
  if (reporting === null) return '–';
  return checked === null ? countText(reporting) : `${countText(reporting)} of ${countText(checked)}`;
}

/** How many stores of a summary were checked. */
export function checkedStores(summary: {
  readonly scope_store_count: number;
  readonly unchecked_store_count: number;
}): number {
  return summary.scope_store_count - summary.unchecked_store_count;
}

/**
 * What is known about a product in a store. Each look has a mark besides its colour, with the same shape as on maps.
 * `limit`: why not everyone may buy it there, shown in place of the state.
 */
export function StateTag({ look, limit = null }: { readonly look: Look; readonly limit?: string | null }) {
  return <span class={`tag state ${look}`}>{limit ?? lookMeanings[look]}</span>;
}

/** Says that not everyone may buy what is reported. */
export function LimitTag({ children }: { readonly children: ComponentChildren }) {
  return <span class="tag state limited">{children}</span>;
}
