import { cacheControl, commonHeaders, httpDate, ndjsonMediaType } from '../generator/contract/headers.ts';
import { type Addresser, parsePath, prefix } from '../generator/contract/paths.ts';
import type { ProblemCode } from '../generator/contract/problem.ts';
import type { Route } from '../generator/contract/site.ts';
import type { Answer, ProblemAnswer, ReadRequest } from './answer.ts';
import { parseByteRange } from './byte-range.ts';
import { isNotModified, rangeApplies } from './conditional.ts';
import type { CurrentPublication } from './current-publication.ts';
import { missingRouteCode } from './missing-route.ts';
import { type ProblemDetails, pathIn, problemResponse } from './problem-response.ts';
import type { PublicationView } from './publication-view.ts';
import { UnreadableError } from './verified-objects.ts';

const methods = 'GET, HEAD, OPTIONS';
const targetLimit = 8192;

const preflight: Answer = {
  kind: 'no_content',
  status: 204,
  headers: {
    ...commonHeaders,
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'If-None-Match, If-Modified-Since, If-Range, Range',
    'Access-Control-Max-Age': '86400',
  },
};

export type HandlerOptions = {
  readonly publication: CurrentPublication;
  readonly address: Addresser;
  readonly log: (message: string) => void;
};

/** Decides what a request is answered with; the host sends it. */
export class Handler {
  readonly #options: HandlerOptions;

  constructor(options: HandlerOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async answer(request: ReadRequest): Promise<Answer> {
    try {
      return await this.#decide(request);
    } catch (error) {
      return this.failure(request, error);
    }
  }

  /** The answer when answering failed; also for a host whose storage fails after the decision. */
  failure(request: ReadRequest, error: unknown): ProblemAnswer {
    const code = error instanceof UnreadableError ? 'NO_PUBLICATION' : 'INTERNAL';
    const requestId = crypto.randomUUID();
    const reason = error instanceof UnreadableError ? error.message : stackOf(error);
    this.#options.log(`${code} ${requestId} ${request.method} ${JSON.stringify(request.target)}: ${reason}`);
    return this.#problem(request, code, { requestId });
  }

  async #decide(request: ReadRequest): Promise<Answer> {
    if (request.method === 'OPTIONS') return preflight;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return this.#problem(request, 'METHOD_NOT_ALLOWED', { headers: { Allow: methods } });
    }
    if (request.target.length > targetLimit) return this.#problem(request, 'URI_TOO_LONG');

    const path = literalPath(request.target);
    if (path === null) return this.#problem(request, 'RESOURCE_NOT_FOUND');

    const view = await this.#options.publication.view();
    if (view === null) return this.#problem(request, 'NO_PUBLICATION');

    const route = await view.lookup(path);
    if (route === null) return this.#problem(request, await missingRouteCode(view, path));
    return this.#file(request, view, route);
  }

  /** A precomputed file, the part of it that was asked for, or word that the client has it, contract.md 5. */
  #file(request: ReadRequest, view: PublicationView, route: Route): Answer {
    const isExport = route.media_type === ndjsonMediaType;
    const validators = validatorHeaders(view, route);
    if (isNotModified(request.headers, route, isExport)) {
      return { kind: 'not_modified', status: 304, headers: validators };
    }
    const whole = {
      ...validators,
      'Content-Type': route.media_type,
      ...(route.encoding ? { 'Content-Encoding': route.encoding } : {}),
      ...(isExport ? { 'Accept-Ranges': 'bytes' } : {}),
      'Content-Length': String(route.size),
    };
    const range = isExport ? requestedRange(request, route) : null;
    if (range === 'unsatisfiable') {
      return this.#problem(request, 'INVALID_PARAMETER', {
        instead: {
          status: 416,
          title: 'Range not satisfiable',
          detail: `The range cannot be satisfied: the file has ${route.size} bytes.`,
        },
        headers: { 'Content-Range': `bytes */${route.size}` },
      });
    }
    if (range === null) return { kind: 'file', status: 200, headers: whole, route, range };
    const part = {
      'Content-Range': `bytes ${range.start}-${range.end}/${route.size}`,
      'Content-Length': String(range.end - range.start + 1),
    };
    return { kind: 'file', status: 206, headers: { ...whole, ...part }, route, range };
  }

  #problem(request: ReadRequest, code: ProblemCode, details: Partial<ProblemDetails> = {}): ProblemAnswer {
    const requestId = crypto.randomUUID();
    return problemResponse(this.#options.address, { code, target: request.target, requestId, ...details });
  }
}

/** The path to look up: as written, but `/v1/` is `/v1`. Null when nothing can stand there. */
function literalPath(target: string): string | null {
  const path = pathIn(target);
  if (path === `${prefix}/`) return prefix;
  return path === prefix || path.startsWith(`${prefix}/`) ? path : null;
}

/** What a success and its 304 have in common. An export is of the revision in its path, whatever is current. */
function validatorHeaders(view: PublicationView, route: Route): Readonly<Record<string, string>> {
  const exported = route.media_type === ndjsonMediaType ? parsePath(route.path)?.parameters.revision : undefined;
  return {
    ...commonHeaders,
    ETag: route.etag,
    'Last-Modified': httpDate(route.last_modified),
    'Cache-Control': cacheControl(route),
    'X-Publication-Revision': exported ?? view.revision,
  };
}

/** A Range means something to GET only, RFC 9110 14.2. */
function requestedRange({ method, headers }: ReadRequest, route: Route) {
  const field = method === 'GET' ? headers.get('range') : null;
  return field !== null && rangeApplies(headers, route) ? parseByteRange(field, route.size) : null;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
