import { addressTable } from '../../contract/addresses.ts';
import { lastModified } from '../../contract/headers.ts';
import { parsePath, type SiteFileAddress } from '../../contract/paths.ts';
import { routeHeaders, siteFileHeaders } from '../../contract/route-headers.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import type { Answer, FileAnswer, ReadRequest, ServedSource } from '../host.ts';
import { ProblemError } from '../problems.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { bodyAnswer, knownAnswer, strongTag } from './computed-answer.ts';
import { chooseCoding, parseByteRange, rangeApplies, type Validators, withoutKnownDate } from './request-fields.ts';

/** A file in one coding. `headers`: those of a 304. `described`: the additional ones of a 200. */
type DescribedFile = {
  readonly validators: Validators;
  readonly headers: Answer['headers'];
  readonly described: Answer['headers'];
  /** The file can be sent in parts, and conditions compare only its entity tag. */
  readonly isRanged: boolean;
  readonly file: Pick<FileAnswer, 'object' | 'view' | 'resource'>;
};

/**
 * The whole file, the requested part of it, or a 304 if the client has it already, contract.md 5. Throws a
 * `PRECONDITION_FAILED` or a `RANGE_NOT_SATISFIABLE`.
 */
function fileAnswer(request: ReadRequest, described: DescribedFile): Answer {
  const { validators, headers, isRanged, file } = described;
  const known = knownAnswer(request, validators, { headers, resource: file.resource }, isRanged);
  if (known !== null) return known;
  const { size } = file.object;
  const dated = withoutKnownDate(request.headers, headers);
  const all = { ...dated, ...described.described, 'Content-Length': String(size) };
  const whole: FileAnswer = { kind: 'file', status: 200, headers: all, range: null, ...file };
  // Range is defined for GET only, RFC 9110 14.2.
  const field = isRanged && request.method === 'GET' ? request.headers.get('range') : null;
  if (field === null || !rangeApplies(request.headers, validators.etag)) return whole;
  const range = parseByteRange(field, size);
  if (range === null) return whole;
  if (range === 'unsatisfiable') {
    throw new ProblemError('RANGE_NOT_SATISFIABLE', [], { headers: { 'Content-Range': `bytes */${size}` } });
  }
  const part = {
    'Content-Range': `bytes ${range.start}-${range.end}/${size}`,
    'Content-Length': String(range.end - range.start + 1),
  };
  return { ...whole, status: 206, headers: { ...all, ...part }, range };
}

/**
 * Answers with one of the files that a mirror reads; null if there is none. The pointer is always the site's own, even
 * if the current publication is damaged and an older one is served, because a mirror judges for itself.
 */
export async function siteFileAnswer(
  source: ServedSource,
  readPointer: ServedSource['readPointer'],
  request: ReadRequest,
  file: SiteFileAddress,
): Promise<Answer | null> {
  if (file.kind === 'object') return objectAnswer(source, request, file.sha256);
  const body = await (file.kind === 'pointer' ? readPointer() : source.readSignature());
  if (body === null) return null;
  const etag = await strongTag(body);
  const { known, described } = siteFileHeaders(file.kind);
  const head = { headers: { ...known, ETag: etag }, resource: file.kind };
  return knownAnswer(request, { etag, last_modified: null }, head) ?? bodyAnswer(head, described['Content-Type'], body);
}

/** The name of an object is the hash of its bytes, so it is also its entity tag. */
async function objectAnswer(source: ServedSource, request: ReadRequest, sha256: string): Promise<Answer | null> {
  const size = await source.objectSize(sha256);
  if (size === null) return null;
  const etag = `"${sha256}"`;
  const { known, described } = siteFileHeaders('object');
  const file = { object: { sha256, size, etag: null }, view: null, resource: 'object' } as const;
  return fileAnswer(request, {
    validators: { etag, last_modified: null },
    headers: { ...known, ETag: etag },
    described: { ...described, 'Accept-Ranges': 'bytes' },
    isRanged: true,
    file,
  });
}

/** The file of a route in the coding that the client prefers, contract.md 5. */
export function routeAnswer(view: PublicationView, route: Route, request: ReadRequest): Answer {
  const kind = parsePath(route.path)?.kind;
  const variants = route.variants ?? [];
  const codings = variants.map(({ encoding }) => encoding);
  const chosen = chooseCoding(request.headers.get('accept-encoding'), codings);
  const form = variants.find(({ encoding }) => encoding === chosen) ?? route;
  const { sha256, size, etag } = form;
  const { known, described } = routeHeaders(route, view.revision, form);
  return fileAnswer(request, {
    validators: { etag, last_modified: route.is_date_shared ? null : route.last_modified },
    headers: { ...known, 'Last-Modified': lastModified(route.last_modified, Date.now()) },
    described,
    isRanged: kind !== undefined && addressTable[kind].isDownload,
    file: { object: { sha256, size, etag }, view, resource: kind ?? 'none' },
  });
}
