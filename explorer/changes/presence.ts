import type { ChangeEvent } from '../../contract/documents/change.ts';

/** Products that are absent from the catalog now, and those that were once. The service knows changes of both as one type. */
export const presences = ['gone', 'returned'] as const;
export type Presence = (typeof presences)[number];

/**
 * Of changes of presence, newest first, those that a view shows: where a product came back, or where one went that is absent still,
 * which is its newest change.
 */
export function eventsWithPresence(presence: Presence, events: readonly ChangeEvent[]): ChangeEvent[] {
  if (presence === 'returned') return events.filter((event) => isChangeTo(event, 'listed'));
  const newest = new Map<string, ChangeEvent>();
  for (const event of events) if (!newest.has(event.product.id)) newest.set(event.product.id, event);
  return [...newest.values()].filter((event) => isChangeTo(event, 'absent'));
}

function isChangeTo(event: ChangeEvent, current: 'listed' | 'absent'): boolean {
  return event.type === 'catalog_presence_changed' && event.change.current === current;
}
