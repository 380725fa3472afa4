import {
  commonHeaders,
  jsonMediaType,
  ndjsonMediaType,
  objectMediaType,
  siteFileCacheControl,
} from '../../generator/contract/headers.ts';
import type { SiteFileAddress } from '../../generator/contract/paths.ts';
import type { Answer, FileAnswer, ReadRequest } from '../answer.ts';
import type { ObjectReader } from '../host.ts';
import { strongTag } from './computed-answer.ts';
import {
  type ByteRange,
  isNotModified,
  isPreconditionFailed,
  parseByteRange,
  rangeApplies,
  type Validators,
} from './conditional.ts';

/** One coding of a file, with its answers prepared. */
export type Coded = {
  readonly validators: Validators;
  readonly unchanged: Answer;
  readonly whole: FileAnswer;
};

/** A condition that does not hold, or a range that lies beyond the end of the file. */
export type Refusal =
  | { readonly kind: 'precondition_failed' }
  | { readonly kind: 'unsatisfiable'; readonly size: number };

/**
 * The whole file, the requested part of it, a 304 if the client has it already, or a refusal, contract.md 5.
 * `isRanged`: the file can be sent in parts, and conditions then compare its entity tag alone.
 */
export function fileAnswer(
  request: ReadRequest,
  { validators, unchanged, whole }: Coded,
  isRanged: boolean,
): Answer | Refusal {
  if (isPreconditionFailed(request.headers, validators, isRanged)) return { kind: 'precondition_failed' };
  if (isNotModified(request.headers, validators, isRanged)) return unchanged;
  const { size } = whole.object;
  const range = isRanged ? requestedRange(request, validators, size) : null;
  if (range === 'unsatisfiable') return { kind: 'unsatisfiable', size };
  if (range === null) return whole;
  const part = {
    'Content-Range': `bytes ${range.start}-${range.end}/${size}`,
    'Content-Length': String(range.end - range.start + 1),
  };
  return { ...whole, status: 206, headers: { ...whole.headers, ...part }, range };
}

/** Range is defined for GET only, RFC 9110 14.2. */
function requestedRange(
  { method, headers }: ReadRequest,
  validators: Validators,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const field = method === 'GET' ? headers.get('range') : null;
  return field !== null && rangeApplies(headers, validators) ? parseByteRange(field, size) : null;
}

/**
 * Answers with one of the files that a mirror reads; null when there is none. The pointer is always the site's own,
 * even when the current publication is damaged and an older one is served, because a mirror judges for itself.
 */
export async function siteFileAnswer(
  reader: ObjectReader,
  request: ReadRequest,
  file: SiteFileAddress,
): Promise<Answer | Refusal | null> {
  if (file.kind === 'object') return objectAnswer(reader, request, file.sha256);
  const bytes = await (file.kind === 'pointer' ? reader.readPointer() : reader.readSignature());
  return bytes && smallFileAnswer(request, file.kind, bytes);
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
  const validators = { ...commonHeaders, ETag: etag, 'Cache-Control': siteFileCacheControl.object };
  const headers = {
    ...validators,
    'Content-Type': objectMediaType,
    'Accept-Ranges': 'bytes',
    'Content-Length': String(size),
  };
  const resource = 'object';
  const coded = {
    validators: { etag, last_modified: null },
    unchanged: { kind: 'not_modified', status: 304, headers: validators, resource },
    whole: {
      kind: 'file',
      status: 200,
      headers,
      resource,
      object: { sha256, size, etag: null },
      range: null,
      view: null,
    },
  } as const;
  return fileAnswer(request, coded, true);
}

async function smallFileAnswer(
  request: ReadRequest,
  kind: 'pointer' | 'signature',
  body: Uint8Array,
): Promise<Answer | Refusal> {
  const validators = { etag: await strongTag(body), last_modified: null };
  const headers = { ...commonHeaders, ETag: validators.etag, 'Cache-Control': siteFileCacheControl[kind] };
  if (isPreconditionFailed(request.headers, validators)) return { kind: 'precondition_failed' };
  if (isNotModified(request.headers, validators)) {
    return { kind: 'not_modified', status: 304, headers, resource: kind };
  }
  const whole = {
    ...headers,
    'Content-Type': kind === 'pointer' ? jsonMediaType : ndjsonMediaType,
    'Content-Length': String(body.length),
  };
  return { kind: 'json', status: 200, headers: whole, body, resource: kind };
}
