import geographiclib from 'geographiclib-geodesic';
import type { WarningCode } from '../../../contract/warnings.ts';
import type { ComparisonQuery } from '../../../shim/comparison/compare.ts';
import { PublicationView } from '../../../shim/site/publication-view.ts';
import { VerifiedObjects } from '../../../shim/site/verified-objects.ts';
import { MemoryReader } from '../memory-reader.ts';
import { type TinyDocument, tinySite } from '../tiny-site.ts';

/**
 * The state of a product in a store, as one character: the classification of a positive report, zero, or row absent. A
 * hyphen means that no retrieval says anything about the pair.
 */
export const pairLetters = {
  eligible: 'e',
  restricted: 'r',
  not_eligible: 'n',
  reported_zero: 'z',
  row_absent: 'a',
  unchecked: '-',
} as const;

export type PairLetter = (typeof pairLetters)[keyof typeof pairLetters];

export type Place = { readonly latitude: number; readonly longitude: number };
export type WorldStore = { readonly name: string; readonly location: Place | null };

export type WorldProduct = {
  readonly name: string;
  readonly sku: string;
  readonly formerSkus: readonly string[];
  readonly warnings: readonly WarningCode[];
  readonly retrievals: readonly { readonly retrievedAt: string; readonly meetsPolicy: boolean }[];
  /**
   * By store name: the letter of the pair, and the retrieval that observed it. Stores that are missing here are
   * unchecked.
   */
  readonly pairs: Readonly<Record<string, { readonly letter: PairLetter; readonly retrieval: number }>>;
};

/** The parts of a publication that comparisons read. Names have one to six letters a to z. */
export type ComparisonWorld = {
  readonly warnings: readonly WarningCode[];
  readonly stores: readonly WorldStore[];
  readonly products: readonly WorldProduct[];
};

/** The origin of the examples. */
export const centre: Place = { latitude: 40.76, longitude: -111.89 };

/** A place at a distance from another one. The rounded distance is exactly `metres`, whatever the direction. */
export function placeAt(metres: number, direction = 0, from: Place = centre): Place {
  const { lat2, lon2 } = geographiclib.Geodesic.WGS84.Direct(from.latitude, from.longitude, direction, metres);
  return { latitude: lat2 as number, longitude: lon2 as number };
}

