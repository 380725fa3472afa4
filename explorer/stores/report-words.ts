import { countNoun, countText } from '../text/text.ts';

/* Counts of stores, which always say how many stores were checked: a store that was not may have the product too. */

/** `7 of 49 stores checked report it`. */
export function reportText(reporting: number, checked: number): string {
  if (reporting === 0) return `None of ${countNoun(checked, 'store')} checked reports it`;
  return `${countText(reporting)} of ${countNoun(checked, 'store')} checked ${reporting === 1 ? 'reports' : 'report'} it`;
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
