import { hash } from 'node:crypto';
import { type DeployingRecord, deployingFile, deployingRecord } from '../contract/deploying.ts';
import { pointerFile, signatureFile } from '../contract/paths.ts';
import type { Pointer } from '../contract/site.ts';
import { Failure } from '../failure.ts';
import { jsonObject } from '../remote/json-object.ts';
import { FaultList, formatFault } from '../store/verification/fault.ts';
import { checkPointerBytes } from '../store/verification/pointer-check.ts';
import type { Bucket, Listed } from './bucket.ts';

/** What a deploy finds in a bucket. `record`: what a deploy left that was killed, or that is at work. */
export type HeldBefore = {
  readonly pointer: Pointer | null;
  readonly bytes: Uint8Array | null;
  readonly signature: Uint8Array | null;
  readonly record: DeployingRecord | null;
  readonly listing: ReadonlyMap<string, Listed>;
};

/**
 * Reads what a bucket holds: the pointer before the listing, so that a deploy that ends between the two is noticed by its
 * pointer. Throws a Failure when its pointer or record is something else; with `force` such are as good as none.
 */
export async function readHeldBefore(bucket: Bucket, own: Uint8Array | null, force: boolean): Promise<HeldBefore> {
  const bytes = await bucket.read(pointerFile);
  const listing = await bucket.list();
  const pointer = bytes && parsed(() => parsePointer(bucket, bytes), force);
  const recordBytes = listing.has(deployingFile) ? await bucket.read(deployingFile) : null;
  const record = recordBytes && parsed(() => parseRecord(bucket, recordBytes), force);
  const listed = listing.get(signatureFile);
  const isOwn = own !== null && listed?.etag === hash('md5', own);
  const signature = isOwn ? own : listed ? await bucket.read(signatureFile) : null;
  return { pointer, bytes, signature, record, listing };
}

function parsePointer(bucket: Bucket, bytes: Uint8Array): Pointer {
  const faults = new FaultList();
  const pointer = checkPointerBytes(Buffer.from(bytes), faults);
  const [fault] = faults.first();
  if (fault || pointer === null) {
    const reason = fault ? formatFault(fault) : `${pointerFile}: expected the pointer of a site`;
    throw new Failure(`${bucket.url('')}/${reason}; --force replaces it`);
  }
  return pointer;
}

function parseRecord(bucket: Bucket, bytes: Uint8Array): DeployingRecord {
  try {
    return jsonObject(bytes, deployingRecord, bucket.url(deployingFile));
  } catch (error) {
    throw error instanceof Failure ? new Failure(`${error.message}; --force replaces it`) : error;
  }
}

function parsed<Value>(parse: () => Value, force: boolean): Value | null {
  try {
    return parse();
  } catch (error) {
    if (force && error instanceof Failure) return null;
    throw error;
  }
}
