import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { formatPath, isOfExplorer, parsePath, prefix } from '../../contract/paths.ts';
import { type DataLicense, type DataPackage, statedLicense } from '../../contract/schemas/data-package.ts';
import type { Metadata, RetainedPublication } from '../../contract/schemas/metadata.ts';
import type { Pointer, Route } from '../../contract/schemas/site-files.ts';
import { shortened } from '../../contract/text.ts';
import { readDatabase } from '../database/database-file.ts';
import { publicationsUpTo } from '../database/publications.ts';
import { Failure } from '../files/failure.ts';
import { useTemporaryFolder } from '../files/temporary-folder.ts';
import { readPreviousSite } from '../site/built-site.ts';
import { documentIn, type Routes } from '../site/route-table.ts';
import { Storage } from '../site/storage.ts';
import type { BuildOptions } from '../units/build.ts';
import type { Choices } from '../units/document-writer.ts';
import { documentAt, type SiteChecks, type SiteUnderCheck, type VerifyProgress } from './documents.ts';
import { firstDifference } from './field-difference.ts';
import { answerLine, type OwnPage, type Rebuild, readOutline } from './statement.ts';

/** Refuses a database whose latest publication is not that of the site. */
export function refuseOtherDatabase(directory: string, { revision, sequence }: Pointer, database: string): void {
  const publications = readDatabase(database, (connection) => publicationsUpTo(connection, Number.MAX_SAFE_INTEGER));
  const latest = publications.at(-1);
  if (latest?.revision === revision) return;
  const isEarlier = publications.some((publication) => publication.revision === revision);
  const got = latest ? `publication ${latest.sequence}, revision ${latest.revision}` : 'none';
  const reason = isEarlier
    ? 'it has later publications: build the site first'
    : 'the site was built from another database';
  throw new Failure(
    'site_of_other_database',
    `${database}: expected publication ${sequence} as its latest, revision ${revision}, as in ${directory}, got ${got}; ${reason}`,
  );
}

/** Builds a site. */
export type Build = (options: BuildOptions, progress: VerifyProgress) => Promise<unknown>;

/** What a site was made from, and what makes and checks it. */
type Origin = {
  readonly database: string;
  readonly statement: { readonly ownPage: OwnPage | null } | undefined;
  readonly checks: readonly SiteChecks[];
  readonly build: Build;
};

/**
 * Makes the site once more from the database, in a temporary folder, and compares the answers: which
 * addresses there are, all bytes, and how they are delivered. Null when the site does not say how it was built, which
 * other checks report. Leaves out what a build from nothing does not have: Last-Modified, addresses that are kept for
 * readers of earlier publications, and exports that were made under another license. `other_license`: sequences of the
 * earlier publications of these exports. `statement`: to compare the explorer as well, with the outline of the site.
 */
export async function checkRebuilt(site: SiteUnderCheck, { database, statement, checks, build }: Origin) {
  const ownPage = statement?.ownPage ?? null;
  const settings = readSettings(site, checks);
  if (settings === null) return null;
  return useTemporaryFolder(async (folder) => {
    const out = join(folder, 'site');
    const hasPage = ownPage !== null && site.table.routes.has(formatPath('explorer'));
    const page: Rebuild['page'] = hasPage ? { sha256: ownPage.sha256, outline: readOutline(site) } : null;
    const explorer = page && ownPage ? ownPage.withOutline(page.outline) : null;
    const defaults = { keepAll: false, full: false, threads: 0 };
    await build({ ...defaults, ...settings, explorer, database, out }, site.progress);
    const storage = new Storage(out);
    const routes = readPreviousSite(storage)?.routes;
    if (!routes) throw new Error(`${out}: a build left no site`);
    const { answers, ...compared } = compare(site, { storage, routes, database }, statement !== undefined);
    return { compared, rebuild: { settings, page, answers } };
  });
}

