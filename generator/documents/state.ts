import type { About } from '../../contract/documents/metadata.ts';
import { epochSeconds } from '../../contract/instant.ts';
import { isWarningOf, type WarningCode } from '../../contract/primitives.ts';
import { usualProfile } from '../../contract/profile.ts';
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
  const stores = reader
    .stores()
    .map((row) =>
      storeFrom(row, publicationAt(row.observed_publication ?? publication.directory_publication), profile),
    );
  let products: readonly Product[] | null = null;
  let productByKey: ReadonlyMap<number, Product> | null = null;
  return {
    publication,
    /** Every publication up to this one, oldest first. */
    publications,
    /** The publication of a sequence. Sequences count from 1 without gaps, up to this publication. */
    publicationAt,
    /** Every correction that one of them made, oldest first. */
    corrections: correctingPublications(correctionsUpTo(connection, sequence), publicationAt),
    /** What is the agency's own. */
    profile,
    stores,
    scopes: reader.scopes(),
    /** Retrieval times by product key and store key, for observations that are older than the product's last success. */
    older: groupOlder(reader),
    formerSkus: formerSkuIndex(reader.formerSkus()),
    reader,
    /** The time of the first publication. The service tracks changes since then. */
    tracking_started_at: publicationAt(1).published_at,
    /** The publication's warnings that concern every answer about products. */
    generalWarnings: generalWarningsIn(publication),
    /** What the operator states of the data in a publication up to this one; null for nothing. */
    aboutAt(at: number): About | null {
      const found = abouts.find(({ first, last }) => first <= at && at <= (last ?? at));
      return found?.about ?? null;
    },
    /** Every product, by id. Read once, at first use. */
    get products(): readonly Product[] {
      products ??= reader
        .products()
        .map((row) =>
          productFrom(row, publicationAt(row.observed_publication ?? publication.catalog_publication), profile),
        );
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
export function generalWarningsIn({ warnings }: Publication): WarningCode[] {
  return warnings.filter((code) => isWarningOf(code, 'all', 'catalog'));
}

function groupOlder(reader: StateReader): Map<number, Map<number, string>> {
  const byProduct = Map.groupBy(reader.olderObservations(), ({ product }) => product);
  const ofStores = (rows: readonly OlderObservationRow[]) => new Map(rows.map((row) => [row.store, row.retrieved_at]));
  return new Map([...byProduct].map(([product, rows]) => [product, ofStores(rows)]));
}
