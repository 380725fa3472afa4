import type { About } from '../contract/documents/about.ts';
import { type DataLicense, dataPackageOf, type ExportObjects } from '../contract/formats/data-package.ts';
import {
  describeFields,
  type ExportHeader,
  type ExportResource,
  exportSchemaVersion,
  type StoreRecord,
  storeRecord,
} from '../contract/formats/export.ts';
import { pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import type { State } from '../model/state.ts';
import { type Document, warningList } from './document.ts';
import { inventoryLines } from './inventory-records.ts';
import { productLines } from './product-records.ts';
import { checkedLine, type RecordSink } from './record-parts.ts';

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
  const { revision, published_at, warnings, sequence } = state.publication;
  const about = statedAbout(state.aboutAt(sequence), license);
  return {
    record_type: 'header',
    header: {
      resource,
      schema_version: exportSchemaVersion,
      publication_revision: revision,
      published_at,
      record_count: recordCount(state.publication, resource),
      warnings: warningList(warnings),
      ...(about ? { about } : {}),
      fields: describeFields(resource),
    },
  };
}

/** What the operator states of the data, with the license that a build names. Null for nothing. */
export function statedAbout(about: About | null, license: DataLicense | null): About | null {
  if (license === null) return about;
  const nothing = { title: null, agency: null, notice: null, source_url: null, contact: null };
  return { ...(about ?? nothing), license: { name: license.name, url: license.path ?? null } };
}

/**
 * The data records of an export file as checked JSON: by id, inventory by product and store. `sink` gets the same records as
 * objects, in the same order.
 */
export function exportLinesOf(
  state: State,
  resource: ExportResource,
  sink: RecordSink | null = null,
): Iterable<string> {
  const path = pathOf('export', { revision: state.publication.revision, resource });
  return { products: productLines, stores: storeLines, inventory: inventoryLines }[resource](state, path, sink);
}

function* storeLines(state: State, path: string, sink: RecordSink | null): Generator<string> {
  const byId = [...state.stores].sort((a, b) => (a.detail.id < b.detail.id ? -1 : 1));
  for (const { detail } of byId) {
    const record: StoreRecord = {
      record_type: 'store',
      id: detail.id,
      inventory_store_code: detail.source_ids.inventory_store_code,
      directory_id: detail.source_ids.directory_id,
      name: detail.name,
      address_line1: detail.address.line1,
      address_line2: detail.address.line2,
      city: detail.address.city,
      region: detail.address.region,
      postal_code: detail.address.postal_code,
      country: detail.address.country,
      phone: detail.phone,
      telephone_uri: detail.contact_links.telephone_uri,
      geo_uri: detail.contact_links.geo_uri,
      latitude: detail.location?.latitude ?? null,
      longitude: detail.location?.longitude ?? null,
      access_type: detail.access_type,
      operational_state: detail.operational_status.state,
      operational_note: detail.operational_status.note,
      operational_source: detail.operational_status.source,
      services: detail.services,
      regular_hours_available: detail.regular_hours_available,
      regular_hours: detail.regular_hours,
      directory_presence_state: detail.directory_presence?.state ?? null,
      directory_last_seen_at: detail.directory_presence?.last_seen_at ?? null,
      details_source_updated_at: detail.details_times.source_updated_at,
      details_retrieved_at: detail.details_times.retrieved_at,
      details_published_at: detail.details_times.published_at,
    };
    yield checkedLine(path, storeRecord, record);
    sink?.add(record);
  }
}

/** The export files of a publication as a Data Package. Once made, it never changes. */
export function dataPackageDocument(
  publication: Publication,
  files: ExportObjects,
  about: About | null,
  license: DataLicense | null,
): Document {
  const { revision, published_at } = publication;
  return {
    path: pathOf('export_package', { revision }),
    cache: 'immutable',
    since: published_at,
    value: dataPackageOf(publication, files, about, license),
  };
}
