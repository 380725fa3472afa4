import type { RowList } from '../../client/row-list.ts';
import type { ChangeEvent } from '../../contract/schemas/change.ts';

/** Events of complete publications, newest first, and whether these are all of a list. */
export type WholePublications = { readonly events: readonly ChangeEvent[]; readonly isAll: boolean };

/**
 * The events of a list's beginning without those of its last publication, of which more may follow. Lists of events are
 * in the order of publications, so only the last one can be cut.
 */
export function wholePublications(events: readonly ChangeEvent[]): readonly ChangeEvent[] {
  const last = events.at(-1)?.times.published_at;
  return events.slice(
    0,
    events.findIndex(({ times }) => times.published_at === last),
  );
}

/** Reads pages of a list until at least `least` events of complete publications are known. */
export async function readWholePublications<Meta>(
  list: RowList<ChangeEvent, Meta>,
  least: number,
): Promise<WholePublications> {
  const events: ChangeEvent[] = [];
  for await (const { data } of list.pages()) {
    events.push(...data);
    const whole = wholePublications(events);
    if (whole.length >= least) return { events: whole, isAll: false };
  }
  return { events, isAll: true };
}
