import type { About } from '../contract/documents/metadata.ts';
import type { StoreDetail } from '../contract/documents/store.ts';
import { epochSeconds } from '../contract/instant.ts';
import { isWarningOf, type WarningCode } from '../contract/primitives.ts';
import { type Profile, usualProfile } from '../contract/profile.ts';
import type { Connection } from '../database/connection.ts';
import {
  type AboutSpan,
  aboutUpTo,
  correctionsUpTo,
  databaseProfile,
  type Publication,
  publicationsUpTo,
} from '../database/publications.ts';
import { type OlderObservationRow, StateReader, type StoreRow } from '../database/state-reader.ts';
import { groupBy } from '../group-by.ts';
import { type Correction, correctionsOf } from './corrections.ts';
import { FormerSkus, type Product, productOf } from './product.ts';

/** The whole state at one publication. Stores and products are held in memory. Inventory is read when it is needed. */
export class State {
  readonly publication: Publication;
  /** Every publication up to this one, oldest first. */
  readonly publications: readonly Publication[];
  /** Every correction that one of them made, oldest first. */
  readonly corrections: readonly Correction[];
  /** What is the agency's own. */
  readonly profile: Profile;
  readonly #abouts: readonly AboutSpan[];
  readonly stores: readonly Store[];
  readonly storeByKey: ReadonlyMap<number, Store>;
  readonly scopes: ReadonlyMap<number, ReadonlySet<number>>;
  /** Retrieval times by product key and store key, for observations that are older than the product's last success. */
  readonly older: ReadonlyMap<number, ReadonlyMap<number, string>>;
  readonly formerSkus: FormerSkus;
  readonly reader: StateReader;
  readonly #publishedAt: number;
  #products: readonly Product[] | null = null;
  #productByKey: ReadonlyMap<number, Product> | null = null;

  constructor(connection: Connection, sequence: number) {
    this.publications = publicationsUpTo(connection, sequence);
    this.publication = this.publicationAt(sequence);
    this.#publishedAt = epochSeconds(this.publication.published_at);
    this.corrections = correctionsOf(correctionsUpTo(connection, sequence), this.publicationAt);
    this.#abouts = aboutUpTo(connection, sequence);
    this.profile = databaseProfile(connection) ?? usualProfile;
    this.reader = new StateReader(connection, sequence);
    this.stores = this.reader.stores().map((row) => storeOf(row, this.publication, this.publicationAt, this.profile));
    this.storeByKey = new Map(this.stores.map((store) => [store.key, store]));
    this.scopes = this.reader.scopes();
    this.older = groupOlder(this.reader);
    this.formerSkus = new FormerSkus(this.reader.formerSkus());
  }

  /** The publication of a sequence. Sequences count from 1 without gaps, up to this publication. */
  readonly publicationAt = (sequence: number): Publication => {
    const found = this.publications[sequence - 1];
    if (found === undefined) throw new Error(`no publication ${sequence}`);
    return found;
  };

  /** What the operator states of the data in a publication up to this one; null for nothing. */
  aboutAt(sequence: number): About | null {
    const found = this.#abouts.find(({ first, last }) => first <= sequence && sequence <= (last ?? sequence));
    return found?.about ?? null;
  }

  /** Every product, by id. Read once, at first use. */
  get products(): readonly Product[] {
    this.#products ??= this.reader
      .products()
      .map((row) => productOf(row, this.publication, this.publicationAt, this.profile));
    return this.#products;
  }

  /** The product of a key. */
  product(key: number): Product {
    this.#productByKey ??= new Map(this.products.map((product) => [product.key, product]));
    const found = this.#productByKey.get(key);
    if (!found) throw new Error(`no product ${key} at publication ${this.publication.sequence}`);
    return found;
  }

  /** The time of the first publication. The service tracks changes since then. */
  get trackingStartedAt(): string {
    return this.publicationAt(1).published_at;
  }

  /** Whether an observation was within the retrieval-age policy when this publication was published. */
  meetsPolicy(retrievedAt: string | null): boolean {
    if (retrievedAt === null) return false;
    return this.#publishedAt - epochSeconds(retrievedAt) <= this.publication.policy_max_age_seconds;
  }

  /** The publication's warnings that concern every answer about products. */
  get generalWarnings(): WarningCode[] {
    return generalWarningsOf(this.publication);
  }
}

/** The publication's warnings that do not depend on the inventory in an answer. */
export function generalWarningsOf({ warnings }: Publication): WarningCode[] {
  return warnings.filter((code) => isWarningOf(code, 'all', 'catalog'));
}

function groupOlder(reader: StateReader): Map<number, Map<number, string>> {
  const byProduct = groupBy(reader.olderObservations(), ({ product }) => product);
  const ofStores = (rows: readonly OlderObservationRow[]) => new Map(rows.map((row) => [row.store, row.retrieved_at]));
  return new Map([...byProduct].map(([product, rows]) => [product, ofStores(rows)]));
}

/** A store at a publication. `inScope`: whether availability summaries count the store (contract.md 2). */
export type Store = {
  readonly key: number;
  readonly inScope: boolean;
  readonly detail: StoreDetail;
};

const verifiedPhone = /^\+[1-9][0-9]{1,14}$/;

/** `publicationAt`: the publication of a sequence. */
export function storeOf(
  row: StoreRow,
  current: Publication,
  publicationAt: (sequence: number) => Publication,
  { inventory, country }: Profile,
): Store {
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
