import type { AddressKind } from '../../contract/addresses.ts';
import { cacheControl, commonHeaders, jsonMediaType, lastModified } from '../../contract/headers.ts';
import { formatPath } from '../../contract/paths.ts';
import { type Hash, webHash } from '../../contract/site/source.ts';
import type { Answer, Compressor, JsonAnswer, ReadRequest } from '../host.ts';
import { ProblemError } from '../problems.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { chooseCoding, conditionalStatus, toSeconds, type Validators, withoutKnownDate } from './request-fields.ts';

/** A computed body with the values of its headers. */
export type Computed = {
  readonly body: Uint8Array;
  readonly etag: string;
  /** The publication that the body was computed from. */
  readonly revision: string;
  readonly publishedAt: string;
  /**
   * Whether only the entity tag shows that the body has changed. This is the case if the body has a cursor, which
   * changes with time, or if another publication was published in the same second. Asked only for a request with a
   * date, because it may read the site.
   */
  readonly isDateless: () => boolean | Promise<boolean>;
};

/** What an answer that is computed from a publication says about it. */
export function computedFrom(view: PublicationView): Omit<Computed, 'body' | 'etag'> {
  return {
    revision: view.revision,
    publishedAt: view.publishedAt,
    // The service index differs in every publication, so its date is shared only if two were published in one second.
    isDateless: async () => (await view.lookup(formatPath('service_index')))?.is_date_shared === true,
  };
}

const encoder = new TextEncoder();

/** Turns JSON into the body of an answer. Its tag is a hash of the bytes, so it is as strong as a file's. */
export async function encodeComputed(
  json: string,
  rest: Omit<Computed, 'body' | 'etag'>,
  hash: Hash = webHash,
): Promise<Computed> {
  const body = encoder.encode(`${json}\n`);
  return { body, etag: await strongTag(body, hash), ...rest };
}

/** The entity tag of bytes without a route: half of their SHA-256, in quotes. */
export async function strongTag(bytes: Uint8Array, hash: Hash = webHash): Promise<string> {
  return `"${(await hash(bytes)).slice(0, 32)}"`;
}

/**
 * The size, in bytes, from which an answer is compressed. A smaller one fits into one packet with its headers, so
 * compression would not make it faster.
 */
const leastSize = 1024;

/**
 * The answer with a computed body, or a 304 if the client has it already, contract.md 4 and 5. With a compressor, the
 * body has the coding that the client prefers. The entity tag of a coding is the plain body's with the name of the
 * coding, so a 304 needs no compression.
 */
export async function computedAnswer(
  request: ReadRequest,
  resource: AddressKind,
  computed: Computed,
  compressor: Compressor | null = null,
): Promise<Answer> {
  const { body, revision, publishedAt } = computed;
  const isDateless = request.headers.get('if-modified-since') != null && (await computed.isDateless());
  const codings = body.length < leastSize ? [] : (compressor?.codings ?? []);
  const coding = chooseCoding(request.headers.get('accept-encoding'), codings);
  const etag = coding === null ? computed.etag : computed.etag.replace(/"$/, `-${coding}"`);
  const headers = {
    ...commonHeaders,
    ETag: etag,
    ...(codings.length > 0 ? { Vary: 'Accept-Encoding' } : {}),
    'Last-Modified': lastModified(publishedAt, Date.now()),
    'Cache-Control': computedCacheControl,
    'X-Publication-Revision': revision,
  };
  const known = knownAnswer(
    request,
    { etag, modified: isDateless ? null : toSeconds(publishedAt) },
    { headers, resource },
  );
  if (known !== null) return known;
  const sent = coding === null || compressor === null ? body : await compressor.compress(body, coding);
  const encoding = coding === null ? {} : { 'Content-Encoding': coding };
  const dated = withoutKnownDate(request.headers, headers);
  return bodyAnswer({ headers: { ...dated, ...encoding }, resource }, jsonMediaType, sent);
}

const computedCacheControl = cacheControl({ cache: 'revalidate', media_type: jsonMediaType });

export type AnswerHead = Pick<JsonAnswer, 'headers' | 'resource'>;

/** The 304 for a client that has the answer already; null if it needs the body. Throws a `PRECONDITION_FAILED`. */
export function knownAnswer(
  request: ReadRequest,
  validators: Validators,
  { headers, resource }: AnswerHead,
): Answer | null {
  const status = conditionalStatus(request.headers, validators);
  if (status === 412) throw new ProblemError('PRECONDITION_FAILED');
  return status && { kind: 'not_modified', status, headers, resource };
}

/** A 200 with a body in memory. `headers`: those that its 304 has too. */
export function bodyAnswer({ headers, resource }: AnswerHead, mediaType: string, body: Uint8Array): JsonAnswer {
  const all = { ...headers, 'Content-Type': mediaType, 'Content-Length': String(body.length) };
  return { kind: 'json', status: 200, headers: all, body, resource };
}
