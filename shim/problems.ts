import { commonHeaders, problemMediaType } from '../contract/headers.ts';
import { type Addresser, formatPath } from '../contract/paths.ts';
import { type Problem, type ProblemCode, problemKinds, problemLimits } from '../contract/problem.ts';
import { shortened } from '../contract/text.ts';
import type { ProblemAnswer, ResourceName } from './host.ts';

/** Seconds after which a client should ask again if there is no publication. */
const retryAfterSeconds = 10;

export type ProblemDetails = {
  readonly code: ProblemCode;
  /** The request target. If it is too long, the problem repeats only the path. */
  readonly target: string;
  readonly requestId: string;
  readonly resource: ResourceName;
  /** The offending parameters. */
  readonly invalidParameters?: readonly InvalidParameter[];
  /** The path that the client probably wanted. */
  readonly suggestion?: string | null;
  /** Seconds after which the client should ask again. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An `application/problem+json` answer, contract.md 6. `address` formats the addresses in it. */
export function problemResponse(address: Addresser, details: ProblemDetails): ProblemAnswer {
  const { code, target, requestId, resource, invalidParameters = [], suggestion = null, headers } = details;
  const retryAfter = details.retryAfter ?? (code === 'NO_PUBLICATION' ? retryAfterSeconds : null);
  const { status, title, detail } = problemKinds[code];
  const [path] = splitTarget(target);
  const named = namedParameters(invalidParameters);
  const count = invalidParameters.length;
  const problem: Problem = {
    type: address(formatPath('problem', { problem: code })),
    title,
    status,
    detail: [
      detail,
      ...(named.length < count ? [`invalid_params names the first ${named.length} of ${count}.`] : []),
      ...(suggestion === null ? [] : [`Look at ${address(suggestion)}`]),
    ].join(' '),
    instance: problemInstance(code === 'URI_TOO_LONG' ? path : target, path),
    code,
    request_id: requestId,
    ...(count > 0 ? { invalid_params: named } : {}),
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

/** The path and the query of a request target, not decoded. The query has no question mark. */
export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

/**
 * As many offending parameters, in order, as fit into a problem. A request of 8 KB can have thousands, and their names
 * can become six times as long in JSON.
 */
function namedParameters(all: readonly InvalidParameter[]): InvalidParameter[] {
  const named: InvalidParameter[] = [];
  let bytes = 0;
  for (const { name, reason } of all.slice(0, problemLimits.parameters)) {
    const entry = { name: shortened(name, problemLimits.nameCharacters), reason };
    bytes += ascii(JSON.stringify(entry)).length + 1;
    if (bytes > problemLimits.parametersBytes && named.length > 0) break;
    named.push(entry);
  }
  return named;
}

/**
 * The path and query of a request target as a URI reference, contract.md 6. Escaping can turn one character into three.
 * If the reference exceeds the limit, only the path is given; if that is also too long, its beginning.
 */
function problemInstance(target: string, path: string): string {
  for (const part of [target, path]) {
    const reference = uriReference(part);
    if (reference.length <= problemLimits.instanceCharacters) return reference;
  }
  // Drops an escape that the cut left incomplete.
  return uriReference(path)
    .slice(0, problemLimits.instanceCharacters)
    .replace(/%[0-9A-Fa-f]?$/, '');
}

/**
 * JSON in ASCII, so that the body has as many bytes as characters. Reasons repeat input, which can have other
 * characters.
 */
function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The target with every character escaped that a URI must not have, RFC 3986 2, because `instance` is a URI reference.
 * Each character of a request target is one byte.
 */
function uriReference(target: string): string {
  return target.replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

export type InvalidParameter = NonNullable<Problem['invalid_params']>[number];

/** A request that cannot be answered as asked. The handler turns it into a problem body, contract.md 6. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  /** The offending parameters; empty if the cause is not in the query. */
  readonly invalidParameters: readonly InvalidParameter[];
  readonly details: Pick<ProblemDetails, 'headers' | 'suggestion' | 'retryAfter'>;

  constructor(
    code: ProblemCode,
    invalidParameters: readonly InvalidParameter[] = [],
    details: ProblemError['details'] = {},
  ) {
    super(code);
    this.code = code;
    this.invalidParameters = invalidParameters;
    this.details = details;
  }
}
