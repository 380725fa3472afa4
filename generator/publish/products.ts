import { ProductWriter } from '../database/product-writer.ts';
import type { Row } from '../database/versioned-table.ts';
import { checkedRows } from './checked-rows.ts';
import type { Draft } from './draft.ts';
import { entityId } from './identifiers.ts';
import { type CurationView, resolvePresentation } from './presentation.ts';
import { type CatalogTimes, recordFirstObservation, recordProductChanges } from './product-changes.ts';
import { type ProductLine, productLine } from './snapshot-format.ts';

/** How many products were listed before, and how many of them left. */
export type CatalogChange = { readonly listedBefore: number; readonly left: number };

/**
 * Makes the snapshot's catalog the one in force, when it brings one, and resolves every product anew against the
 * curation in force. Products that the catalog no longer names become absent.
 */
export async function applyProducts(draft: Draft, curation: CurationView): Promise<CatalogChange> {
  const products = new ProductWriter(draft.connection);
  const { catalog } = draft.snapshot.header;
  const listedBefore = products.listedCount();
  if (catalog) {
    const rows = checkedRows(draft.snapshot, 'products', productLine, draft.faults, {
      unique: ({ sku }) => [['sku', sku]],
      faultsOf: ({ category_id }) => categoryFaults(category_id, curation),
      onRejected: ({ sku }) => keepListed(products, sku),
    });
    for await (const line of rows) applyLine(draft, products, curation, line, catalog);
  }
  const resolvesAnew = catalog !== null || draft.snapshot.parts.curation !== null;
  return { listedBefore, left: resolvesAnew ? applyUnseen(draft, products, curation) : 0 };
}

function categoryFaults(category: string | null, { categories }: CurationView) {
  if (category === null || categories.has(category)) return [];
  return [{ field: 'category_id', expected: 'a category of the curation in force', got: JSON.stringify(category) }];
}

/** A row that is set aside is no word that its product left: the product stands as it was. */
function keepListed(products: ProductWriter, sku: unknown): void {
  const known = typeof sku === 'string' ? products.find(sku) : undefined;
  if (known) products.markSeen(known.product);
}

function applyLine(
  draft: Draft,
  products: ProductWriter,
  curation: CurationView,
  line: ProductLine,
  catalog: CatalogTimes,
): void {
  const known = products.find(line.sku);
  const id = known?.id ?? entityId(draft.databaseId, 'product', line.sku);
  const { product } =
    known ??
    products.insert({
      id,
      sku: line.sku,
      first_publication: draft.sequence,
      first_observed_at: catalog.retrieved_at,
    });
  const previous = known && products.versions.open({ product });
  const source = sourceOf(line);
  const row: Row = {
    product,
    catalog_presence: 'listed',
    observed_publication: null,
    ...source,
    ...resolvePresentation({ ...source, sku: line.sku }, curation),
    ...priceBounds(line.price_minor, previous),
  };
  products.markSeen(product);
  products.versions.put(draft.sequence, row, previous);
  const subject = { product, productId: id, version: products.openVersion(product) };
  if (previous) recordProductChanges(draft, subject, previous, row, catalog);
  else recordFirstObservation(draft, subject, row, catalog);
}

function sourceOf(line: ProductLine) {
  return {
    source_name: line.source_name,
    source_title: line.name,
    size_ml: line.size_ml,
    size_text: line.size_text,
    pack_count: line.pack_count,
    price_minor: line.price_minor,
    price_source: line.price_source,
    status_code: line.status_code,
    status_label: line.status_label,
    status_raw: line.status_raw,
    lifecycle: line.lifecycle,
    category_id: line.category_id,
  };
}

function priceBounds(price: number | null, previous: Row | undefined): Row {
  const observed = [price, previous?.lowest_price_minor, previous?.highest_price_minor].filter(
    (amount) => typeof amount === 'number',
  );
  if (observed.length === 0) return { lowest_price_minor: null, highest_price_minor: null };
  return { lowest_price_minor: Math.min(...observed), highest_price_minor: Math.max(...observed) };
}

/**
 * Products that the snapshot's catalog did not name: they leave it when there is one, and the curation may move them.
 * Returns how many left.
 */
function applyUnseen(draft: Draft, products: ProductWriter, curation: CurationView): number {
  let left = 0;
  const { catalog, published_at } = draft.snapshot.header;
  const times = catalog ?? { retrieved_at: published_at, source_updated_at: null };
  for (const { sku, id, version: _, ...previous } of products.unseen()) {
    const product = Number(previous.product);
    const leaves = catalog !== null && previous.catalog_presence === 'listed';
    if (leaves) left += 1;
    const row: Row = {
      ...previous,
      ...(leaves
        ? { catalog_presence: 'absent', observed_publication: draft.previous?.catalog_publication ?? null }
        : {}),
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
  return left;
}
