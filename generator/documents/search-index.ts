import type { SearchHit, SearchIndex } from '../../contract/documents/catalog.ts';
import { formatPath } from '../../contract/paths.ts';
import { foldedWords } from '../../contract/text.ts';
import { type Catalog, sortByName } from './catalog.ts';
import { changing, type Document, type Site, warningList } from './document.ts';
import type { State } from './state.ts';

/** `/search/index.json`: everything that search can find, with the folded words that find it. */
export function searchIndexDocument(state: State, catalog: Catalog, { address }: Site): Document {
  const value: SearchIndex = {
    publication_revision: state.publication.revision,
    warnings: warningList(state.publication.warnings),
    entries: [...hits(state, catalog)].map(({ path, words, hit }) => ({
      hit: { ...hit, path: address(path) } as SearchHit,
      terms: foldedWords(words.filter((word) => word !== null)).join(' '),
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
