import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { StoreStock } from '../contract/documents/store.ts';
import { parsePath, pathOf } from '../contract/paths.ts';
import { shown, shownApart } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import { type ProductVisit, visitProducts } from './product-documents.ts';

type Stocked = StoreStock['products'][number];

/** How many rows a store has, and the sum of their digests. It does not depend on their order. */
type Total = { count: number; sum: number };

/**
 * Compares what each store in scope has with the availability of the listed products. Of the pairs of a site, of which there
 * may be millions, it keeps a total for each store.
 */
export class StockCheck {
  readonly #site: SiteUnderCheck;
  readonly #totals = new Map<string, Total>();
  readonly #inScope: ReadonlySet<string>;
  #isWhole: boolean;

  /** `inScope`: ids of stores; null when they are not known. */
  constructor(site: SiteUnderCheck, inScope: readonly string[] | null) {
    this.#site = site;
    this.#inScope = new Set(inScope);
    this.#isWhole = site.table.isComplete && inScope !== null;
  }

  visit(visit: ProductVisit): void {
    if (!visit.document || !visit.availability) this.#isWhole = false;
    for (const { store_id, row } of stockedIn(visit)) {
      const total = this.#totals.get(store_id) ?? { count: 0, sum: 0 };
      this.#totals.set(store_id, add(total, row));
    }
  }

  /** After all products. */
  end(): void {
    if (!this.#isWhole) return;
    let isNamed = false;
    for (const path of this.#site.table.routes.keys()) {
      const parsed = parsePath(path);
      if (parsed?.kind !== 'store_availability') continue;
      const stock = documentAt<{ data: StoreStock }>(this.#site, path)?.data;
      if (!stock || !this.#inScope.has(stock.store.id)) continue;
      const expected = this.#totals.get(stock.store.id) ?? { count: 0, sum: 0 };
      const got = stock.products.reduce(add, { count: 0, sum: 0 });
      if (isDeepStrictEqual(expected, got)) continue;
      // To find the product, its documents are read once more. One fault of that kind has many stores.
      const difference = isNamed ? null : this.#firstDifference(stock);
      isNamed = true;
      const claim = difference?.expected ?? `the ${expected.count} products that their availability says it has`;
      this.#site.faults.add('stock_mismatch', path, claim, difference?.got ?? `others, or ${got.count} of them`);
    }
  }

  #firstDifference({ store, products }: StoreStock): { expected: string; got: string } | null {
    const rows = new Map(products.map((product) => [product.product_id, product]));
    let first: { expected: string; got: string } | null = null;
    visitProducts(
      this.#site,
      () => undefined,
      (visit) => {
        const found = stockedIn(visit).find(({ store_id }) => store_id === store.id);
        const [expected, got] = [found?.row, rows.get(visit.id)];
        rows.delete(visit.id);
        if (first || isDeepStrictEqual(expected, got)) return;
        const [wanted, actual] = shownApart(expected, got);
        const path = pathOf('product_availability', { product_id: visit.id });
        first = { expected: `${wanted} of product ${visit.id}, as ${path} has it`, got: actual };
      },
    );
    const [surplus] = rows.values();
    return first ?? (surplus ? { expected: 'products of the site, each once', got: shown(surplus) } : null);
  }
}

/** The rows that a product has in the documents of stores; none when it is not listed. */
function stockedIn({ document, availability }: ProductVisit): { store_id: string; row: Stocked }[] {
  if (!availability || document?.data.catalog_presence !== 'listed') return [];
  const { product, stores } = availability;
  const { id: product_id, source_ids, name, brand } = product;
  return stores.flatMap(
    ({ store_id, reported_quantity, purchase_eligibility, retrieved_at, meets_retrieval_policy }) => {
      if (!reported_quantity || purchase_eligibility === null || retrieved_at === null) return [];
      const { agency_sku } = source_ids;
      const seen = { reported_quantity, purchase_eligibility, retrieved_at, meets_retrieval_policy };
      return [{ store_id, row: { product_id, agency_sku, name, brand, ...seen } }];
    },
  );
}

/** Sums stay below 2^49, so that no digit is lost. */
function add({ count, sum }: Total, row: Stocked): Total {
  const digest = hash('sha256', JSON.stringify(row), 'buffer').readUIntBE(0, 6);
  return { count: count + 1, sum: (sum + digest) % 2 ** 48 };
}
