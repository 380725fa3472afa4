import { addressTable, isDownload } from '../../generator/contract/addresses.ts';
import { contentDisposition } from '../../generator/contract/downloads.ts';
import type { Route } from '../../generator/contract/formats/site.ts';
import {
  cacheControl,
  commonHeaders,
  httpDate,
  jsonMediaType,
  ndjsonMediaType,
  objectMediaType,
  siteFileCacheControl,
} from '../../generator/contract/headers.ts';
import { parsePath, type SiteFileAddress } from '../../generator/contract/paths.ts';
import type { Answer, FileAnswer, ObjectReader, ReadRequest, Refusal } from '../host.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { bodyAnswer, strongTag } from './computed-answer.ts';
import {
  chooseCoding,
  isNotModified,
  isPreconditionFailed,
  parseByteRange,
  rangeApplies,
  type Validators,
} from './request-fields.ts';

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

/**
 * The file of a route in the coding that the client prefers: whole, the requested part of it, a 304 if the client has it
 * already, or a refusal, contract.md 5.
 */
export function routeAnswer(view: PublicationView, route: Route, request: ReadRequest): Answer | Refusal {
  const address = parsePath(route.path);
  const variants = route.variants ?? [];
  const codings = variants.map(({ encoding }) => encoding);
  const chosen = chooseCoding(request.headers.get('accept-encoding'), codings);
  const { sha256, size, etag, encoding } = variants[chosen ?? -1] ?? route;
  const disposition = contentDisposition(route);
  const link = address && addressTable[address.kind].link;
  const isRanged = address !== null && isDownload(address.kind);
  return fileAnswer(request, {
    validators: { etag, last_modified: route.last_modified },
    headers: {
      ...commonHeaders,
      'Last-Modified': httpDate(route.last_modified),
      'Cache-Control': cacheControl(route),
      // An export belongs to the revision in its path, even if another one is current.
      'X-Publication-Revision': address?.parameters.revision ?? view.revision,
      ...(variants.length > 0 ? { Vary: 'Accept-Encoding' } : {}),
      ETag: etag,
    },
    described: {
      'Content-Type': route.media_type,
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
      ...(link ? { Link: link } : {}),
      ...(disposition ? { 'Content-Disposition': disposition } : {}),
      ...(isRanged ? { 'Accept-Ranges': 'bytes' } : {}),
    },
    isRanged,
    file: { object: { sha256, size, etag }, view, resource: address?.kind ?? 'none' },
  });
}
