import { type ProductWriter, productWriter } from '../database/entity-writers.ts';
import type { Row } from '../database/versioned-table.ts';
import type { CheckedProducts } from './checked-snapshot.ts';
import { type CurationView, curationInForce, resolvePresentation } from './curation.ts';
import { type Draft, entityId } from './draft.ts';
import { type CatalogTimes, recordFirstObservation, recordProductChanges } from './product-changes.ts';
import type { ProductLine } from './snapshot/format.ts';
import { useRows } from './snapshot/rows.ts';

/** How many products were listed before a new catalog, and how many of them left. Without a new one, none. */
export type CatalogChange = { readonly listedBefore: number; readonly left: number };

/**
 * Puts the snapshot's catalog in force, if it has one. If it has a catalog or a curation, applies the curation in force
 * to every product again. Products that the catalog no longer lists become absent.
 */
export async function applyProducts(draft: Draft, checked: CheckedProducts | null): Promise<CatalogChange> {
  const { header, parts } = draft.snapshot;
  if (header.catalog === null && parts.curation === null) return { listedBefore: 0, left: 0 };
  const products = productWriter(draft.connection);
  const listedBefore = header.catalog === null ? 0 : products.listedCount();
  const curation = curationInForce(draft.connection);
  const seen = new Set<number>();
  if (checked !== null && header.catalog !== null) {
    const { catalog } = header;
    await useRows(checked.lines, (line) => seen.add(applyLine(draft, products, curation, line, catalog)));
  }
  const left = applyUnseen(draft, products, curation, seen, checked?.setAside ?? new Set());
  products.flush();
  return { listedBefore, left };
}

/** Applies a line of the catalog, and returns the key of its product. */
function applyLine(
  draft: Draft,
  products: ProductWriter,
  curation: CurationView,
  line: ProductLine,
  catalog: CatalogTimes,
): number {
  const { sku } = line;
  const previous = products.open(sku);
  const id = previous?.id ?? entityId(draft.databaseId, 'product', sku);
  const product = previous?.product ?? products.insert(id, sku, draft.sequence, catalog.retrieved_at);
  const row = versionOf(product, line, curation, previous);
  if (previous?.catalog_presence === 'listed') {
    const price = previous.price_minor ?? products.lastPrice(product);
    if (typeof price === 'number')
      draft.prices.add(price, previous.price_minor === null ? (line.price_minor ?? price) : line.price_minor);
  }
  const version = products.putVersion(draft.sequence, row, previous);
  if (version === null) return product;
  const subject = { product, productId: id, version };
  if (previous) recordProductChanges(draft, subject, previous, row, catalog);
  else recordFirstObservation(draft, subject, row, catalog);
  return product;
}

/** The version of a listed product. Its columns are written out, because spreading objects into it takes ten times as long. */
function versionOf(product: number, line: ProductLine, curation: CurationView, previous: Row | undefined): Row {
  const { sku, name: source_title, size_ml, size_text, price_minor } = line;
  const shown = resolvePresentation({ sku, source_title, size_ml, size_text }, curation);
  const observed = [price_minor, previous?.lowest_price_minor, previous?.highest_price_minor].filter(
    (amount) => typeof amount === 'number',
  );
  return {
    product,
    catalog_presence: 'listed',
    observed_publication: null,
    source_name: line.source_name,
    source_title,
    size_ml,
    size_text,
    pack_count: line.pack_count,
    price_minor,
    price_source: line.price_source,
    status_code: line.status_code,
    status_label: line.status_label,
    status_raw: line.status_raw,
    lifecycle: line.lifecycle,
    category_id: line.category_id,
    name: shown.name,
    brand_id: shown.brand_id,
    brand_name: shown.brand_name,
    family_id: shown.family_id,
    family_name: shown.family_name,
    relationship_type: shown.relationship_type,
    vintage_year: shown.vintage_year,
    age_statement: shown.age_statement,
    container_count: shown.container_count,
    unit_milliliters: shown.unit_milliliters,
    total_milliliters: shown.total_milliliters,
    package_display: shown.package_display,
    package_interpretation: shown.package_interpretation,
    package_basis: shown.package_basis,
    package_state: shown.package_state,
    lowest_price_minor: observed.length === 0 ? null : Math.min(...observed),
    highest_price_minor: observed.length === 0 ? null : Math.max(...observed),
  };
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
    const version = products.putVersion(draft.sequence, row, previous);
    if (version === null) continue;
    const subject = { product, productId: id, version };
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
