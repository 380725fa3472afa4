import { cacheControl, commonHeaders, httpDate, jsonMediaType } from '../../generator/contract/headers.ts';
import type { PathKind } from '../../generator/contract/paths.ts';
import type { Answer, JsonAnswer, ReadRequest, Refusal } from '../answer.ts';
import type { Hash } from '../host.ts';
import { webHash } from '../site/verified-objects.ts';
import type { Compressor, ComputedCoding } from './compressor.ts';
import { isNotModified, isPreconditionFailed, type Validators } from './conditional.ts';
import { chooseCoding } from './content-coding.ts';

/** A computed body with the values for its headers. */
export type Computed = {
  readonly body: Uint8Array;
  readonly etag: string;
  /** The publication that the body was computed from. */
  readonly revision: string;
  readonly publishedAt: string;
  /**
   * Whether the body holds a cursor. Its bytes then change with time, so that only the entity tag tells whether it
   * changed.
   */
  readonly hasCursor: boolean;
  /** The body in each coding that a client asked for, made once. */
  readonly coded: Map<ComputedCoding, Promise<Uint8Array>>;
};

const encoder = new TextEncoder();
/** Bodies are written here and then copied: to learn the size of a text first takes as long as to encode it. */
const scratch = new Uint8Array(256 * 1024);
/** UTF-8 takes at most this many bytes for a UTF-16 code unit. */
const bytesPerUnit = 3;

function bytesOf(text: string): Uint8Array {
  if (text.length * bytesPerUnit > scratch.length) return encoder.encode(text);
  return scratch.slice(0, encoder.encodeInto(text, scratch).written);
}

/** Turns JSON into the body of an answer. Its tag is a hash of the bytes, as strong as the tag of a file. */
export async function encodeComputed(
  json: string,
  rest: Omit<Computed, 'body' | 'etag' | 'coded'>,
  hash: Hash = webHash,
): Promise<Computed> {
  const body = bytesOf(`${json}\n`);
  return { body, etag: await strongTag(body, hash), coded: new Map(), ...rest };
}

/** The entity tag of bytes that have no route: half of their SHA-256, in quotes. */
export async function strongTag(bytes: Uint8Array, hash: Hash = webHash): Promise<string> {
  return `"${(await hash(bytes)).slice(0, 32)}"`;
}

/** In bytes. A smaller answer fits into one packet with its headers, so compression does not make it faster. */
const leastSize = 1024;

/**
 * The answer with a computed body, a 304 if the client has it already, or a refusal, contract.md 4 and 5. With a
 * compressor, the body has the coding that the client prefers. The entity tag of a coding is that of the plain body with
 * the name of the coding, so a 304 compresses nothing.
 */
export async function computedAnswer(
  request: ReadRequest,
  resource: PathKind,
  computed: Computed,
  compressor: Compressor | null = null,
): Promise<Answer | Refusal> {
  const { body, revision, publishedAt, hasCursor } = computed;
  const codings = body.length < leastSize ? [] : (compressor?.codings ?? []);
  const coding = codings[chooseCoding(request.headers.get('accept-encoding'), codings) ?? -1] ?? null;
  const etag = coding === null ? computed.etag : computed.etag.replace(/"$/, `-${coding}"`);
  // Filled field by field: V8 takes a hundred times as long where the object begins as a spread of another.
  const headers: Record<string, string> = {};
  for (const [name, value] of common) headers[name] = value;
  headers.ETag = etag;
  if (codings.length > 0) headers.Vary = 'Accept-Encoding';
  headers['Last-Modified'] = httpDate(publishedAt);
  headers['Cache-Control'] = computedCacheControl;
  headers['X-Publication-Revision'] = revision;
  const decided = decide(request, { etag, last_modified: publishedAt }, { headers, resource }, hasCursor);
  if (decided !== null) return decided;
  const sent = coding === null || compressor === null ? body : await codedBody(computed, coding, compressor);
  headers['Content-Type'] = jsonMediaType;
  if (coding !== null) headers['Content-Encoding'] = coding;
  headers['Content-Length'] = String(sent.length);
  return { kind: 'json', status: 200, headers, body: sent, resource };
}

const common = Object.entries(commonHeaders);
const computedCacheControl = cacheControl({ cache: 'revalidate', media_type: jsonMediaType });

/** The body in a coding. It is made at the first request for it and kept with the answer. */
function codedBody({ body, coded }: Computed, coding: ComputedCoding, compressor: Compressor): Promise<Uint8Array> {
  const known = coded.get(coding);
  if (known) return known;
  const made = compressor.compress(body, coding);
  coded.set(coding, made);
  made.catch(() => coded.delete(coding));
  return made;
}

type AnswerHead = Pick<JsonAnswer, 'headers' | 'resource'>;

/** The answer that needs no body: a 304, or a refusal; null when the body is wanted. */
function decide(
  request: ReadRequest,
  validators: Validators,
  { headers, resource }: AnswerHead,
  entityTagsOnly: boolean,
): Answer | Refusal | null {
  if (isPreconditionFailed(request.headers, validators, entityTagsOnly)) return { kind: 'precondition_failed' };
  if (!isNotModified(request.headers, validators, entityTagsOnly)) return null;
  return { kind: 'not_modified', status: 304, headers, resource };
}

/**
 * The answer with a body that is in memory, a 304 if the client has it already, or a refusal. `headers` are those of the
 * 304. `entityTagsOnly`: conditions compare the entity tag alone.
 */
export function bodyAnswer(
  request: ReadRequest,
  validators: Validators,
  answer: Pick<JsonAnswer, 'headers' | 'body' | 'resource'> & { readonly mediaType: string },
  entityTagsOnly = false,
): Answer | Refusal {
  const { headers, mediaType, body, resource } = answer;
  const decided = decide(request, validators, answer, entityTagsOnly);
  if (decided !== null) return decided;
  const all = { ...headers, 'Content-Type': mediaType, 'Content-Length': String(body.length) };
  return { kind: 'json', status: 200, headers: all, body, resource };
}
