import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of a part: an object to write as JSON, or the text of a line, which need not be JSON. */
export type Line = Readonly<Record<string, unknown>> | string;

/** The parts of a snapshot folder. A part that is null or absent is not written. */
export type SnapshotParts = {
  readonly header: Readonly<Record<string, unknown>>;
  readonly products?: readonly Line[] | null;
  readonly stores?: readonly Line[] | null;
  readonly inventory?: { readonly scope?: readonly unknown[]; readonly lines: readonly Line[] } | null;
  readonly curation?: Readonly<Record<string, unknown>> | null;
};

/** Writes a snapshot folder of plain files and returns its path. */
export function writeSnapshot(
  folder: string,
  { header, products, stores, inventory, curation }: SnapshotParts,
): string {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('snapshot.json', JSON.stringify(header));
  if (products) write('products.ndjson', linesOf(products));
  if (stores) write('stores.ndjson', linesOf(stores));
  if (inventory) {
    write('inventory.ndjson', linesOf(inventory.lines));
    if (inventory.scope) write('inventory_scope.json', JSON.stringify({ inventory_store_codes: inventory.scope }));
  }
  if (curation) write('curation.json', JSON.stringify(curation));
  return folder;
}

function linesOf(lines: readonly Line[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

type HeaderFields = Readonly<Record<string, unknown>> & { readonly published_at: string };

/** A header whose catalog and directory, if their parts exist, were retrieved at the time of publication. */
export function headerOf(
  { published_at, ...fields }: HeaderFields,
  parts: Pick<SnapshotParts, 'products' | 'stores'> = {},
): SnapshotParts['header'] {
  const times = { source_updated_at: null, retrieved_at: published_at };
  return {
    format: 'inventory-snapshot',
    format_version: 1,
    published_at,
    catalog: parts.products ? times : null,
    directory: parts.stores ? times : null,
    policy: { id: 'inventory-48h', max_age_seconds: 172_800 },
    retention: { history_days: 365, publication_days: 30 },
    warnings: [],
    ...fields,
  };
}

/** An ordinary line of products.ndjson, except for these fields. */
export function productLine(sku: string, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    sku,
    source_name: `PRODUCT ${sku}`,
    name: `Product ${sku}`,
    size_ml: 750,
    size_text: '750ml',
    pack_count: null,
    price_minor: 1999,
    price_source: 'agency_workbook',
    status_code: 'G',
    status_label: 'General listing',
    status_raw: 'G - GENERAL LISTING',
    lifecycle: 'active',
    category_id: null,
    ...fields,
  };
}

/** An ordinary line of stores.ndjson, except for these fields. */
export function storeLine(code: string | null, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    inventory_store_code: code,
    directory_id: null,
    name: `Store ${code}`,
    address: { line1: '1 First Street', line2: null, city: 'Tarn', region: 'CX', postal_code: '00210' },
    phone: null,
    location: null,
    access_type: 'consumer_state_store',
    operational_status: { state: 'open', note: null, source: 'unknown' },
    services: [],
    regular_hours: null,
    directory_presence: null,
    ...fields,
  };
}

/** A line of inventory.ndjson: a retrieval that succeeded. */
export function retrievalLine(
  sku: string,
  retrieved_at: string,
  rows: readonly (readonly [code: string, quantity: unknown])[],
  fields: Readonly<Record<string, unknown>> = {},
) {
  return {
    sku,
    attempted_at: retrieved_at,
    status: 'succeeded',
    retrieved_at,
    source_updated_at: null,
    rows,
    ...fields,
  };
}

/** A line of inventory.ndjson: an attempt that failed. */
export function failureLine(sku: string, attempted_at: string) {
  return { sku, attempted_at, status: 'failed', retrieved_at: null, source_updated_at: null, rows: [] };
}

/** An empty curation, except for these fields. */
export function curationOf(fields: Readonly<Record<string, unknown>> = {}) {
  return { categories: [], brands: [], families: [], products: [], sku_history: [], ...fields };
}

/** An empty entry of the curation's products, except for these fields. */
export function curatedProduct(sku: string, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    sku,
    brand: null,
    family: null,
    relationship_type: null,
    vintage_year: null,
    age_statement: null,
    package: null,
    ...fields,
  };
}