/** The settings of the build, as the site states them; null when a document that states one cannot be read. */
function readSettings(site: SiteUnderCheck, checks: readonly SiteChecks[]) {
  const index = documentAt(site, formatPath('service_index'));
  const metadata = documentAt<{ data: Metadata }>(site, formatPath('metadata'))?.data;
  const retained = documentAt<{ data: RetainedPublication[] }>(site, formatPath('publications'))?.data;
  const dataPackage = documentAt<DataPackage>(site, formatPath('export_package', site.pointer));
  if (!index || !metadata || !retained || !dataPackage) return null;
  const [license = null] = dataPackage.licenses ?? [];
  const isOfCuration = firstDifference(license, statedLicense(metadata.about)) === null;
  const page = site.table.find(formatPath('explorer'));
  const exports = retained.length > 1 ? 'retained' : 'current';
  return {
    baseUrl: site.addresses.base === '' ? null : site.addresses.base + prefix,
    choices: Object.assign({}, ...checks.map(({ choicesOf }) => choicesOf(site))) as Choices,
    dataLicense: isOfCuration ? null : (license as DataLicense),
    exports,
    // The explorer is not built again, but feeds link to it.
    hasExplorer: typeof page !== 'string' && page.last_sequence === undefined,
  } as const;
}

type Made = { readonly storage: Storage; readonly routes: Routes; readonly database: string };

/** `answers`: the hash of the lines of all answers that were compared, for a statement. */
function compare(site: SiteUnderCheck, { storage, routes, database }: Made, withPage: boolean) {
  const { table, faults, progress } = site;
  const otherLicense = new Map<string, number>();
  for (const { revision, sequence } of site.pointer.publications) {
    const path = formatPath('export_package', { revision });
    const [there, made] = [documentAt<DataPackage>(site, path), documentIn<DataPackage>(storage, routes, path)];
    if (there && made && firstDifference(there.licenses, made.licenses)) otherLicense.set(revision, sequence);
  }
  const isCompared = ({ path, last_sequence }: Route) => {
    const { revision = '' } = parsePath(path)?.parameters ?? {};
    return last_sequence === undefined && (withPage || !isOfExplorer(path)) && !otherLicense.has(revision);
  };
  const compared = [...routes.values()].filter(isCompared);
  for (const [done, expected] of compared.entries()) {
    if (done % 1000 === 0) progress('comparing with the database', done, compared.length);
    const route = table.find(expected.path);
    if (typeof route !== 'string') compareRoutes(site, { storage, routes, database }, expected, route);
    else if (route === 'absent') {
      faults.add('rebuild_missing', expected.path, `an answer, as ${database} gives it`, 'no route');
    }
  }
  for (const route of table.routes.values()) {
    if (routes.has(route.path) || !isCompared(route)) continue;
    faults.add('rebuild_extra', route.path, `no answer, as ${database} gives none`, 'a route');
  }
  const other_license = [...otherLicense.values()].sort((a, b) => a - b);
  return { addresses: compared.length, other_license, answers: answersDigest(compared) };
}

function answersDigest(routes: readonly Route[]): string {
  const sha256 = createHash('sha256');
  for (const route of routes.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    sha256.update(answerLine(route.sha256, route.path, null));
    for (const { sha256: digest, encoding } of route.variants ?? [])
      sha256.update(answerLine(digest, route.path, encoding));
  }
  return sha256.digest('hex');
}

/**
 * Reports the first difference between a route and the one that the database gives: in the document, or in the route.
 */
function compareRoutes(site: SiteUnderCheck, { storage, routes, database }: Made, expected: Route, got: Route): void {
  const { last_modified: _, is_date_shared: __, last_sequence: ___, ...there } = got;
  const { last_modified: ____, is_date_shared: _____, ...made } = expected;
  const inRoute = firstDifference(made, there);
  if (inRoute === null) return;
  const hasSameBytes = made.sha256 === there.sha256;
  const document = hasSameBytes || !made.media_type.endsWith('json') ? null : site.documents.read(got);
  const inDocument = document === null ? null : firstDifference(documentIn(storage, routes, expected.path), document);
  const { field, values } = inDocument ?? inRoute;
  const [wanted = '', found = ''] = values.map((text) => shortened(text, 80));
  const claim = `${field || 'the whole'} ${wanted}, as ${database} gives it`;
  site.faults.add(hasSameBytes ? 'rebuild_route' : 'rebuild_content', got.path, claim, found);
}
