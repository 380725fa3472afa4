import { hash } from 'node:crypto';
import { type MirrorHolding, type MirrorRecord, mirrorFile, mirrorRecord } from '../contract/formats/site-records.ts';
import { parseJson } from '../contract/json.ts';
import { Failure } from '../failure.ts';
import type { Storage } from './storage.ts';

/** Parses the record of a mirror. Throws a Failure when the bytes are something else. */
export function parseMirrorRecord(bytes: Uint8Array): MirrorRecord {
  const result = mirrorRecord.safeParse(parseJson(Buffer.from(bytes).toString()));
  if (!result.success) throw new Failure(`${mirrorFile}: expected what a mirror says of itself, got something else`);
  return result.data;
}

export function mirrorRecordBytes(record: MirrorRecord): Buffer {
  return Buffer.from(`${JSON.stringify(record, null, 2)}\n`);
}

/** The holding of a mirror for the publication that these pointer bytes name; null when the record has none. */
export function holdingOf(record: MirrorRecord, pointer: Uint8Array): MirrorHolding | null {
  const sha256 = hash('sha256', pointer);
  return record.holdings.find(({ pointer_sha256 }) => pointer_sha256 === sha256) ?? null;
}

/** Throws a Failure when the site is a mirror of a part, which lacks some of the objects that its pointer names. */
export function refusePart(directory: string, storage: Storage, pointer: Uint8Array): void {
  const record = storage.read(mirrorFile);
  const only = record && holdingOf(parseMirrorRecord(record), pointer)?.only;
  if (only) throw new Failure(`${directory}: expected a whole site, got a mirror of a part, only ${only.join(' ')}`);
}