/** An id made from a name, so that ids sort like names. */
export function idFor(name: string): string {
  const digits = Buffer.from(name).toString('hex').padEnd(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-4000-8000-000000000000`;
}

export function nameFor(id: string): string {
  return Buffer.from(id.slice(0, 13).replace('-', ''), 'hex').toString().replaceAll('\0', '');
}

/** The view of a world's site, with the documents that a build makes for comparisons. */
export async function openView(world: ComparisonWorld): Promise<PublicationView> {
  const json = (value: unknown): TinyDocument => ({ body: JSON.stringify(value) });
  const stores = sortedStores(world);
  const documents: Record<string, TinyDocument> = {
    '/v1/availability/stores.json': json({ warnings: coded(world.warnings), stores: stores.map(storeSummary) }),
  };
  for (const product of world.products) {
    documents[`/v1/products/${idFor(product.name)}/availability`] = json({
      data: availability(
        product,
        stores.map(({ name }) => name),
      ),
      meta: { warnings: coded(product.warnings) },
    });
    const own = json({ data: productDocument(product), meta: { warnings: [] } });
    for (const name of [idFor(product.name), ...[product.sku, ...product.formerSkus].map((sku) => `by-sku/${sku}`)]) {
      documents[`/v1/products/${name}`] = own;
    }
  }
  const site = tinySite({ revision: '11111111-1111-4111-8111-111111111111', shardBits: 0, documents });
  return PublicationView.load(new VerifiedObjects(new MemoryReader(site)), site.pointer);
}

function sortedStores({ stores }: ComparisonWorld): WorldStore[] {
  return [...stores].sort((a, b) => (idFor(a.name) < idFor(b.name) ? -1 : 1));
}

const names = Object.fromEntries(Object.entries(pairLetters).map(([name, letter]) => [letter, name]));

/** What a product's availability says about these stores, which are in order of id. */
export function availability({ pairs, retrievals }: WorldProduct, stores: readonly string[]) {
  const others = { row_absent: [] as string[], unchecked: [] as string[] };
  const earlier = retrievals.map((): string[] => []);
  const rows = stores.flatMap((store) => {
    const { letter, retrieval } = pairs[store] ?? { letter: pairLetters.unchecked, retrieval: -1 };
    const { retrievedAt, meetsPolicy } = retrievals[retrieval] ?? { retrievedAt: null, meetsPolicy: false };
    const name = names[letter] as string;
    if (name === 'row_absent' || name === 'unchecked') {
      others[name].push(idFor(store));
      if (name === 'row_absent' && retrieval < retrievals.length - 1) earlier[retrieval]?.push(idFor(store));
      return [];
    }
    const isPositive = name !== 'reported_zero';
    return {
      ...{ store_id: idFor(store), inventory_store_code: null, name: store },
      ...{ state: isPositive ? 'reported_positive' : name, reported_quantity: isPositive ? 1 : 0 },
      purchase_eligibility: isPositive ? name : null,
      ...{ retrieved_at: retrievedAt, meets_retrieval_policy: meetsPolicy },
    };
  });
  const isAbsent = others.row_absent.length > others.unchecked.length;
  const last = retrievals.at(-1);
  return {
    summary: { scope_store_count: stores.length, meets_retrieval_policy: last?.meetsPolicy ?? false },
    retrieved_at: last?.retrievedAt ?? null,
    stores: rows,
    other_stores_state: rows.length === stores.length ? null : isAbsent ? 'row_absent' : 'unchecked',
    exception_store_ids: isAbsent ? others.unchecked : others.row_absent,
    earlier_row_absent: earlier.flatMap((store_ids, retrieval) => {
      const { retrievedAt: retrieved_at, meetsPolicy: meets_retrieval_policy } = retrievals[retrieval] ?? {};
      return store_ids.length === 0 ? [] : { retrieved_at, meets_retrieval_policy, store_ids };
    }),
  };
}

function coded(codes: readonly WarningCode[]) {
  return codes.map((code) => ({ code }));
}

const times = {
  source_updated_at: null,
  retrieved_at: '2025-04-01T06:00:00Z',
  published_at: '2025-04-01T12:00:00Z',
};

export function storeSummary({ name, location }: WorldStore) {
  return {
    id: idFor(name),
    source_ids: { inventory_store_code: null, directory_id: null },
    name,
    address: { line1: '1 Main St', line2: null, city: 'Town', region: 'UT', postal_code: '84101', country: 'US' },
    phone: null,
    contact_links: { telephone_uri: null, geo_uri: null },
    location,
    distance_m: null,
    access_type: 'consumer_state_store',
    operational_status: { state: 'open', note: null, source: 'unknown' },
    services: [],
    regular_hours_available: false,
    directory_presence: null,
    details_times: times,
  };
}

export function productDocument({ name, sku }: WorldProduct) {
  return {
    id: idFor(name),
    source_ids: { agency_sku: sku },
    name,
    brand: null,
    brand_id: null,
    package_size: {
      milliliters: 750,
      container_count: null,
      unit_milliliters: null,
      total_milliliters: null,
      display: '750ml',
      interpretation: 'single_container',
      basis: 'normalized_source_size',
      normalization_state: 'normalized',
    },
    price: null,
    status: { code: 'G', label: 'General listing', lifecycle: 'active', source_raw: 'G' },
  };
}

const allStrategies = [
  'best_single_store',
  'closest_store_with_any',
  'closest_complete_store',
  'fewest_stores_complete',
  'best_partial_plan',
] as const;

/** A query for products by name. Other parameters have the defaults of the description. */
export function queryFor(products: readonly string[], rest: Partial<ComparisonQuery> = {}): ComparisonQuery {
  return {
    ...(rest.skus ? {} : { product_ids: products.map(idFor) }),
    lat: centre.latitude,
    lng: centre.longitude,
    radius_m: 50_000,
    strategies: allStrategies,
    purchase_eligibility: 'eligible',
    inventory_age: 'within_policy',
    max_stops: 3,
    ...rest,
  };
}
