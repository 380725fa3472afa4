import { isDeepStrictEqual } from 'node:util';
import type { ProductAvailability, ProductDetail } from '../contract/documents/product.ts';
import type { StoreDetail } from '../contract/documents/store.ts';
import type { ExportResource, InventoryRecord } from '../contract/formats/export.ts';
import { parsePath, pathOf } from '../contract/paths.ts';
import { shown, shownApart } from '../site/fault.ts';
import { inventoryRecordsOf, productRecordOf, storeRecordOf } from './document-records.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import type { RecordCheck } from './exports.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Compares the records of an export of the current publication with the documents that say the same. Reports the first
 * difference, and then compares no more.
 */
export function documentsOf(site: SiteUnderCheck, path: string, resource: ExportResource): RecordCheck {
  if (resource === 'inventory') return new AvailabilityCheck(site, path);
  return new DetailCheck(site, path, resource);
}

/** Compares each record with the document of its product or store. */
class DetailCheck implements RecordCheck {
  readonly #site: SiteUnderCheck;
  readonly #path: string;
  readonly #resource: 'products' | 'stores';
  #isOver = false;

  constructor(site: SiteUnderCheck, path: string, resource: 'products' | 'stores') {
    this.#site = site;
    this.#path = path;
    this.#resource = resource;
  }

  async take(records: readonly Values[]): Promise<void> {
    for (const record of records) {
      if (this.#isOver) return;
      this.#isOver = differs(this.#site, this.#path, record, ...this.#expected(String(record.id)));
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  end(): void {}

  /** The record that a document makes, and the path of the document; null when it cannot be read. */
  #expected(id: string): [Values | null, string] {
    if (this.#resource === 'products') {
      const path = pathOf('product', { product_id: id });
      const document = documentAt<{ data: ProductDetail }>(this.#site, path);
      return [document && productRecordOf(document.data), path];
    }
    const path = pathOf('store', { store_id: id });
    const document = documentAt<{ data: StoreDetail }>(this.#site, path);
    return [document && storeRecordOf(document.data), path];
  }
}

/**
 * Compares the records of each product with its availability. Each pair there that was checked has a record, and no other has
 * one. Of stores out of scope an availability says nothing.
 */
class AvailabilityCheck implements RecordCheck {
  readonly #site: SiteUnderCheck;
  readonly #path: string;
  readonly #seen = new Set<string>();
  #product = '';
  /** The pairs of the product whose record did not come yet, by store; null when its availability cannot be read. */
  #expected: Map<string, InventoryRecord | null> | null = null;
  #isOver = false;

  constructor(site: SiteUnderCheck, path: string) {
    this.#site = site;
    this.#path = path;
  }

  async take(records: readonly Values[]): Promise<void> {
    for (const record of records) {
      if (this.#isOver) return;
      const { product_id, store_id } = record as InventoryRecord;
      if (product_id !== this.#product) this.#begin(product_id);
      if (this.#isOver || this.#expected === null) continue;
      const availability = pathOf('product_availability', { product_id });
      const expected = this.#expected.get(store_id);
      if (expected === null)
        this.#report(`no record of store ${store_id}, unchecked in ${availability}`, shown(record));
      else if (expected) this.#isOver = differs(this.#site, this.#path, record, expected, availability);
      this.#expected.delete(store_id);
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  end(): void {
    if (!this.#isOver) this.#finish();
    for (const path of this.#site.table.routes.keys()) {
      if (this.#isOver) return;
      const parsed = parsePath(path);
      const id = parsed?.kind === 'product_availability' ? parsed.parameters.product_id : undefined;
      if (id === undefined || this.#seen.has(id)) continue;
      this.#begin(id);
      this.#finish();
    }
  }

  #begin(product: string): void {
    this.#finish();
    this.#product = product;
    this.#seen.add(product);
    const path = pathOf('product_availability', { product_id: product });
    const document = documentAt<{ data: ProductAvailability }>(this.#site, path);
    this.#expected = document && inventoryRecordsOf(document.data);
  }

  /** After the last record of a product. */
  #finish(): void {
    const missing = [...(this.#expected?.values() ?? [])].find((record) => record !== null);
    this.#expected = null;
    if (!missing) return;
    const availability = pathOf('product_availability', missing);
    this.#report(
      `a record of store ${missing.store_id} and product ${missing.product_id}, as ${availability} has it`,
      'none',
    );
  }

  #report(expected: string, got: string): void {
    this.#site.faults.add('export_mismatch', this.#path, expected, got);
    this.#isOver = true;
  }
}

/** Whether a record says something else than the one that a document makes. Reports the first column that does. */
function differs(site: SiteUnderCheck, path: string, record: Values, expected: Values | null, source: string): boolean {
  for (const [column, value] of Object.entries(expected ?? {})) {
    if (isDeepStrictEqual(record[column], value)) continue;
    const [wanted, got] = shownApart(value, record[column]);
    site.faults.add('export_mismatch', path, `${column} ${wanted}, as ${source} has it`, got);
    return true;
  }
  return false;
}
