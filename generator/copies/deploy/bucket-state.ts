import { hash } from 'node:crypto';
import { objectPath, pointerFile, signatureFile } from '../../../contract/paths.ts';
import {
  deployingFile,
  deployingRecord,
  type ObjectReference,
  type Pointer,
  type Route,
} from '../../../contract/schemas/site-files.ts';
import { Failure } from '../../files/failure.ts';
import { jsonObject } from '../../http/json-object.ts';
import { soundPointer } from '../../site/checked-pointer.ts';
import { TableReader } from '../../site/table-reader.ts';
import type { S3Bucket } from './bucket.ts';
import type { LocalSite } from './local-site.ts';
import { documentName, isDeliveredAlike } from './upload.ts';

/** `record`: left by a deploy that was killed, or is at work. */
export type HeldBefore = Awaited<ReturnType<typeof readHeldBefore>>;

/**
 * Reads the pointer before the listing. If another deploy ends between the two, `deploySite` later finds that the
 * pointer has changed. Throws a Failure if the pointer or the record is invalid; with `force` it counts as missing.
 */
export async function readHeldBefore(bucket: S3Bucket, ownSignature: Buffer | null, force: boolean) {
  const bytes = await bucket.read(pointerFile);
  const listing = await bucket.list();
  const pointer = bytes && parsed(() => soundPointer(bytes, `${bucket.url('')}/`), force);
  const recordBytes = listing.has(deployingFile) ? await bucket.read(deployingFile) : null;
  const record =
    recordBytes && parsed(() => jsonObject(recordBytes, deployingRecord, bucket.url(deployingFile)), force);
  const listed = listing.get(signatureFile);
  const isSame = ownSignature !== null && listed?.etag === hash('md5', ownSignature);
  const signature = isSame ? ownSignature : listed ? await bucket.read(signatureFile) : null;
  return { pointer, bytes, signature, record, listing };
}

function parsed<Value>(parse: () => Value, force: boolean): Value | null {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (force) return null;
    throw new Failure(error.code, `${error.message}; pass --force to replace it`);
  }
}

/** The parts of a site, in the order of deletion. A route table stays until everything that it names is gone. */
export type Part = 'document' | 'object' | 'shard' | 'root';

/**
 * The keys that the pointers of a bucket lead to. `parts`: keys that deploys of this site put there. `alike`: documents
 * that are known to have the right headers. `different`: documents that are known to have other headers.
 */
export type BucketNames = Awaited<ReturnType<typeof readBucketNames>>;

/**
 * Reads the route tables that pointers name, and compares each part with its hash. Parts come from the site's folder if
 * it has them, and otherwise from the bucket. A missing part names nothing in the bucket, because tables are put before
 * everything that they name and deleted after it. `isThere`: whether a key belongs in `parts`. Throws a Failure if a
 * part is damaged; with `force` the part is skipped, and the keys that it names stay.
 */
export async function readBucketNames(
  pointers: readonly Pointer[],
  { bucket, site, force }: { readonly bucket: S3Bucket; readonly site: LocalSite; readonly force: boolean },
  isThere: (name: string) => boolean,
) {
  const names = { parts: new Map<string, Part>(), alike: new Set<string>(), different: new Set<string>() };
  const { parts } = names;
  const note = (name: string, part: Part) => {
    if (isThere(name) && !parts.has(name)) parts.set(name, part);
  };
  const source = { readObject: (reference: ObjectReference) => readPart(reference, bucket, site, force) };
  const seen = new Set<string>();
  for (const [root, isCurrent] of distinctRoots(pointers)) {
    const table = await TableReader.find(source, root, bucket.url(''));
    note(objectPath(root.sha256), 'root');
    if (table === null) continue;
    const numbers = [...table.root.shards.keys()].filter((number) => !seen.has(table.shard(number).sha256));
    for (const number of numbers) note(objectPath(table.shard(number).sha256), 'shard');
    for (const [number, routes] of await table.shards(numbers)) {
      for (const route of routes) {
        note(objectPath(route.sha256), 'object');
        for (const variant of route.variants ?? []) note(objectPath(variant.sha256), 'object');
        if (isCurrent) noteDocument(names, route, site.routes.get(route.path), note);
      }
      // Roots of current publications come first, so that kept publications need not read their shards again.
      if (isCurrent) seen.add(table.shard(number).sha256);
    }
  }
  return names;
}

function noteDocument(
  { alike, different }: BucketNames,
  route: Route,
  wanted: Route | undefined,
  note: (name: string, part: Part) => void,
): void {
  const name = documentName(route.path);
  note(name, 'document');
  if (wanted?.sha256 === route.sha256) (isDeliveredAlike(wanted, route) ? alike : different).add(name);
}

/**
 * The roots of all route tables, each once. Roots that are current in one of the pointers come first, because they have
 * documents too.
 */
function distinctRoots(pointers: readonly Pointer[]): Iterable<readonly [root: ObjectReference, isCurrent: boolean]> {
  const roots = new Map<string, readonly [ObjectReference, boolean]>();
  for (const { routes } of pointers) roots.set(routes.sha256, [routes, true]);
  for (const { routes } of pointers.flatMap(({ publications }) => publications))
    if (routes && !roots.has(routes.sha256)) roots.set(routes.sha256, [routes, false]);
  return roots.values();
}

async function readPart(
  { sha256 }: ObjectReference,
  bucket: S3Bucket,
  { uploads, storage }: LocalSite,
  force: boolean,
): Promise<Uint8Array | null> {
  const name = objectPath(sha256);
  if (uploads.get(name)?.kind === 'route_tables') return storage.read(name);
  try {
    return await bucket.read(name, sha256);
  } catch (error) {
    if (force && error instanceof Failure) return null;
    throw error instanceof Failure
      ? new Failure(error.code, `${error.message}; pass --force to leave the files that it names`)
      : error;
  }
}
