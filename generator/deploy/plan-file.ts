import { replaceFile } from '../replace-file.ts';
import type { BucketAddress } from './bucket.ts';
import type { DeployPlan, Removal } from './deploy-plan.ts';
import type { Upload } from './upload.ts';

/**
 * Writes a plan as NDJSON, a line a key, in the order of the work. `key` is the whole key in the bucket, `file` is
 * relative to the site's folder. The file appears when it is whole.
 */
export function writePlan(file: string, { prefix }: BucketAddress, { puts, removals }: DeployPlan): void {
  replaceFile(file, (append) => {
    for (const put of puts) append(`${JSON.stringify(putLine(prefix, put))}\n`);
    for (const removal of removals) append(`${JSON.stringify(removalLine(prefix, removal))}\n`);
  });
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
