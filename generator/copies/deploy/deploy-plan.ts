import { jsonMediaType, ndjsonMediaType, siteFileCacheControl } from '../../../contract/headers.ts';
import { pointerFile, signatureFile } from '../../../contract/paths.ts';
import { replaceFile } from '../../files/durable-files.ts';
import { digestBytes } from '../../site/checked-files.ts';
import type { BucketAddress } from './bucket-address.ts';
import type { BucketNames, HeldBefore, Part } from './bucket-state.ts';
import type { LocalSite } from './local-site.ts';
import { lastSteps, plainDelivery, type Upload, type UploadKind, uploadKinds } from './upload.ts';

/** Keys of a lower step are deleted first. */
export type Removal = { readonly name: string; readonly step: number };

/** The work in order: `puts`, with signature and pointer last, then `removals`. `unchanged` counts keys that stay. */
export type DeployPlan = ReturnType<typeof planDeploy>;

export type Amount = { readonly count: number; readonly bytes: number };

const removalSteps: Readonly<Record<Part, number>> = { document: 0, object: 1, shard: 2, root: 3 };

function siteFileUploads({ bytes, signature }: LocalSite): Upload[] {
  const upload = (name: string, content: Uint8Array, kind: 'signature' | 'pointer', contentType: string): Upload => {
    const delivery = plainDelivery(contentType, siteFileCacheControl[kind]);
    return { name, file: name, ...digestBytes(content), kind, step: lastSteps[kind], delivery };
  };
  const pointer = upload(pointerFile, bytes, 'pointer', jsonMediaType);
  return signature ? [upload(signatureFile, signature, 'signature', ndjsonMediaType), pointer] : [pointer];
}

/** A key stays if its size and MD5 are right. A document must also be known to have the right headers. */
export function planDeploy(site: LocalSite, before: HeldBefore, names: BucketNames) {
  const { listing } = before;
  const puts: Upload[] = [];
  let unchanged = 0;
  const isThere = ({ name, size, md5 }: Upload) => {
    const listed = listing.get(name);
    return listed?.size === size && listed.etag === md5;
  };
  for (const upload of site.uploads.values()) {
    const { name, kind } = upload;
    const isNamedByContent = kind === 'objects' || kind === 'route_tables';
    const isKnownAlike = names.alike.has(name) && !names.different.has(name);
    if (isThere(upload) && (isNamedByContent || isKnownAlike)) unchanged += 1;
    else puts.push(upload);
  }
  for (const upload of siteFileUploads(site)) {
    const isStanding = upload.kind === 'signature' ? hasLines(site, before) : isThere(upload);
    if (isStanding) unchanged += 1;
    else puts.push(upload);
  }
  puts.sort((a, b) => a.step - b.step || (a.name < b.name ? -1 : 1));
  return { puts, removals: listRemovals(site, before, names), unchanged };
}

/** The number and bytes of uploads of each kind. Every kind has an entry, even without uploads. */
export function sumByKind(puts: readonly Upload[]): Record<UploadKind, Amount> {
  const amounts = Object.fromEntries(uploadKinds.map((kind) => [kind, { count: 0, bytes: 0 }]));
  for (const { kind, size } of puts) {
    const { count = 0, bytes = 0 } = amounts[kind] ?? {};
    amounts[kind] = { count: count + 1, bytes: bytes + size };
  }
  return amounts as Record<UploadKind, Amount>;
}

function listRemovals({ uploads, signature }: LocalSite, { listing }: HeldBefore, { parts }: BucketNames): Removal[] {
  const removals: Removal[] = [];
  for (const [name, part] of parts) {
    if (listing.has(name) && !uploads.has(name)) removals.push({ name, step: removalSteps[part] });
  }
  if (signature === null && listing.has(signatureFile)) removals.push({ name: signatureFile, step: 0 });
  return removals.sort((a, b) => a.step - b.step || (a.name < b.name ? -1 : 1));
}

/** The bucket's signature may have one more line, for the previous pointer. */
function hasLines({ bytes, signature }: LocalSite, before: HeldBefore): boolean {
  if (signature === null || before.signature === null || before.bytes === null) return false;
  const held = new Set(before.signature.toString().split('\n'));
  return (
    bytes.equals(before.bytes) &&
    signature
      .toString()
      .split('\n')
      .every((line) => held.has(line))
  );
}

/**
 * Writes a plan as NDJSON, with one line for each key, in the order of the work. `key` is the whole key in the bucket,
 * `file` is relative to the site's folder. The file appears when it is whole.
 */
export function writePlan(path: string, { prefix }: BucketAddress, { puts, removals }: DeployPlan): void {
  replaceFile(path, (append) => {
    for (const { name, file, sha256, md5, size, delivery } of puts) {
      append(`${JSON.stringify({ action: 'put', key: prefix + name, file, sha256, md5, size, ...delivery })}\n`);
    }
    for (const { name } of removals) append(`${JSON.stringify({ action: 'delete', key: prefix + name })}\n`);
  });
}
