import { type AddressKind, addressTable } from '../contract/addresses.ts';
import { documentOf, type WarningCode } from '../contract/documents/envelope.ts';
import { type Metadata, metadata } from '../contract/documents/metadata.ts';
import { exportResource } from '../contract/formats/export.ts';
import {
  type DocumentedPublication,
  documentedPublications,
  type Pointer,
  type Route,
} from '../contract/formats/site.ts';
import { mirrorFile, unfinishedFile } from '../contract/formats/site-records.ts';
import {
  checkoutFolder,
  objectPath,
  parsePath,
  pathOf,
  pointerFile,
  signatureFile,
  siteLink,
} from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { jsonObject } from '../remote/json-object.ts';
import { soundPointer } from '../site/checked-pointer.ts';
import { holdingOf, parseMirrorRecord, selectRoutes } from '../site/mirror-holding.ts';
import { misfitOf, signersOf } from '../site/pointer-trust.ts';
import { objectsOfTable, readTable } from '../site/route-table.ts';
import { Storage } from '../site/storage.ts';

/** `documents`: whether the folder has its documents. `exports`: whether it has its export files. */
export type SitePublication = Pick<Pointer, 'sequence' | 'revision' | 'published_at'> & {
  readonly current: boolean;
  readonly documents: boolean;
  readonly exports: boolean;
};

/** `only`: the patterns of a partial mirror, otherwise null. `unfinished`: a run did not come to its end. */
export type MirrorReport = {
  readonly source: string;
  readonly only: readonly string[] | null;
  readonly routes: number;
  readonly route_count: number;
  readonly unfinished: boolean;
};

/** `link`: where the link `site` leads, which plain servers follow; null without one. `is_current`: whether that is right. */
type CheckoutReport = { readonly link: string | null; readonly is_current: boolean };

/** `keys`: fingerprints of the keys that signed the pointer. `problem`: why the signature file does not fit. */
type SignatureReport = { readonly keys: readonly string[]; readonly problem: string | null };

/** What the folder of a site holds. */
export type SiteReport = {
  readonly folder: string;
  /** Null for a site that a build made. */
  readonly mirror: MirrorReport | null;
  /** Newest first. */
  readonly publications: readonly SitePublication[];
  /** From the metadata of the current publication; null in a partial mirror without them. */
  readonly current:
    | (Pick<Metadata, 'about' | 'counts' | 'retention'> & { readonly warnings: readonly WarningCode[] })
    | null;
  /** Answers of the current publication that the folder holds, by kind. */
  readonly answers: readonly KindReport[];
  readonly totals: AnswerSizes;
  /** Stored answers of all publications, each counted once, and the objects of the route tables. */
  readonly objects: { readonly count: number; readonly bytes: number; readonly of_tables: number };
  readonly checkout: CheckoutReport;
  readonly signature: SignatureReport;
};

/**
 * Reads what a site's folder holds, from its pointer and route tables. Changes nothing and does not check the answers;
 * `verify` does. Throws a Failure when there is no site, or its pointer or a route table cannot be used.
 */
export function inspectSite(folder: string): SiteReport {
  const storage = new Storage(folder);
  const bytes = storage.read(pointerFile);
  if (bytes === null) {
    throw new Failure(`${folder}: expected the folder of a site, with ${pointerFile}, got a folder without it`);
  }
  const pointer = soundPointer(bytes, `${folder}/`);
  const mirror = mirrorReport(storage, bytes);
  const only = mirror?.only ?? null;
  const documented = documentedPublications(pointer).slice(0, only === null ? undefined : 1);
  const all = [...readTable(storage, pointer.routes).routes.values()];
  const routes = only === null ? all : selectRoutes(all, only);
  const paths = new Map(routes.map((route) => [route.path, route]));
  return {
    folder,
    mirror,
    publications: pointer.publications.map((publication) => ({
      sequence: publication.sequence,
      revision: publication.revision,
      published_at: publication.published_at,
      current: publication.revision === pointer.revision,
      documents: documented.some(({ revision }) => revision === publication.revision),
      exports: hasExports(paths, publication.revision),
    })),
    current: currentOf(storage, paths.get(pathOf('metadata'))),
    ...answerSizes(routes),
    objects: objectsOf(storage, routes, documented),
    checkout: checkoutReport(storage, pointer),
    signature: signatureReport(storage, bytes),
  };
}

