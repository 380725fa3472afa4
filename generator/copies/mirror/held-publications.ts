import { isDeepStrictEqual } from 'node:util';
import { checkoutFolder, pointerFile, signatureFile, siteLink } from '../../../contract/paths.ts';
import {
  documentedPublications,
  mirrorFile,
  type ObjectReference,
  type Pointer,
} from '../../../contract/schemas/site-files.ts';
import { Failure } from '../../files/failure.ts';
import { readPointer } from '../../site/built-site.ts';
import { objectLedger, SiteFiles } from '../../site/checked-files.ts';
import { type CheckedTable, checkTable, type TabledPublication } from '../../site/checked-table.ts';
import { routeFiles } from '../../site/checkout.ts';
import { FaultList } from '../../site/fault.ts';
import { sweep } from '../../site/foreign-folder.ts';
import { findHolding, parseMirrorRecord, selectRoutes } from '../../site/mirror-holding.ts';
import { isBesideShown, takePlace } from '../../site/publication-checkout.ts';
import { objectSizes, readTable } from '../../site/route-table.ts';
import type { Storage } from '../../site/storage.ts';
import type { SigningKey } from '../../trust/keys.ts';
import { signatureFault, signedIn } from '../../trust/signature-file.ts';

export type PreviousMirror = NonNullable<ReturnType<typeof readPreviousMirror>>;

/**
 * The state that the last whole run left; null if nothing has been mirrored yet. `holding`: null if the record has
 * no entry for the pointer, as after a killed run. `seen`: the checkpoint of its pointer; null if the pointer is not
 * signed. Throws a Failure if the folder has a site that is not a mirror.
 */
export function readPreviousMirror(storage: Storage) {
  const bytes = storage.read(pointerFile);
  if (bytes === null) return null;
  const recordBytes = storage.read(mirrorFile);
  const record = recordBytes && parseMirrorRecord(recordBytes);
  const pointer = readPointer(storage);
  if (record === null || pointer === null) {
    throw new Failure(
      'folder_of_something_else',
      `expected a mirror or an empty folder, got a site without ${mirrorFile}: it was built or copied there`,
    );
  }
  const seen = signedIn(bytes, storage.read(signatureFile))?.checkpoint ?? null;
  return { pointer, bytes, source: record.source, holding: findHolding(record, bytes), seen };
}

/** The pointer, if everything requested is there and signed as required, so that no host need send it. Else null. */
export function knownPointer(
  storage: Storage,
  { bytes, holding, source }: PreviousMirror,
  wanted: { readonly source: string; readonly only: readonly string[] | null; readonly key: SigningKey | null },
): { readonly etag: string | null; readonly bytes: Buffer } | null {
  if (holding === null || source !== wanted.source || !isDeepStrictEqual(holding.only, wanted.only)) return null;
  if (signatureFault(bytes, storage.read(signatureFile), wanted.key) !== null) return null;
  return { etag: holding.etag, bytes };
}

/**
 * Deletes what killed runs left next to the existing publications: objects, checkouts, and files without an address.
 * Keeps `wanted` objects, and objects in a remaining checkout, because readers may need them. Returns the number of
 * deleted objects.
 */
export function sweepLeftovers(
  storage: Storage,
  pointer: Pointer,
  only: readonly string[] | null,
  wanted: Iterable<string> = [],
): number {
  for (const name of [pointerFile, signatureFile, mirrorFile, siteLink]) storage.remove(`${name}.tmp`);
  const named = new Set(wanted);
  const revisions = new Set<string>();
  for (const { revision, routes: root } of publicationsToHold(pointer, only)) {
    revisions.add(revision);
    const { routes: all, objects } = readTable(storage, root);
    for (const sha256 of objects) named.add(sha256);
    const routes = [...all.values()];
    const held = new Set(only === null ? routes : selectRoutes(routes, only));
    if (isBesideShown(storage, revision)) takePlace(storage, revision, held);
    const folder = checkoutFolder(revision);
    const strays = new Set(storage.list(folder));
    for (const route of routes) {
      for (const { name, sha256 } of routeFiles(route)) {
        if (strays.delete(`${folder}/${name}`) || held.has(route)) named.add(sha256);
      }
    }
    for (const stray of strays) storage.remove(stray);
  }
  return sweep(storage, revisions, named);
}

/** A publication with its checked route table. `held`: the routes that the mirror holds, of `routeCount` in all. */
type HeldPublication = ReturnType<typeof heldPublications>[number];

/**
 * The current publication first. A mirror holds all kept publications, because readers under way may still need the
 * earlier ones. A partial mirror holds only the current one.
 */
export function publicationsToHold(pointer: Pointer, only: readonly string[] | null): TabledPublication[] {
  return only === null ? documentedPublications(pointer) : [pointer];
}

/**
 * Reads the route tables in a folder and checks them against the contract, because file names are made from their
 * addresses. Throws a Failure that names the first fault, or if a pattern matches nothing.
 */
export function heldPublications(directory: string, pointer: Pointer, only: readonly string[] | null) {
  const faults = new FaultList();
  const ledger = objectLedger(new SiteFiles(directory), faults);
  let newer: CheckedTable | null = null;
  return publicationsToHold(pointer, only).map((publication) => {
    const table = checkTable({ ledger, faults }, publication, newer);
    newer = table;
    const routes = [...(table?.routes.values() ?? [])];
    faults.refuseFirst();
    const held = only === null ? routes : selectRoutes(routes, only);
    if (held.length === 0)
      throw new Failure('wrong_value', `--only ${only?.join(' ')}: expected a route of the site, got none`);
    return { revision: publication.revision, root: publication.routes, held, routeCount: routes.length };
  });
}

export function answerObjects(publications: readonly HeldPublication[]): ObjectReference[] {
  return [...objectSizes(publications.flatMap(({ held }) => held))].map(([sha256, size]) => ({ sha256, size }));
}
