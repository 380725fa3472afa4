import { exportResource } from '../../contract/columns/export.ts';
import { type ContextTable, publicationTable } from '../../contract/columns/parquet.ts';
import { exportSchemaVersion } from '../../contract/columns/table.ts';
import { type InstantSpan, instantSpan, monthOf } from '../../contract/instant.ts';
import { openApi } from '../../contract/openapi/openapi.ts';
import { pageSize } from '../../contract/pages.ts';
import { type Addresser, formatPath, prefix } from '../../contract/paths.ts';
import { problemKinds, remedyFor } from '../../contract/problem.ts';
import { isUsual, type Profile } from '../../contract/profile.ts';
import { type DataLicense, statedLicense } from '../../contract/schemas/data-package.ts';
import {
  type About,
  type CsvTables,
  contractVersion,
  type ExportFiles,
  type ExportManifestDocument,
  type ExportTables,
  type Metadata,
  type RetainedPublication,
  serviceName,
  siteStatement,
  type TableFile,
} from '../../contract/schemas/metadata.ts';
import { problemCode } from '../../contract/schemas/problem.ts';
import type { Publication } from '../database/publications.ts';
import type { Catalog } from './catalog.ts';
import type { ChangeList } from './change-list.ts';
import { correctionStatement, feedState, newestCorrection, revisionCorrections } from './corrections.ts';
import { answer, changing, type Document, freshness, warningList } from './document.ts';
import { recordCount } from './export-records.ts';
import type { State } from './state.ts';

export type ServiceFacts = {
  readonly address: Addresser;
  readonly catalog: Catalog;
  readonly changes: Pick<ChangeList, 'feed'>;
  /** Publications whose exports the site keeps, newest first, including the current one. */
  readonly retained: readonly Publication[];
  /** The license that the build names; null for the curation's license. */
  readonly license: DataLicense | null;
};

/** The documents about the service and the site. `/v1` comes first. */
export function* serviceDocuments(state: State, facts: ServiceFacts): Generator<Document> {
  yield serviceIndex(state, facts);
  yield metadataDocument(state, facts);
  yield publicationsDocument(state, facts);
  yield* problemDocuments(state.profile);
  yield changing(formatPath('former_skus'), { ambiguous: state.formerSkus.ambiguous });
}

/** The inputs of the OpenAPI description, besides the program and the base URL. */
export function openApiFacts(state: State, license: DataLicense | null) {
  const about = currentAbout(state);
  return { about, license: license ?? statedLicense(about), profile: state.profile };
}

export function openApiDocument(state: State, { address, license }: Pick<ServiceFacts, 'address' | 'license'>) {
  const { about, license: stated, profile } = openApiFacts(state, license);
  return changing(formatPath('openapi'), openApi(address(prefix), about, stated, profile));
}

function retrievedSpan({ older }: State, catalog: Catalog): InstantSpan {
  const successes = catalog.products.map(({ inventory_retrieved_at }) => inventory_retrieved_at);
  return instantSpan([...successes, ...[...older.values()].flatMap((stores) => [...stores.values()])]);
}

function currentAbout(state: State): About | null {
  return state.aboutAt(state.publication.sequence);
}

const linked = [
  'products',
  'families',
  'brands',
  'stores',
  'categories',
  'changes',
  'exports',
  'metadata',
  'publications',
  'publications_feed',
  'activity',
  'search_index',
  'brand_index',
  'browse',
  'absent',
  'comparison_stores',
  'changes_index',
  'change_pieces',
  'changes_parquet',
  'newest_changes_parquet',
  'daily_parquet',
  'daily_csv',
  'prices_csv',
  'openapi',
  'search',
  'comparison',
] as const;

function serviceIndex({ publication, profile }: State, { address }: ServiceFacts): Document {
  const isLinked = (kind: string) =>
    kind === 'changes_index'
      ? publication.last_event > pageSize
      : profile.inventory === 'stores' || (kind !== 'comparison' && kind !== 'comparison_stores');
  const links = Object.fromEntries(linked.filter(isLinked).map((kind) => [kind, address(formatPath(kind))]));
  const data = {
    name: serviceName,
    contract_version: contractVersion,
    publication_revision: publication.revision,
    published_at: publication.published_at,
    links,
  };
  return answer(formatPath('service_index'), data, publication.warnings);
}

function metadataDocument(state: State, { catalog, changes }: ServiceFacts): Document {
  const { publication, profile } = state;
  const data: Metadata = {
    service: {
      name: serviceName,
      contract_version: contractVersion,
      statement: siteStatement(profile),
      ...(isUsual(profile) ? {} : { profile }),
    },
    about: currentAbout(state),
    publication: {
      revision: publication.revision,
      sequence: publication.sequence,
      published_at: publication.published_at,
    },
    counts: {
      products: catalog.products.length,
      listed_products: catalog.listed.length,
      product_families: catalog.families.length,
      brands: catalog.representedBrands.length,
      stores: state.stores.length,
      categories: catalog.categories.length,
      inventory_pairs: publication.inventory_pair_count,
      change_events: changes.feed.history(state.publication.sequence).retained_event_count,
    },
    retention: { history_days: publication.history_days, publication_days: publication.publication_days },
    retrieval_policy: { id: publication.policy_id, max_age_seconds: publication.policy_max_age_seconds },
    correction: newestCorrection(state),
    feed: feedState(state),
  };
  return answer(formatPath('metadata'), data, publication.warnings);
}

