import { jsonMediaType } from '../../contract/headers.ts';
import { formatPath, latestFiles } from '../../contract/paths.ts';
import { statedLicense } from '../../contract/schemas/data-package.ts';
import { changing, type Document } from '../documents/document.ts';
import { storeRegions } from '../documents/state.ts';
import type { BuildContext } from '../units/kind.ts';
import { type DatasetFacts, makeCroissant, makeDataset } from './dataset.ts';
import { apiCatalog, makeDcatCatalog, sitemap } from './discovery.ts';
import { makeTablesPackage } from './tables-package.ts';

/** Finds a file below `/v1/exports/`. One below `latest` is found at its address in a revision. */
function exportAt({ writer: { state }, fileAt }: BuildContext, name: string) {
  const alias = `${formatPath('exports')}/${name}`;
  const path = latestFiles(state.publication).get(alias) ?? alias;
  return { ...fileAt(path), path };
}

/** The package of all tables: those in the files of the current publication, and those over time. */
export function makePackageOfTables(context: BuildContext): Document[] {
  const { state, license } = context.writer;
  const { publication, profile } = state;
  const tableAt = (name: string) => exportAt(context, name);
  const about = state.aboutAt(publication.sequence);
  const value = makeTablesPackage(publication, tableAt, about, license ?? statedLicense(about), profile);
  return [changing(formatPath('tables_package'), value)];
}

function datasetFacts(context: BuildContext): DatasetFacts {
  const { state, license, hasExplorer, address } = context.writer;
  const { revision, sequence, published_at } = state.publication;
  const about = state.aboutAt(sequence);
  const root = address('/');
  return {
    revision,
    sequence,
    published_at,
    first_published_at: state.tracking_started_at,
    about,
    license: license ?? statedLicense(about),
    profile: state.profile,
    regions: storeRegions(state),
    host: URL.canParse(root) ? new URL(root).host : null,
    home: hasExplorer ? formatPath('explorer') : formatPath('service_index'),
    address,
    fileOf: ({ path }) => exportAt(context, path),
  };
}

/** DCAT and the sitemap need absolute URLs. */
export function* makeDiscovery(context: BuildContext): Generator<Document> {
  const { writer } = context;
  const facts = datasetFacts(context);
  yield changing(formatPath('croissant'), makeCroissant({ ...facts, address: fromExports(facts) }));
  writer.writeFile(formatPath('api_catalog'), apiCatalog(writer.address, facts.home));
  if (facts.host === null) return;
  const catalog = makeDcatCatalog(facts);
  if (catalog !== null) yield changing(formatPath('dcat'), catalog);
  if (writer.hasExplorer) writer.writeFile(formatPath('sitemap'), sitemap(writer.address, facts.published_at));
}

/** Without a base URL, addresses are relative, so that programs find the tables beside the file in a folder. */
function fromExports({ host, address }: DatasetFacts): (path: string) => string {
  const folder = `${formatPath('exports')}/`;
  if (host !== null) return address;
  return (path) => (path.startsWith(folder) ? path.slice(folder.length) : `../..${path}`);
}

/**
 * What the head of the explorer's page says about the dataset: its description in schema.org, and a link to Croissant.
 */
export function datasetElements(context: BuildContext): string[] {
  const facts = datasetFacts(context);
  // The page of a site without absolute URLs may be below a path.
  const address = facts.host === null ? (path: string) => `.${path}` : facts.address;
  const dataset = JSON.stringify(makeDataset({ ...facts, address })).replaceAll('<', String.raw`\u003c`);
  return [
    // This is data that never runs, so no policy has to allow it.
    `<script type="application/ld+json">${dataset}</script>`,
    `<link rel="alternate" type="${jsonMediaType}" href="${formatPath('croissant').slice(1)}">`,
  ];
}
