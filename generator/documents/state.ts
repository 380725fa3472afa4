import { epochSeconds } from '../../contract/instant.ts';
import { usualProfile } from '../../contract/profile.ts';
import type { About } from '../../contract/schemas/metadata.ts';
import { isWarningAbout, type WarningCode } from '../../contract/warnings.ts';
import type { Connection } from '../database/connection.ts';
import {
  aboutUpTo,
  correctionsUpTo,
  databaseProfile,
  type Publication,
  publicationsUpTo,
} from '../database/publications.ts';
import { type OlderObservationRow, type StateReader, stateReader } from '../database/state-reader.ts';
import { correctingPublications } from './corrections.ts';
import { formerSkuIndex } from './former-skus.ts';
import { type Product, productFrom } from './product.ts';
import { storeFrom } from './store.ts';

export type State = ReturnType<typeof stateAt>;

/** The state at one publication. Stores and products are in memory. Inventory is read when it is needed. */
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
  const stores = reader
    .stores()
    .map((row) =>
      storeFrom(row, publicationAt(row.observed_publication ?? publication.directory_publication), profile),
    );
  let products: readonly Product[] | null = null;
  let productByKey: ReadonlyMap<number, Product> | null = null;
  return {
    publication,
    /** All publications up to this one, oldest first. */
    publications,
    /** Finds a publication up to this one by its sequence. */
    publicationAt,
    /** Corrections up to this publication, oldest first. */
    corrections: correctingPublications(correctionsUpTo(connection, sequence), publicationAt),
    profile,
    stores,
    /** The stores that availability counts. */
    storesInScope: stores.filter(({ inScope }) => inScope),
    scopes: reader.scopes(),
    /** By product key and store key, the times of observations that are older than the product's last success. */
    older: groupOlder(reader),
    formerSkus: formerSkuIndex(reader.formerSkus()),
    reader,
    tracking_started_at: publicationAt(1).published_at,
    /** Warnings that concern every answer about products. */
    generalWarnings: generalWarningsIn(publication),
    /** The operator's statements about a publication's data; null for none. */
    aboutAt(at: number): About | null {
      const found = abouts.find(({ first, last }) => first <= at && at <= (last ?? at));
      return found?.about ?? null;
    },
    /** All products by id. They are read at first use. */
    get products(): readonly Product[] {
      products ??= reader
        .products()
        .map((row) =>
          productFrom(row, publicationAt(row.observed_publication ?? publication.catalog_publication), profile),
        );
      return products;
    },
    product(key: number): Product {
      productByKey ??= new Map(this.products.map((product) => [product.key, product]));
      const found = productByKey.get(key);
      if (!found) throw new Error(`no product ${key} at publication ${sequence}`);
      return found;
    },
    /** Whether an observation met the retrieval-age policy when this publication was published. */
    meetsPolicy: (retrievedAt: string | null) =>
      retrievedAt !== null && publishedAt - epochSeconds(retrievedAt) <= publication.policy_max_age_seconds,
  };
}

export function productsBySku({ products }: State): Product[] {
  return products.toSorted((a, b) => (a.sku < b.sku ? -1 : 1));
}

/** Warnings that do not depend on the inventory in an answer. */
export function generalWarningsIn({ warnings }: Publication): WarningCode[] {
  return warnings.filter((code) => isWarningAbout(code, 'all', 'catalog'));
}

function groupOlder(reader: StateReader): Map<number, Map<number, string>> {
  const byProduct = Map.groupBy(reader.olderObservations(), ({ product }) => product);
  const byStore = (rows: readonly OlderObservationRow[]) => new Map(rows.map((row) => [row.store, row.retrieved_at]));
  return new Map([...byProduct].map(([product, rows]) => [product, byStore(rows)]));
}

/** The regions of the stores, each once and sorted. */
export function storeRegions({ stores }: Pick<State, 'stores'>): string[] {
  return [...new Set(stores.flatMap(({ detail }) => detail.address.region ?? []))].sort();
}
