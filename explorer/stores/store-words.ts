import type { StoreSummary } from '../../contract/schemas/store.ts';
import type { Look } from '../map/looks.tsx';
import type { MapPlace } from '../map/map-place.ts';
import { words } from '../parts/text.ts';

/** How many rows have each code, in order of the codes, for a filter. */
export function countCodes<Row>(rows: readonly Row[], codesOf: (row: Row) => readonly string[]) {
  const counts = new Map<string, number>();
  for (const row of rows) for (const code of codesOf(row)) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, count]) => ({ code, count }));
}

export function addressLines({ address }: StoreSummary): string[] {
  const { line1, line2, city, region, postal_code } = address;
  return [
    line1,
    ...(line2 === null ? [] : [line2]),
    [city, [region, postal_code].filter(Boolean).join(' ')].filter(Boolean).join(', '),
  ];
}

/** A store's services, in words. */
export function servicesText({ services }: StoreSummary): string {
  return services.map(words).join(', ');
}

/** Who may buy in a store, in words. */
const accessWords: Readonly<Record<StoreSummary['access_type'], string>> = {
  consumer_state_store: 'open to the public',
  licensee_only: 'licensees only',
  package_agency: 'package agency',
  unknown: 'kind unknown',
};

export function accessText(code: string): string {
  return accessWords[code as StoreSummary['access_type']] ?? words(code);
}

/** How the agency's directory lists a store, in words. */
export const presenceWords = {
  present: 'listed',
  suspect_missing: 'missing from the last directory',
  retirement_review_required: 'missing for a while, not reviewed yet',
  reviewed_retired: 'retired, as reviewed',
} as const;

/** A store as a place on a map. */
export function storePlace(
  store: Pick<StoreSummary, 'id' | 'name' | 'location'> & Partial<Pick<StoreSummary, 'address'>>,
  look: Look,
  more: Partial<MapPlace> = {},
): MapPlace {
  const { latitude = null, longitude = null } = store.location ?? {};
  const city = store.address?.city ?? null;
  return { id: store.id, label: store.name, latitude, longitude, look, city, ...more };
}
