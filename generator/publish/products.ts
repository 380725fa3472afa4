import { type ProductWriter, productWriter } from '../database/entity-writers.ts';
import type { Row } from '../database/versioned-table.ts';
import type { CheckedProducts } from './checked-snapshot.ts';
import { type CurationView, curationInForce, resolvePresentation } from './curation.ts';
import { type Draft, entityId } from './draft.ts';
import { type CatalogTimes, recordFirstObservation, recordProductChanges } from './product-changes.ts';
import type { ProductLine } from './snapshot/format.ts';

/** How many products were listed before a new catalog, and how many of them left. Without a new one, none. */
export type CatalogChange = { readonly listedBefore: number; readonly left: number };

/**
 * Puts the snapshot's catalog in force, if it has one. If it has a catalog or a curation, applies the curation in force
 * to every product again. Products that the catalog no longer lists become absent.
 */
export async function applyProducts(draft: Draft, checked: CheckedProducts | null): Promise<CatalogChange> {
  const products = productWriter(draft.connection);
  const { header, parts } = draft.snapshot;
  if (header.catalog === null && parts.curation === null) return { listedBefore: 0, left: 0 };
  const listedBefore = header.catalog === null ? 0 : products.listedCount();
  const curation = curationInForce(draft.connection);
  const seen = new Set<number>();
  if (checked !== null && header.catalog !== null) {
    for await (const line of checked.lines) seen.add(applyLine(draft, products, curation, line, header.catalog));
  }
  return { listedBefore, left: applyUnseen(draft, products, curation, seen, checked?.setAside ?? new Set()) };
}

/** Applies a line of the catalog, and returns the key of its product. */
function applyLine(
  draft: Draft,
  products: ProductWriter,
  curation: CurationView,
  line: ProductLine,
  catalog: CatalogTimes,
): number {
  const { sku, name: source_title, ...source } = line;
  const previous = products.open(sku);
  const id = previous?.id ?? entityId(draft.databaseId, 'product', sku);
  const product = previous?.product ?? products.insert(id, sku, draft.sequence, catalog.retrieved_at);
  const row: Row = {
    product,
    catalog_presence: 'listed',
    observed_publication: null,
    ...source,
    source_title,
    ...resolvePresentation({ ...source, sku, source_title }, curation),
    ...priceBounds(line.price_minor, previous),
  };
  if (previous?.catalog_presence === 'listed') {
    const price = previous.price_minor ?? products.lastPrice(product);
    if (typeof price === 'number')
      draft.prices.add(price, previous.price_minor === null ? (line.price_minor ?? price) : line.price_minor);
  }
  if (!products.versions.put(draft.sequence, row, previous)) return product;
  const subject = { product, productId: id, version: products.openVersion(product) };
  if (previous) recordProductChanges(draft, subject, previous, row, catalog);
  else recordFirstObservation(draft, subject, row, catalog);
  return product;
}

function priceBounds(price: number | null, previous: Row | undefined): Row {
  const observed = [price, previous?.lowest_price_minor, previous?.highest_price_minor].filter(
    (amount) => typeof amount === 'number',
  );
  if (observed.length === 0) return { lowest_price_minor: null, highest_price_minor: null };
  return { lowest_price_minor: Math.min(...observed), highest_price_minor: Math.max(...observed) };
}

/**
 * Updates the products without a good row in the snapshot, and returns how many leave the catalog. A product leaves
 * when the snapshot has a catalog without it. A product whose row is set aside stays as it was, because the faulty row
 * does not show that it left. The curation may change all of them.
 */
function applyUnseen(
  draft: Draft,
  products: ProductWriter,
  curation: CurationView,
  seen: ReadonlySet<number>,
  setAside: ReadonlySet<string>,
): number {
  let left = 0;
  const filedUnder = new Map<string, string>();
  const { catalog, published_at } = draft.snapshot.header;
  const times = catalog ?? { retrieved_at: published_at, source_updated_at: null };
  for (const { sku, id, version: _, ...previous } of products.others(seen)) {
    const { product } = previous;
    const wasListed = previous.catalog_presence === 'listed';
    const isListed = wasListed && (catalog === null || setAside.has(sku));
    if (wasListed && !isListed) left += 1;
    const category = previous.category_id as string | null;
    const isFiled = category !== null && curation.categories.has(category);
    if (isListed && category !== null && !isFiled && !filedUnder.has(category)) filedUnder.set(category, sku);
    const row: Row = {
      ...previous,
      catalog_presence: isListed ? 'listed' : 'absent',
      observed_publication: previous.observed_publication ?? (catalog && draft.previous?.catalog_publication) ?? null,
      category_id: isFiled ? category : null,
      ...resolvePresentation(
        {
          sku,
          source_title: String(previous.source_title),
          size_ml: previous.size_ml as number | null,
          size_text: previous.size_text as string | null,
        },
        curation,
      ),
    };
    if (!products.versions.put(draft.sequence, row, previous)) continue;
    const subject = { product, productId: id, version: products.openVersion(product) };
    recordProductChanges(draft, subject, previous, row, times);
  }
  for (const [category, sku] of filedUnder) refuseLostCategory(draft, category, sku);
  return left;
}

/** Listed products must be filed under categories of the curation in force. An absent product may lose its category. */
function refuseLostCategory({ faults }: Draft, category: string, sku: string): void {
  const expected = `the category ${category}, under which product ${sku} of the catalog in force is filed`;
  faults.refuse('curation.json', { field: 'categories', expected, got: 'none of that id' });
}
