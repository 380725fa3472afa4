import type { About } from '../contract/documents/metadata.ts';
import { type DataLicense, dataPackageOf, type ExportObjects } from '../contract/formats/data-package.ts';
import {
  describeFields,
  type ExportHeader,
  type ExportResource,
  type ExportSources,
  exportRecordMaker,
} from '../contract/formats/export.ts';
import { exportSchemaVersion } from '../contract/formats/table.ts';
import { pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import { availabilityOf } from '../model/availability.ts';
import type { State } from '../model/state.ts';
import { type Document, warningList } from './document.ts';
import { availabilityRowOf, detailOf } from './product.ts';

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

/** What the rows of an export are made of: by id, inventory by product and store. */
export function exportSources(state: State, resource: ExportResource): Iterable<never> {
  return sources[resource](state) as Iterable<never>;
}

const sources: { readonly [Name in ExportResource]: (state: State) => Iterable<ExportSources[Name]> } = {
  *products(state) {
    for (const product of state.products) {
      const { summary } = availabilityOf(state, product);
      yield detailOf(product, summary, state.formerSkus.of(product.sku));
    }
  },
  stores: ({ stores }) => stores.map(({ detail }) => detail).sort((a, b) => (a.id < b.id ? -1 : 1)),
  *inventory(state) {
    for (const product of state.products) {
      if (product.success === null) continue;
      for (const pair of availabilityOf(state, product).pairs) {
        const row = availabilityRowOf(pair);
        if (row.state === 'unchecked' || row.retrieved_at === null) continue;
        yield { ...row, product, state: row.state, retrieved_at: row.retrieved_at };
      }
    }
  },
};

/** The data records of an export. */
export function* exportRecordsOf(state: State, resource: ExportResource): Generator<Record<string, unknown>> {
  const recordOf = exportRecordMaker(resource);
  for (const source of exportSources(state, resource)) yield recordOf(source);
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