function mirrorReport(storage: Storage, pointer: Uint8Array): MirrorReport | null {
  const bytes = storage.read(mirrorFile);
  if (bytes === null) return null;
  const record = parseMirrorRecord(bytes);
  const holding = holdingOf(record, pointer);
  return {
    source: record.source,
    only: holding?.only ?? null,
    routes: holding?.routes ?? 0,
    route_count: holding?.route_count ?? 0,
    unfinished: holding === null || storage.read(unfinishedFile) !== null,
  };
}

function hasExports(paths: ReadonlyMap<string, Route>, revision: string): boolean {
  return exportResource.options.every((resource) => paths.has(pathOf('export', { revision, resource })));
}

function currentOf(storage: Storage, route: Route | undefined): SiteReport['current'] {
  const bytes = route && storage.read(objectPath(route.sha256));
  if (!route || !bytes) return null;
  const { data, meta } = jsonObject(bytes, documentOf(metadata), objectPath(route.sha256));
  const { about, counts, retention } = data;
  return { about, counts, retention, warnings: meta.warnings.map(({ code }) => code) };
}

/** `routes`: those of the current publication, the first of the documented ones. */
function objectsOf(
  storage: Storage,
  routes: readonly Route[],
  documented: readonly DocumentedPublication[],
): SiteReport['objects'] {
  const sizes = new Map<string, number>();
  const add = ({ sha256, size, variants = [] }: Route) => {
    sizes.set(sha256, size);
    for (const variant of variants) sizes.set(variant.sha256, variant.size);
  };
  const tables = new Set<string>();
  for (const [index, publication] of documented.entries()) {
    for (const sha256 of objectsOfTable(storage, publication.routes)) tables.add(sha256);
    for (const route of index === 0 ? routes : readTable(storage, publication.routes).routes.values()) add(route);
  }
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { count: sizes.size, bytes, of_tables: tables.size };
}

function checkoutReport(storage: Storage, { revision }: Pointer): CheckoutReport {
  const link = storage.pointsTo(siteLink);
  return { link, is_current: link === checkoutFolder(revision) };
}

function signatureReport(storage: Storage, pointer: Uint8Array): SignatureReport {
  const file = storage.read(signatureFile);
  const misfit = misfitOf(pointer, file, null);
  const problem = misfit && `expected ${misfit.expected}, got ${misfit.got}`;
  return { keys: signersOf(pointer, file), problem };
}

/** Answers of a kind, or all of them. Sizes are of all of them together. */
type AnswerSizes = {
  readonly routes: number;
  readonly bytes: number;
  /** The size with the smallest stored variant of each answer; null when no answer has one. */
  readonly compressed_bytes: number | null;
};

/** A kind of answer. `path`: its address in the contract, with the parameters in braces. */
type KindReport = AnswerSizes & { readonly kind: AddressKind; readonly path: string };

/** Sizes of answers by kind, in the order of the contract, and of all. Kinds without an answer are left out. */
function answerSizes(routes: Iterable<Route>): {
  readonly answers: readonly KindReport[];
  readonly totals: AnswerSizes;
} {
  const byKind = new Map<AddressKind, Route[]>();
  for (const route of routes) {
    const kind = parsePath(route.path)?.kind;
    if (kind === undefined) continue;
    const ofKind = byKind.get(kind);
    if (ofKind) ofKind.push(route);
    else byKind.set(kind, [route]);
  }
  const answers = (Object.keys(addressTable) as AddressKind[]).flatMap((kind) => {
    const ofKind = byKind.get(kind);
    return ofKind ? [{ kind, path: addressTable[kind].path, ...sizesOf(ofKind) }] : [];
  });
  return { answers, totals: sizesOf([...byKind.values()].flat()) };
}

function sizesOf(routes: readonly Route[]): AnswerSizes {
  const smallest = ({ size, variants = [] }: Route) => Math.min(size, ...variants.map((variant) => variant.size));
  const hasVariants = routes.some(({ variants = [] }) => variants.length > 0);
  return {
    routes: routes.length,
    bytes: routes.reduce((sum, { size }) => sum + size, 0),
    compressed_bytes: hasVariants ? routes.reduce((sum, route) => sum + smallest(route), 0) : null,
  };
}
