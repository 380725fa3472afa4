import type { About } from '../../../contract/documents/metadata.ts';
import type { StoreDetail } from '../../../contract/documents/store.ts';
import { epochSeconds } from '../../../contract/instant.ts';
import { isWarningOf, type WarningCode } from '../../../contract/primitives.ts';
import { type Profile, usualProfile } from '../../../contract/profile.ts';
import type { Connection } from '../../database/connection.ts';
import {
  aboutUpTo,
  correctionsUpTo,
  databaseProfile,
  type Publication,
  publicationsUpTo,
} from '../../database/publications.ts';
import { type OlderObservationRow, type StateReader, type StoreRow, stateReader } from '../../database/state-reader.ts';
import { correctionsOf } from './corrections.ts';
import { formerSkusOf, type Product, productOf } from './product.ts';

export type State = ReturnType<typeof stateAt>;

/** The whole state at one publication. Stores and products are held in memory. Inventory is read when it is needed. */
export function stateAt(connection: Connection, sequence: number) {
  const publications: readonly Publication[] = publicationsUpTo(connection, sequence);
  const publicationAt = (at: number): Publication => {
    const found = publications[at - 1];
    if (found === undefined) throw new Error(`no publication ${at}`);
    return found;
  };
  const publication = publicationAt(sequence);
  const publishedAt = epochSeconds(publication.published_at);
  const profile = databaseProfile(connection) ?? usualProfile;
  const abouts = aboutUpTo(connection, sequence);
  const reader = stateReader(connection, sequence);
  const stores = reader.stores().map((row) => storeOf(row, publication, publicationAt, profile));
  let products: readonly Product[] | null = null;
  let productByKey: ReadonlyMap<number, Product> | null = null;
  return {
    publication,
    /** Every publication up to this one, oldest first. */
    publications,
    /** The publication of a sequence. Sequences count from 1 without gaps, up to this publication. */
    publicationAt,
    /** Every correction that one of them made, oldest first. */
    corrections: correctionsOf(correctionsUpTo(connection, sequence), publicationAt),
    /** What is the agency's own. */
    profile,
    stores,
    storeByKey: new Map(stores.map((store) => [store.key, store])),
    scopes: reader.scopes(),
    /** Retrieval times by product key and store key, for observations that are older than the product's last success. */
    older: groupOlder(reader),
    formerSkus: formerSkusOf(reader.formerSkus()),
    reader,
    /** The time of the first publication. The service tracks changes since then. */
    trackingStartedAt: publicationAt(1).published_at,
    /** The publication's warnings that concern every answer about products. */
    generalWarnings: generalWarningsOf(publication),
    /** What the operator states of the data in a publication up to this one; null for nothing. */
    aboutAt(at: number): About | null {
      const found = abouts.find(({ first, last }) => first <= at && at <= (last ?? at));
      return found?.about ?? null;
    },
    /** Every product, by id. Read once, at first use. */
    get products(): readonly Product[] {
      products ??= reader.products().map((row) => productOf(row, publication, publicationAt, profile));
      return products;
    },
    /** The product of a key. */
    product(key: number): Product {
      productByKey ??= new Map(this.products.map((product) => [product.key, product]));
      const found = productByKey.get(key);
      if (!found) throw new Error(`no product ${key} at publication ${sequence}`);
      return found;
    },
    /** Whether an observation was within the retrieval-age policy when this publication was published. */
    meetsPolicy: (retrievedAt: string | null) =>
      retrievedAt !== null && publishedAt - epochSeconds(retrievedAt) <= publication.policy_max_age_seconds,
  };
}

/** The publication's warnings that do not depend on the inventory in an answer. */
export function generalWarningsOf({ warnings }: Publication): WarningCode[] {
  return warnings.filter((code) => isWarningOf(code, 'all', 'catalog'));
}

function groupOlder(reader: StateReader): Map<number, Map<number, string>> {
  const byProduct = Map.groupBy(reader.olderObservations(), ({ product }) => product);
  const ofStores = (rows: readonly OlderObservationRow[]) => new Map(rows.map((row) => [row.store, row.retrieved_at]));
  return new Map([...byProduct].map(([product, rows]) => [product, ofStores(rows)]));
}

/** A store at a publication. `inScope`: whether availability summaries count the store (contract.md 2). */
export type Store = Readonly<ReturnType<typeof storeOf>>;

const verifiedPhone = /^\+[1-9][0-9]{1,14}$/;

/** `publicationAt`: the publication of a sequence. */
export function storeOf(
  row: StoreRow,
  current: Publication,
  publicationAt: (sequence: number) => Publication,
  { inventory, country }: Profile,
) {
  const detail = detailOf(row, publicationAt(row.observed_publication ?? current.directory_publication), country);
  return {
    key: row.store,
    inScope:
      inventory === 'stores' &&
      detail.operational_status.state !== 'permanently_closed' &&
      detail.directory_presence?.state !== 'reviewed_retired',
    detail,
  };
}

/** `observed`: the publication that brought the directory that last had the store. */
function detailOf(row: StoreRow, observed: Publication, country: string): StoreDetail {
  const { latitude, longitude } = row;
  const location = latitude === null || longitude === null ? null : { latitude, longitude };
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
      country,
    },
    phone: row.phone,
    contact_links: {
      telephone_uri: row.phone !== null && verifiedPhone.test(row.phone) ? `tel:${row.phone}` : null,
      geo_uri: location && `geo:${location.latitude},${location.longitude}`,
    },
    location,
    // Stores are listed without an origin, so there is no distance.
    distance_m: null,
    access_type: row.access_type,
    operational_status: { state: row.operational_state, note: row.operational_note, source: row.operational_source },
    services: JSON.parse(row.services),
    regular_hours_available: row.regular_hours !== null,
    directory_presence:
      row.presence_state === null ? null : { state: row.presence_state, last_seen_at: row.presence_last_seen_at },
    details_times: {
      source_updated_at: observed.directory_source_updated_at,
      retrieved_at: observed.directory_retrieved_at,
      published_at: observed.published_at,
    },
    regular_hours: row.regular_hours,
  };
}
