import type { StoreDetail } from '../contract/documents/store.ts';
import type { Publication } from '../database/publications.ts';
import type { Row } from '../database/versioned-table.ts';

/** A store at a publication. `inScope`: whether availability summaries count the store (contract.md 2). */
export type Store = {
  readonly key: number;
  readonly inScope: boolean;
  readonly detail: Omit<StoreDetail, 'distance_m'>;
};

const verifiedPhone = /^\+[1-9][0-9]{1,14}$/;

/** `publicationAt`: the publication of a sequence. */
export function storeOf(row: Row, current: Publication, publicationAt: (sequence: number) => Publication): Store {
  const detail = detailOf(row, current, publicationAt);
  return {
    key: Number(row.store),
    inScope:
      detail.operational_status.state !== 'permanently_closed' &&
      detail.directory_presence?.state !== 'reviewed_retired',
    detail,
  };
}

function detailOf(row: Row, current: Publication, publicationAt: (sequence: number) => Publication): Store['detail'] {
  const location =
    row.latitude === null || row.longitude === null
      ? null
      : { latitude: Number(row.latitude), longitude: Number(row.longitude) };
  const phone = row.phone as string | null;
  const observed = publicationAt(Number(row.observed_publication ?? current.directory_publication));
  return {
    id: row.id,
    source_ids: { inventory_store_code: row.inventory_store_code, directory_id: row.directory_id },
    name: row.name,
    address: {
      line1: row.line1,
      line2: row.line2,
      city: row.city,
      region: row.region,
      postal_code: row.postal_code,
      country: 'US',
    },
    phone,
    contact_links: {
      telephone_uri: phone !== null && verifiedPhone.test(phone) ? `tel:${phone}` : null,
      geo_uri: location && `geo:${location.latitude},${location.longitude}`,
    },
    location,
    access_type: row.access_type,
    operational_status: { state: row.operational_state, note: row.operational_note, source: row.operational_source },
    services: JSON.parse(String(row.services)),
    regular_hours_available: row.regular_hours !== null,
    directory_presence:
      row.presence_state === null ? null : { state: row.presence_state, last_seen_at: row.presence_last_seen_at },
    details_times: {
      source_updated_at: observed.directory_source_updated_at,
      retrieved_at: observed.directory_retrieved_at,
      published_at: observed.published_at,
    },
    regular_hours: row.regular_hours,
  } as Store['detail'];
}
