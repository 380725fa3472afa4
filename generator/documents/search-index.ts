import { formatPath } from '../../contract/paths.ts';
import type { SearchHit, SearchIndex } from '../../contract/schemas/search.ts';
import { searchWords } from '../../contract/search-order.ts';
import type { Report } from './browse.ts';
import { type Catalog, sortByName } from './catalog.ts';
import { changing, type Document, type Site, warningList } from './document.ts';
import type { State } from './state.ts';

/** `/search/index.json`: hits with the folded words that find them. `reports`: one for each listed product. */
export function searchIndexDocument(
  state: State,
  catalog: Catalog,
  reports: readonly Report[],
  { address }: Site,
): Document {
  const value: SearchIndex = {
    publication_revision: state.publication.revision,
    warnings: warningList(state.publication.warnings),
    // The listed products come first.
    entries: [...hits(state, catalog)].map(({ path, words, hit }, index) => ({
      hit: { ...hit, path: address(path) } as SearchHit,
      terms: searchWords(words.filter((word) => word !== null)).join(' '),
      reported_positive_store_count: reports[index]?.reported_positive_store_count ?? null,
    })),
  };
  return changing(formatPath('search_index'), value);
}

type Found = {
  readonly path: string;
  readonly words: readonly (string | null)[];
  readonly hit: Omit<SearchHit, 'path'>;
};

function* hits(state: State, catalog: Catalog): Generator<Found> {
  for (const { id, sku, name, brand } of catalog.listed) {
    yield {
      path: formatPath('product', { product_id: id }),
      words: [brand, name, sku],
      hit: { kind: 'product', id, name, brand, agency_sku: sku } as Found['hit'],
    };
  }
  for (const { id, name, brand } of catalog.families) {
    yield {
      path: formatPath('family', { family_id: id }),
      words: [brand.name, name],
      hit: { kind: 'product_family', id, name, brand: brand.name },
    };
  }
  for (const { id, name, aliases } of catalog.representedBrands) {
    yield {
      path: formatPath('brand', { brand_id: id }),
      words: [name, ...aliases],
      hit: { kind: 'brand', id, name, brand: name },
    };
  }
  for (const { id, name } of sortByName(state.stores.map(({ detail }) => detail))) {
    yield { path: formatPath('store', { store_id: id }), words: [name], hit: { kind: 'store', id, name, brand: null } };
  }
}
