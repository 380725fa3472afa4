import {
  describeFields,
  type ExportHeader,
  type ExportSources,
  exportRecordMaker,
} from '../../contract/columns/export.ts';
import { type ExportFields, exportSchemaVersion } from '../../contract/columns/table.ts';
import type { DataLicense } from '../../contract/schemas/data-package.ts';
import type { About } from '../../contract/schemas/metadata.ts';
import type { ProductDetail } from '../../contract/schemas/product.ts';
import type { ExportResource } from '../../contract/vocabulary.ts';
import type { Publication } from '../database/publications.ts';
import { type Availability, pairAt, readAvailability } from './availability.ts';
import { warningList } from './document.ts';
import { type Product, productDetail } from './product.ts';
import type { State } from './state.ts';

export function recordCount(publication: Publication, resource: ExportResource): number {
  return {
    products: publication.product_count,
    stores: publication.store_count,
    inventory: publication.inventory_pair_count,
  }[resource];
}

export function makeExportHeader(state: State, resource: ExportResource, license: DataLicense | null): ExportHeader {
  const { publication, profile } = state;
  const file = {
    resource,
    record_count: recordCount(publication, resource),
    fields: describeFields(resource, profile),
  };
  return { record_type: 'header', header: publicationHeader(state, publication.sequence, file, license) };
}

/** The header of any file with records of a publication. */
export function publicationHeader<Resource>(
  state: State,
  sequence: number,
  { resource, record_count, fields }: { resource: Resource; record_count: number; fields: ExportFields },
  license: DataLicense | null,
): Omit<ExportHeader['header'], 'resource'> & { resource: Resource } {
  const { revision, published_at, warnings } = state.publicationAt(sequence);
  const about = statedAbout(state.aboutAt(sequence), license);
  return {
    resource,
    schema_version: exportSchemaVersion,
    publication_revision: revision,
    published_at,
    record_count,
    warnings: warningList(warnings),
    ...(about ? { about } : {}),
    fields,
  };
}

/** The operator's statements, with the license that a build may name instead. Null if nothing is stated. */
function statedAbout(about: About | null, license: DataLicense | null): About | null {
  if (license === null) return about;
  const nothing = {
    title: null,
    agency: null,
    notice: null,
    source_url: null,
    contact: null,
    doi: null,
    spatial_coverage: null,
  };
  return { ...(about ?? nothing), license: { name: license.name, url: license.path ?? null } };
}

/** `reportedQuantity`: what all stores in scope report; null for a product that was never retrieved. */
type ExportRow =
  | { readonly resource: 'products'; readonly source: ProductDetail; readonly reportedQuantity: number | null }
  | { readonly resource: 'stores'; readonly source: ExportSources['stores'] }
  | { readonly resource: 'inventory'; readonly source: ExportSources['inventory'] };

/** The rows of all exports, by id. Inventory is ordered by product and store. */
export function* exportRows(state: State): Generator<ExportRow> {
  yield* productRows(state);
  yield* storeRows(state);
}

/** Reads the availability of each product once. */
function* productRows(state: State): Generator<ExportRow> {
  for (const product of state.products) {
    const availability = readAvailability(state, product);
    const source = productDetail(product, availability.summary, state.formerSkus.of(product.sku));
    yield { resource: 'products', source, reportedQuantity: reportedQuantity(state, product, availability) };
    if (product.inventory_retrieved_at === null) continue;
    const { id, sku } = product;
    const identity = { id, sku };
    for (const store of state.stores) {
      const pair = pairAt(state, availability, store);
      const { state: observed, retrieved_at } = pair;
      if (observed === 'unchecked' || retrieved_at === null) continue;
      yield { resource: 'inventory', source: { ...pair, state: observed, retrieved_at, product: identity } };
    }
  }
}

function reportedQuantity(state: State, product: Product, { at }: Availability): number | null {
  if (product.inventory_retrieved_at === null) return null;
  if (state.profile.inventory === 'statewide') return product.reported_quantity;
  return state.storesInScope.reduce((sum, store) => sum + (at(store).row?.quantity ?? 0), 0);
}

function* storeRows(state: State): Generator<ExportRow> {
  const stores = state.stores.map(({ detail }) => detail).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const source of stores) yield { resource: 'stores', source };
}

export function* readExportSources(state: State, resource: ExportResource): Generator<never> {
  const rows = resource === 'stores' ? storeRows(state) : productRows(state);
  for (const row of rows) if (row.resource === resource) yield row.source as never;
}

export function* makeExportRecords(state: State, resource: ExportResource): Generator<Record<string, unknown>> {
  const makeRecord = exportRecordMaker(resource, state.profile);
  for (const source of readExportSources(state, resource)) yield makeRecord(source);
}
