import type { ProductDetail } from '../../contract/documents/catalog.ts';
import type { About } from '../../contract/documents/metadata.ts';
import type { DataLicense } from '../../contract/formats/data-package.ts';
import {
  describeFields,
  type ExportHeader,
  type ExportResource,
  type ExportSources,
  exportRecordMaker,
} from '../../contract/formats/export.ts';
import { type ExportFields, exportSchemaVersion } from '../../contract/formats/table.ts';
import type { Publication } from '../database/publications.ts';
import { warningList } from './document.ts';
import { detailOf } from './product.ts';
import { type Availability, availabilityOf } from './state/availability.ts';
import type { Product } from './state/product.ts';
import type { State } from './state/state.ts';

/** How many data records each export of a publication has. */
export function recordCount(publication: Publication, resource: ExportResource): number {
  return {
    products: publication.product_count,
    stores: publication.store_count,
    inventory: publication.inventory_pair_count,
  }[resource];
}

/** The first record of an export file. */
export function exportHeaderOf(state: State, resource: ExportResource, license: DataLicense | null): ExportHeader {
  const { publication, profile } = state;
  const file = {
    resource,
    record_count: recordCount(publication, resource),
    fields: describeFields(resource, profile),
  };
  return { record_type: 'header', header: publicationHeader(state, publication.sequence, file, license) };
}

/** The header of a file with the records of a publication. */
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

/** What the operator states of the data, with the license that a build names. Null for nothing. */
function statedAbout(about: About | null, license: DataLicense | null): About | null {
  if (license === null) return about;
  const nothing = { title: null, agency: null, notice: null, source_url: null, contact: null };
  return { ...(about ?? nothing), license: { name: license.name, url: license.path ?? null } };
}

/** A row of an export: what it is made of. `reportedQuantity`: of a product in scope; null where it was never retrieved. */
type ExportRow =
  | { readonly resource: 'products'; readonly source: ProductDetail; readonly reportedQuantity: number | null }
  | { readonly resource: 'stores'; readonly source: ExportSources['stores'] }
  | { readonly resource: 'inventory'; readonly source: ExportSources['inventory'] };

/** The rows of all exports: each by id, inventory by product and store. */
export function* exportRows(state: State): Generator<ExportRow> {
  yield* productRows(state);
  yield* storeRows(state);
}

/** The rows of products and inventory. What is known of a product in stores is read once. */
function* productRows(state: State): Generator<ExportRow> {
  for (const product of state.products) {
    const { pairs, summary } = availabilityOf(state, product);
    const source = detailOf(product, summary, state.formerSkus.of(product.sku));
    yield { resource: 'products', source, reportedQuantity: reportedQuantity(state, product, pairs) };
    if (product.success === null) continue;
    for (const { store, state: pairState, quantity, eligibility, retrievedAt, meetsPolicy } of pairs) {
      if (pairState === 'unchecked' || retrievedAt === null) continue;
      const source = {
        product,
        store_id: store.detail.id,
        inventory_store_code: store.detail.source_ids.inventory_store_code,
        state: pairState,
        reported_quantity: quantity,
        purchase_eligibility: eligibility,
        retrieved_at: retrievedAt,
        meets_retrieval_policy: meetsPolicy,
      };
      yield { resource: 'inventory', source };
    }
  }
}

function reportedQuantity({ profile }: State, { success, row }: Product, pairs: Availability['pairs']): number | null {
  if (success === null) return null;
  if (profile.inventory === 'statewide') return row.reported_quantity;
  return pairs.reduce((sum, { store, quantity }) => sum + (store.inScope ? (quantity ?? 0) : 0), 0);
}

function* storeRows(state: State): Generator<ExportRow> {
  const stores = state.stores.map(({ detail }) => detail).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const source of stores) yield { resource: 'stores', source };
}

/** What the rows of one export are made of. */
export function* exportSourcesOf(state: State, resource: ExportResource): Generator<never> {
  const rows = resource === 'stores' ? storeRows(state) : productRows(state);
  for (const row of rows) if (row.resource === resource) yield row.source as never;
}

/** The data records of an export. */
export function* exportRecordsOf(state: State, resource: ExportResource): Generator<Record<string, unknown>> {
  const recordOf = exportRecordMaker(resource, state.profile);
  for (const source of exportSourcesOf(state, resource)) yield recordOf(source);
}
