import { type AddressKind, addressTable } from '../../../contract/addresses.ts';
import { exportResource } from '../../../contract/columns/export.ts';
import { checkoutFolder, formatPath, objectPath, parsePath, signatureFile, siteLink } from '../../../contract/paths.ts';
import { metadata } from '../../../contract/schemas/metadata.ts';
import { documentSchema } from '../../../contract/schemas/primitives.ts';
import {
  type DocumentedPublication,
  documentedPublications,
  mirrorFile,
  type Pointer,
  type Route,
  unfinishedFile,
} from '../../../contract/schemas/site-files.ts';
import { jsonObject } from '../../http/json-object.ts';
import { pointerIn } from '../../site/checked-pointer.ts';
import { findHolding, parseMirrorRecord, selectRoutes } from '../../site/mirror-holding.ts';
import { objectSizes, objectsOfTable, readTable } from '../../site/route-table.ts';
import { Storage } from '../../site/storage.ts';
import { listSigners, signatureFault } from '../../trust/signature-file.ts';

/** What the folder of a site holds, as `inspect --json` prints it. */
export type SiteReport = ReturnType<typeof inspectSite>;

/**
 * Reads what a site's folder holds, from its pointer and route tables. Changes nothing and does not check the answers;
 * `verify` does. Throws a Failure when there is no site, or its pointer or a route table cannot be used.
 */
export function inspectSite(folder: string) {
  const storage = new Storage(folder);
  const { pointer, bytes } = pointerIn(storage, folder);
  const mirror = mirrorReport(storage, bytes);
  const only = mirror?.only ?? null;
  const documented = documentedPublications(pointer).slice(0, only === null ? undefined : 1);
  const all = [...readTable(storage, pointer.routes).routes.values()];
  const routes = only === null ? all : selectRoutes(all, only);
  const paths = new Map(routes.map((route) => [route.path, route]));
  return {
    folder,
    mirror,
    /** Newest first. */
    publications: pointer.publications.map(({ sequence, revision, published_at }) => ({
      sequence,
      revision,
      published_at,
      current: revision === pointer.revision,
      /** Whether the folder has its documents. */
      documents: documented.some((one) => one.revision === revision),
      /** Whether the folder has its export files. */
      exports: hasExports(paths, revision),
    })),
    current: currentReport(storage, paths.get(formatPath('metadata'))),
    ...answerSizes(routes),
    objects: objectsReport(storage, routes, documented),
    checkout: checkoutReport(storage, pointer),
    signature: signatureReport(storage, bytes),
  };
}

/** The record of a mirror; null for a site that a build made. */
function mirrorReport(storage: Storage, pointer: Uint8Array) {
  const bytes = storage.read(mirrorFile);
  if (bytes === null) return null;
  const record = parseMirrorRecord(bytes);
  const holding = findHolding(record, pointer);
  return {
    source: record.source,
    /** The patterns of a partial mirror. */
    only: holding?.only ?? null,
    routes: holding?.routes ?? 0,
    route_count: holding?.route_count ?? 0,
    /** Whether a run did not finish. */
    unfinished: holding === null || storage.read(unfinishedFile) !== null,
  };
}

function hasExports(paths: ReadonlyMap<string, Route>, revision: string): boolean {
  return exportResource.options.every((resource) => paths.has(formatPath('export', { revision, resource })));
}

/** What the metadata of the current publication say; null in a partial mirror without them. */
function currentReport(storage: Storage, route: Route | undefined) {
  const bytes = route && storage.read(objectPath(route.sha256));
  if (!route || !bytes) return null;
  const { data, meta } = jsonObject(bytes, documentSchema(metadata), objectPath(route.sha256));
  const { about, counts, retention } = data;
  return { about, counts, retention, warnings: meta.warnings.map(({ code }) => code) };
}

/**
 * The stored answers of all publications, each counted once, and the objects of the route tables. `routes`: those of
 * the current publication, the first of the documented ones.
 */
function objectsReport(storage: Storage, routes: readonly Route[], documented: readonly DocumentedPublication[]) {
  const tables = new Set(documented.flatMap((publication) => objectsOfTable(storage, publication.routes)));
  const earlier = documented.slice(1).map((publication) => readTable(storage, publication.routes).routes.values());
  const sizes = objectSizes([routes, ...earlier].flatMap((some) => [...some]));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { count: sizes.size, bytes, of_tables: tables.size };
}

/** Where the link `site` leads, which plain servers follow, and whether that is right. */
function checkoutReport(storage: Storage, { revision }: Pointer) {
  const link = storage.pointsTo(siteLink);
  return { link, is_current: link === checkoutFolder(revision) };
}

/** Fingerprints of the keys that signed the pointer, and why the signature file does not fit. */
function signatureReport(storage: Storage, pointer: Uint8Array) {
  const file = storage.read(signatureFile);
  const fault = signatureFault(pointer, file, null);
  const problem = fault && `expected ${fault.expected}, got ${fault.got}`;
  return { keys: listSigners(pointer, file), problem };
}

/** Sizes of the answers that the folder holds, by kind, in the order of the contract, and of all. */
function answerSizes(routes: Iterable<Route>) {
  const byKind = Map.groupBy(routes, ({ path }) => parsePath(path)?.kind ?? null);
  const answers = (Object.keys(addressTable) as AddressKind[]).flatMap((kind) => {
    const ofKind = byKind.get(kind);
    return ofKind ? [{ kind, path: addressTable[kind].path, ...sumSizes(ofKind) }] : [];
  });
  return { answers, totals: sumSizes([...byKind.values()].flat()) };
}

function sumSizes(routes: readonly Route[]) {
  const smallest = ({ size, variants = [] }: Route) => Math.min(size, ...variants.map((variant) => variant.size));
  const hasVariants = routes.some(({ variants = [] }) => variants.length > 0);
  return {
    routes: routes.length,
    bytes: routes.reduce((sum, { size }) => sum + size, 0),
    /** The bytes in all if each answer is sent as its smallest stored variant; null when no answer has a variant. */
    compressed_bytes: hasVariants ? routes.reduce((sum, route) => sum + smallest(route), 0) : null,
  };
}
