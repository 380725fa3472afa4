import { commonHeaders, problemMediaType } from '../generator/contract/headers.ts';
import { type Addresser, pathOf } from '../generator/contract/paths.ts';
import { type Problem, type ProblemCode, problemKinds } from '../generator/contract/problem.ts';
import type { ProblemAnswer, ResourceName } from './answer.ts';
import { ascii, instanceOf, namedParameters } from './problem-bounds.ts';
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