function exportFiles(publication: Publication, address: Addresser): ExportFiles {
  const { revision } = publication;
  const files = exportResource.options.map((resource) => {
    const url = address(formatPath('export', { revision, resource }));
    return [resource, { record_count: recordCount(publication, resource), url }] as const;
  });
  return Object.fromEntries(files) as ExportFiles;
}

function publicationsDocument(state: State, { retained, address }: ServiceFacts): Document {
  const { publication } = state;
  const data: RetainedPublication[] = retained.map((kept) => ({
    revision: kept.revision,
    sequence: kept.sequence,
    published_at: kept.published_at,
    current: kept.sequence === publication.sequence,
    exports: exportFiles(kept, address),
    correction: correctionStatement(kept, state),
  }));
  return answer(formatPath('publications'), data, publication.warnings);
}

export type TableFacts = {
  readonly fileAt: (path: string) => { readonly sha256: string; readonly size: number; readonly etag: string };
  readonly historyRows: Readonly<Record<keyof ExportTables['history'] | 'prices', number>>;
  /** The months of `daily.csv` and how many rows each has, oldest first. */
  readonly monthRows: ReadonlyMap<string, number>;
};

/** The export manifest states sizes and hashes of files, so they must be made first. */
export function manifestDocument(
  state: State,
  { catalog, retained, address }: ServiceFacts,
  tables: TableFacts,
): Document {
  const { publication } = state;
  const value: ExportManifestDocument = {
    data: {
      publication_revision: publication.revision,
      published_at: publication.published_at,
      format: 'gzip_ndjson',
      schema_version: exportSchemaVersion,
      files: exportFiles(publication, address),
      parquet: parquetTables(publication, address, tables),
      csv: csvTables(publication, address, tables),
      corrections: revisionCorrections(retained, state),
    },
    meta: {
      warnings: warningList(publication.warnings),
      freshness: freshness(state, catalog.products, retrievedSpan(state, catalog)),
    },
  };
  return changing(formatPath('exports'), value, [formatPath('latest_manifest')]);
}

function statementMaker(address: Addresser, { fileAt }: TableFacts) {
  return (path: string, record_count: number): TableFile => {
    const { size, sha256, etag } = fileAt(path);
    return { record_count, url: address(path), size, sha256, etag };
  };
}

function csvTables(publication: Publication, address: Addresser, tables: TableFacts): CsvTables {
  const tableFile = statementMaker(address, tables);
  const { revision, product_count } = publication;
  const monthFile = (month: string) =>
    tableFile(formatPath('daily_month_csv', { month }), tables.monthRows.get(month) ?? 0);
  return {
    format: 'gzip_csv',
    products: tableFile(formatPath('products_csv', { revision }), product_count),
    prices: tableFile(formatPath('prices_csv'), tables.historyRows.prices),
    daily: { ...monthFile(monthOf(publication.published_at)), url: address(formatPath('daily_csv')) },
    daily_months: [...tables.monthRows.keys()].reverse().map((month) => ({ month, ...monthFile(month) })),
  };
}

function parquetTables(publication: Publication, address: Addresser, tables: TableFacts): ExportTables {
  const { revision } = publication;
  const tableFile = statementMaker(address, tables);
  const { historyRows } = tables;
  const contextFile = (context: ContextTable) =>
    tableFile(formatPath('context_parquet', { context }), historyRows[context]);
  const files = publicationTable.options.map((table) => {
    const count = recordCount(publication, table === 'daily' ? 'products' : table);
    return [table, tableFile(formatPath('export_parquet', { revision, table }), count)] as const;
  });
  return {
    format: 'parquet',
    files: Object.fromEntries(files) as ExportTables['files'],
    history: {
      changes: tableFile(formatPath('changes_parquet'), historyRows.changes),
      newest_changes: tableFile(formatPath('newest_changes_parquet'), historyRows.newest_changes),
      daily: tableFile(formatPath('daily_parquet'), historyRows.daily),
      products_over_time: contextFile('products_over_time'),
      stores_over_time: contextFile('stores_over_time'),
      categories: contextFile('categories'),
      coverage: contextFile('coverage'),
    },
  };
}

function* problemDocuments(profile: Profile): Generator<Document> {
  for (const code of problemCode.options) {
    const { title, status, detail } = problemKinds[code];
    const data = { code, title, status, detail, remedy: remedyFor(code, profile) };
    yield answer(formatPath('problem', { problem: code }), data, []);
  }
}
