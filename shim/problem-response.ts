import { commonHeaders, problemMediaType } from '../generator/contract/headers.ts';
import { type Addresser, pathOf } from '../generator/contract/paths.ts';
import { type Problem, type ProblemCode, problemKinds } from '../generator/contract/problem.ts';
import type { ProblemAnswer } from './answer.ts';

/** Seconds until it is worth asking again for a publication. */
const retryAfterSeconds = 10;

export type ProblemDetails = {
  readonly code: ProblemCode;
  /** The request target; only its path is repeated of one that is too long. */
  readonly target: string;
  readonly requestId: string;
  /** What is said otherwise than `problemKinds` says it. */
  readonly instead?: { readonly status?: number; readonly title?: string; readonly detail?: string };
  readonly headers?: Readonly<Record<string, string>>;
};

/** An `application/problem+json` answer, contract.md 6. Addresses in it are printed by `address`. */
export function problemResponse(address: Addresser, details: ProblemDetails): ProblemAnswer {
  const { code, target, requestId, instead, headers } = details;
  const { status, title, detail } = { ...problemKinds[code], ...instead };
  const problem: Problem = {
    type: address(pathOf('problem', { problem: code })),
    title,
    status,
    detail,
    instance: uriReference(code === 'URI_TOO_LONG' ? pathIn(target) : target),
    code,
    request_id: requestId,
  };
  const body = JSON.stringify(problem);
  return {
    kind: 'problem',
    status,
    headers: {
      ...commonHeaders,
      'Content-Type': problemMediaType,
      'Content-Length': String(body.length),
      'Cache-Control': 'no-store',
      'X-Request-ID': requestId,
      ...(code === 'NO_PUBLICATION' ? { 'Retry-After': String(retryAfterSeconds) } : {}),
      ...headers,
    },
    body,
  };
}

/** A request target's path, as it is written. */
export function pathIn(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

/**
 * The target with everything escaped that a URI may not hold, RFC 3986 2: `instance` is a URI reference, whatever was
 * asked for. A request target is bytes, one a character. What is left is ASCII, so that a body has as many bytes as
 * characters.
 */
function uriReference(target: string): string {
  return target.replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
