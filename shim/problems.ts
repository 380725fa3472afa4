import { commonHeaders, problemMediaType } from '../generator/contract/headers.ts';
import { shortened } from '../generator/contract/parameter-value.ts';
import { type Addresser, pathOf } from '../generator/contract/paths.ts';
import { type Problem, type ProblemCode, problemKinds, problemLimits } from '../generator/contract/problem.ts';
import type { ProblemAnswer, ResourceName } from './answer.ts';
import type { InvalidParameter } from './problem-error.ts';

/** Seconds until it is worth asking again for a publication. */
const retryAfterSeconds = 10;

export type ProblemDetails = {
  readonly code: ProblemCode;
  /** The request target; only its path is repeated of one that is too long. */
  readonly target: string;
  readonly requestId: string;
  readonly resource: ResourceName;
  /** The parameters that are to blame. */
  readonly invalidParameters?: readonly InvalidParameter[];
  /** Seconds until it is worth asking again. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An `application/problem+json` answer, contract.md 6. Addresses in it are printed by `address`. */
export function problemResponse(address: Addresser, details: ProblemDetails): ProblemAnswer {
  const { code, target, requestId, resource, invalidParameters = [], headers } = details;
  const retryAfter = details.retryAfter ?? (code === 'NO_PUBLICATION' ? retryAfterSeconds : null);
  const { status, title, detail } = problemKinds[code];
  const [path] = splitTarget(target);
  const { named, count } = namedParameters(invalidParameters);
  const problem: Problem = {
    type: address(pathOf('problem', { problem: code })),
    title,
    status,
    detail: named.length < count ? `${detail} invalid_params names the first ${named.length} of ${count}.` : detail,
    instance: instanceOf(code === 'URI_TOO_LONG' ? path : target, path),
    code,
    request_id: requestId,
    ...(count > 0 ? { invalid_params: [...named] } : {}),
  };
  const body = `${ascii(JSON.stringify(problem))}\n`;
  return {
    kind: 'problem',
    status,
    headers: {
      ...commonHeaders,
      'Content-Type': problemMediaType,
      'Content-Length': String(body.length),
      'Cache-Control': 'no-store',
      'X-Request-ID': requestId,
      ...(retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }),
      ...headers,
    },
    body,
    resource,
  };
}

/** A request target's path and its query, as they are written; the query without its question mark. */
export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** The parameters that a problem names, and how many there are. */
export type NamedParameters = { readonly named: readonly InvalidParameter[]; readonly count: number };

/**
 * As many offending parameters as a problem names, in their order: a request of 8 KB can have thousands, and names that take
 * six times their bytes in JSON.
 */
export function namedParameters(all: readonly InvalidParameter[]): NamedParameters {
  const named: InvalidParameter[] = [];
  let bytes = 0;
  for (const { name, reason } of all.slice(0, problemLimits.parameters)) {
    const entry = { name: shortened(name, problemLimits.nameCharacters), reason };
    bytes += ascii(JSON.stringify(entry)).length + 1;
    if (bytes > problemLimits.parametersBytes && named.length > 0) break;
    named.push(entry);
  }
  return { named, count: all.length };
}

/**
 * The path and query of a request target as a URI reference, contract.md 6. Escaping can make three characters of one: what
 * would be longer than a target may be is the path alone, and of a path that is, its beginning.
 */
export function instanceOf(target: string, path: string): string {
  for (const part of [target, path]) {
    const reference = uriReference(part);
    if (reference.length <= problemLimits.instanceCharacters) return reference;
  }
  // An escape is whole or not there.
  return uriReference(path)
    .slice(0, problemLimits.instanceCharacters)
    .replace(/%[0-9A-Fa-f]?$/, '');
}

/** JSON in ASCII, so that a body has as many bytes as characters: reasons repeat what was sent. */
export function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The target with everything escaped that a URI may not hold, RFC 3986 2: `instance` is a URI reference, whatever was
 * asked for. A request target is bytes, one a character.
 */
function uriReference(target: string): string {
  return target.replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
