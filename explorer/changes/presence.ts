import type { ChangeEvent } from '../../contract/schemas/change.ts';

/**
 * Products that are missing from the catalog now, and products that were missing once. The service has one type of
 * change for both.
 */
export const presences = ['gone', 'returned'] as const;
export type Presence = (typeof presences)[number];

/** Filters changes of presence (newest first): returns, or the newest change of each product that is still gone. */
export function eventsWithPresence(presence: Presence, events: readonly ChangeEvent[]): ChangeEvent[] {
  if (presence === 'returned') return events.filter((event) => isChangeTo(event, 'listed'));
  const newest = new Map<string, ChangeEvent>();
  for (const event of events) if (!newest.has(event.product.id)) newest.set(event.product.id, event);
  return [...newest.values()].filter((event) => isChangeTo(event, 'absent'));
}

function isChangeTo(event: ChangeEvent, current: 'listed' | 'absent'): boolean {
  return event.type === 'catalog_presence_changed' && event.change.current === current;
}
