import { addressTable } from '../../contract/addresses.ts';
import { lastModified } from '../../contract/headers.ts';
import { parsePath, type SiteFileAddress } from '../../contract/paths.ts';
import { routeHeaders, siteFileHeaders } from '../../contract/route-headers.ts';
import type { Route, Variant } from '../../contract/schemas/site-files.ts';
import type { Answer, FileAnswer, ReadRequest, ServedSource } from '../host.ts';
import { ProblemError } from '../problems.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { type AnswerHead, bodyAnswer, knownAnswer, strongTag } from './computed-answer.ts';
import {
  chooseCoding,
  parseByteRange,
  rangeApplies,
  toSeconds,
  type Validators,
  withoutKnownDate,
} from './request-fields.ts';

/** A file in one coding, with the answers that depend on no request. `known`: what a 304 has. */
type PreparedFile = {
  readonly validators: Validators;
  readonly known: AnswerHead;
  readonly whole: FileAnswer;
  /** The file can be sent in parts. Conditions then compare only its entity tag. */
  readonly isRanged: boolean;
};

/** `headers`: those of a 304. `described`: the additional ones of a 200. */
function prepareFile(
  file: Pick<FileAnswer, 'object' | 'view' | 'resource'>,
  validators: Validators,
  headers: Answer['headers'],
  described: Answer['headers'],
  isRanged: boolean,
): PreparedFile {
  const all = { ...headers, ...described, 'Content-Length': String(file.object.size) };
  return {
    validators,
    known: { headers, resource: file.resource },
    whole: { kind: 'file', status: 200, headers: all, range: null, ...file },
    isRanged,
  };
}

/**
 * The whole file, the requested part of it, or a 304 if the client has it already, contract.md 5. Throws a
 * `PRECONDITION_FAILED` or a `RANGE_NOT_SATISFIABLE`.
 */
function fileAnswer(request: ReadRequest, { validators, known, whole: file, isRanged }: PreparedFile): Answer {
  const unchanged = knownAnswer(request, validators, known);
  if (unchanged !== null) return unchanged;
  const headers = withoutKnownDate(request.headers, file.headers);
  const whole: FileAnswer = headers === file.headers ? file : { ...file, headers };
  // Range is defined for GET only, RFC 9110 14.2.
  const field = isRanged && request.method === 'GET' ? request.headers.get('range') : null;
  if (field === null || !rangeApplies(request.headers, validators.etag)) return whole;
  const { size } = whole.object;
  const range = parseByteRange(field, size);
  if (range === null) return whole;
  if (range === 'unsatisfiable') {
    throw new ProblemError('RANGE_NOT_SATISFIABLE', [], { headers: { 'Content-Range': `bytes */${size}` } });
  }
  const part = {
    'Content-Range': `bytes ${range.start}-${range.end}/${size}`,
    'Content-Length': String(range.end - range.start + 1),
  };
  return { ...whole, status: 206, headers: { ...headers, ...part }, range };
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
  return knownAnswer(request, { etag, modified: null }, head) ?? bodyAnswer(head, described['Content-Type'], body);
}

/** The name of an object is the hash of its bytes, so it is also its entity tag. */
async function objectAnswer(source: ServedSource, request: ReadRequest, sha256: string): Promise<Answer | null> {
  const size = await source.objectSize(sha256);
  if (size === null) return null;
  const etag = `"${sha256}"`;
  const { known, described } = siteFileHeaders('object');
  const file = { object: { sha256, size, etag: null }, view: null, resource: 'object' } as const;
  const all = { ...described, 'Accept-Ranges': 'bytes' };
  return fileAnswer(request, prepareFile(file, { etag, modified: null }, { ...known, ETag: etag }, all, true));
}

/** What is decided about a route before any request: its file in each coding, with the headers of the answers. */
export class RouteAnswers {
  readonly #codings: readonly Variant['encoding'][];
  /** By coding; null is the uncompressed file. */
  readonly #files: ReadonlyMap<Variant['encoding'] | null, PreparedFile>;
  /** Whether the answers stay as they are. Until the date of a publication dated ahead has come, they do not. */
  readonly areFinal: boolean;

  constructor(view: PublicationView, route: Route) {
    const now = Date.now();
    const { path, variants = [], is_date_shared, last_modified } = route;
    const kind = parsePath(path)?.kind;
    const isRanged = kind !== undefined && addressTable[kind].isDownload;
    const modified = isRanged || is_date_shared ? null : toSeconds(last_modified);
    const prepare = (form: Route | Variant) => {
      const { sha256, size, etag } = form;
      const { known, described } = routeHeaders(route, view.revision, form);
      const headers = { ...known, 'Last-Modified': lastModified(last_modified, now) };
      const file = { object: { sha256, size, etag }, view, resource: kind ?? 'none' } as const;
      return prepareFile(file, { etag, modified }, headers, described, isRanged);
    };
    this.#codings = variants.map(({ encoding }) => encoding);
    this.#files = new Map([[null, prepare(route)], ...variants.map((form) => [form.encoding, prepare(form)] as const)]);
    this.areFinal = Date.parse(last_modified) <= now;
  }

  /** The answer in the coding that the client prefers, contract.md 5. Throws as {@link fileAnswer} does. */
  answer(request: ReadRequest): Answer {
    const coding = chooseCoding(request.headers.get('accept-encoding'), this.#codings);
    return fileAnswer(request, this.#files.get(coding) as PreparedFile);
  }
}
