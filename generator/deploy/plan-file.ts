import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { explainFile } from '../failure.ts';
import type { BucketAddress } from './bucket-address.ts';
import type { DeployPlan, Removal } from './deploy-plan.ts';
import type { Upload } from './upload.ts';

/**
 * Writes a plan as NDJSON, a line a key, in the order in which it is to be carried out. `key` is the whole key in the bucket,
 * `file` is relative to the site's folder. The file is there when it is whole.
 */
export function writePlan(file: string, { prefix }: BucketAddress, { puts, removals }: DeployPlan): void {
  const temporary = `${file}.tmp`;
  const expected = 'a file that can be written';
  const descriptor = explainFile(temporary, expected, () => openSync(temporary, 'w'));
  try {
    try {
      explainFile(temporary, expected, () => {
        for (const put of puts) writeLine(descriptor, putLine(prefix, put));
        for (const removal of removals) writeLine(descriptor, removalLine(prefix, removal));
      });
    } finally {
      closeSync(descriptor);
    }
    explainFile(file, expected, () => renameSync(temporary, file));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function putLine(prefix: string, { name, file, sha256, md5, size, delivery }: Upload) {
  return {
    action: 'put',
    key: prefix + name,
    file,
    sha256,
    md5,
    size,
    content_type: delivery.contentType,
    cache_control: delivery.cacheControl,
    content_encoding: delivery.contentEncoding,
    metadata: delivery.metadata,
  };
}

function removalLine(prefix: string, { name }: Removal) {
  return { action: 'delete', key: prefix + name };
}

function writeLine(descriptor: number, value: unknown): void {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
}
