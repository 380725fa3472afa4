/**
 * A kind of request. `target` takes the number of the turn, from 0. Computed answers have a different address in each
 * turn, so that none of them comes from a cache.
 */
export type EdgeQuestion = {
  readonly kind: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly target: (turn: number) => string;
};

type Products = {
  readonly data: readonly { readonly id: string; readonly source_ids: { readonly agency_sku: string } }[];
};
type Stores = {
  readonly data: readonly { readonly location: { readonly latitude: number; readonly longitude: number } | null }[];
};
type Brands = { readonly data: readonly { readonly name: string }[] };

/**
 * Questions about the site at a URL. Rejects if it has fewer than 25 products, no store with a location, or no brand.
 */
export async function edgeQuestions(url: URL): Promise<EdgeQuestion[]> {
  const documentAt = async (path: string): Promise<unknown> => (await fetch(new URL(path, url))).json();
  const { data: products } = (await documentAt('/v1/products')) as Products;
  const { data: stores } = (await documentAt('/v1/stores')) as Stores;
  const { data: brands } = (await documentAt('/v1/brands')) as Brands;
  const { revision } = ((await documentAt('/v1/metadata')) as { data: { publication: { revision: string } } }).data
    .publication;
  const place = stores.find(({ location }) => location !== null)?.location;
  const [product] = products;
  const [brand] = brands;
  if (products.length < 25 || !product || !place || !brand) {
    throw new Error(`expected a site of at least 25 products, a store and a brand at ${url}`);
  }
  const comparing = (count: number) => (turn: number) => {
    const skus = products.slice(0, count).map(({ source_ids }) => source_ids.agency_sku);
    const latitude = (place.latitude + (turn % 1000) / 10_000).toFixed(4);
    return `/v1/availability/comparison?skus=${skus.join()}&lat=${latitude}&lng=${place.longitude}&radius_m=200000`;
  };
  const [word = ''] = brand.name.split(' ');
  return [
    { kind: 'document', target: () => `/v1/products/${product.id}` },
    {
      kind: 'document that the client has',
      headers: { 'If-None-Match': '*' },
      target: () => `/v1/products/${product.id}`,
    },
    { kind: 'list', target: () => '/v1/changes' },
    { kind: 'page of a list', target: () => '/v1/changes/pages/1.json' },
    { kind: 'selection', target: (turn) => `/v1/changes?types=price_changed&limit=${1 + (turn % 100)}` },
    { kind: 'search', target: (turn) => `/v1/search?q=${encodeURIComponent(word)}&limit=${1 + (turn % 100)}` },
    { kind: 'comparison of 3 products', target: comparing(3) },
    { kind: 'comparison of 25 products', target: comparing(25) },
    { kind: 'export', target: () => `/v1/exports/${revision}/products.ndjson.gz` },
  ];
}
