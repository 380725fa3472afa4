import { cacheControl, commonHeaders, httpDate, jsonMediaType } from '../../generator/contract/headers.ts';
import type { PathKind } from '../../generator/contract/paths.ts';
import type { Answer, JsonAnswer, ReadRequest, Refusal } from '../answer.ts';
import { digest, hex } from '../site/verified-objects.ts';
import { isNotModified, isPreconditionFailed, type Validators } from './conditional.ts';

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
};

/** Turns a value into the body of an answer. Its tag is a hash of the bytes, as strong as the tag of a file. */
export async function encodeComputed(value: unknown, rest: Omit<Computed, 'body' | 'etag'>): Promise<Computed> {
  const body = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
  return { body, etag: await strongTag(body), ...rest };
}

/** The entity tag of bytes that have no route: half of their SHA-256, in quotes. */
export async function strongTag(bytes: Uint8Array): Promise<string> {
  return `"${hex((await digest(bytes)).subarray(0, 16))}"`;
}

/** The answer with a computed body, a 304 if the client has it already, or a refusal, contract.md 4 and 5. */
export function computedAnswer(request: ReadRequest, resource: PathKind, computed: Computed): Answer | Refusal {
  const { body, etag, revision, publishedAt, hasCursor } = computed;
  const validators = { etag, last_modified: publishedAt };
  const headers = {
    ...commonHeaders,
    ETag: etag,
    'Last-Modified': httpDate(publishedAt),
    'Cache-Control': cacheControl({ cache: 'revalidate', media_type: jsonMediaType }),
    'X-Publication-Revision': revision,
  };
  return bodyAnswer(request, validators, { headers, mediaType: jsonMediaType, body, resource }, hasCursor);
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
  if (isPreconditionFailed(request.headers, validators, entityTagsOnly)) return { kind: 'precondition_failed' };
  if (isNotModified(request.headers, validators, entityTagsOnly)) {
    return { kind: 'not_modified', status: 304, headers, resource };
  }
  const whole = { ...headers, 'Content-Type': mediaType, 'Content-Length': String(body.length) };
  return { kind: 'json', status: 200, headers: whole, body, resource };
}
