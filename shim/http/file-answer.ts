import {
  commonHeaders,
  jsonMediaType,
  ndjsonMediaType,
  objectMediaType,
  siteFileCacheControl,
} from '../../generator/contract/headers.ts';
import type { SiteFileAddress } from '../../generator/contract/paths.ts';
import type { Answer, FileAnswer, ReadRequest, Refusal } from '../answer.ts';
import type { ObjectReader } from '../host.ts';
import { bodyAnswer, strongTag } from './computed-answer.ts';
import { isNotModified, isPreconditionFailed, parseByteRange, rangeApplies, type Validators } from './conditional.ts';

/** A file in one coding. `headers` are those of a 304; `described` are the further ones of a 200. */
export type DescribedFile = {
  readonly validators: Validators;
  readonly headers: Answer['headers'];
  readonly described: Answer['headers'];
  /** The file can be sent in parts, and conditions then compare its entity tag alone. */
  readonly isRanged: boolean;
  readonly file: Pick<FileAnswer, 'object' | 'view' | 'resource'>;
};

/** The whole file, the requested part of it, a 304 if the client has it already, or a refusal, contract.md 5. */
export function fileAnswer({ method, headers: fields }: ReadRequest, described: DescribedFile): Answer | Refusal {
  const { validators, headers, isRanged, file } = described;
  if (isPreconditionFailed(fields, validators, isRanged)) return { kind: 'precondition_failed' };
  if (isNotModified(fields, validators, isRanged)) {
    return { kind: 'not_modified', status: 304, headers, resource: file.resource };
  }
  const all = { ...headers, ...described.described, 'Content-Length': String(file.object.size) };
  const whole: FileAnswer = { kind: 'file', status: 200, headers: all, range: null, ...file };
  // Range is defined for GET only, RFC 9110 14.2.
  const field = isRanged && method === 'GET' ? fields.get('range') : null;
  if (field === null || !rangeApplies(fields, validators)) return whole;
  const { size } = whole.object;
  const range = parseByteRange(field, size);
  if (range === 'unsatisfiable') return { kind: 'unsatisfiable', size };
  if (range === null) return whole;
  const part = {
    'Content-Range': `bytes ${range.start}-${range.end}/${size}`,
    'Content-Length': String(range.end - range.start + 1),
  };
  return { ...whole, status: 206, headers: { ...whole.headers, ...part }, range };
}

/**
 * Answers with one of the files that a mirror reads; null when there is none. The pointer is always the site's own,
 * even when the current publication is damaged and an older one is served, because a mirror judges for itself.
 */
export async function siteFileAnswer(
  reader: ObjectReader,
  readPointer: ObjectReader['readPointer'],
  request: ReadRequest,
  file: SiteFileAddress,
): Promise<Answer | Refusal | null> {
  if (file.kind === 'object') return objectAnswer(reader, request, file.sha256);
  const body = await (file.kind === 'pointer' ? readPointer() : reader.readSignature());
  if (body === null) return null;
  const etag = await strongTag(body);
  const headers = { ...commonHeaders, ETag: etag, 'Cache-Control': siteFileCacheControl[file.kind] };
  const mediaType = file.kind === 'pointer' ? jsonMediaType : ndjsonMediaType;
  return bodyAnswer(request, { etag, last_modified: null }, { headers, mediaType, body, resource: file.kind });
}

/** The name of an object is the hash of its bytes, and so serves as its entity tag. */
async function objectAnswer(
  reader: ObjectReader,
  request: ReadRequest,
  sha256: string,
): Promise<Answer | Refusal | null> {
  const size = await reader.sizeOf(sha256);
  if (size === null) return null;
  const etag = `"${sha256}"`;
  const headers = { ...commonHeaders, ETag: etag, 'Cache-Control': siteFileCacheControl.object };
  const described = { 'Content-Type': objectMediaType, 'Accept-Ranges': 'bytes' };
  const file = { object: { sha256, size, etag: null }, view: null, resource: 'object' } as const;
  return fileAnswer(request, { validators: { etag, last_modified: null }, headers, described, isRanged: true, file });
}
