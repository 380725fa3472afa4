import { allowedMethods, commonHeaders, preflightHeaders } from '../generator/contract/headers.ts';
import { type Addresser, isForPeople, parsePath, parseSiteFile, prefix } from '../generator/contract/paths.ts';
import type { ProblemCode } from '../generator/contract/problem.ts';
import type { Answer, FileAnswer, ProblemAnswer, ReadRequest, Refusal, ResourceName } from './answer.ts';
import { Computations } from './computations.ts';
import type { Allowance, Mac, RateLimiter, ShimLog } from './host.ts';
import type { Compressor } from './http/compressor.ts';
import { type Computed, computedAnswer } from './http/computed-answer.ts';
import { siteFileAnswer } from './http/file-answer.ts';
import { rateLimitFields } from './http/rate-limit-fields.ts';
import { PreparedRoutes } from './http/route-answer.ts';
import { meantAddress } from './not-found-hint.ts';
import { type ProblemDetails, ProblemError, problemResponse, splitTarget } from './problems.ts';
import { type Question, readQuery, refuseParameters, takesParameters } from './query.ts';
import { BusyError, type Scheduler, SolitaryScheduler } from './scheduling/scheduler.ts';
import { pointsFor, UnwantedError } from './scheduling/work.ts';
import type { CurrentPublication } from './site/current-publication.ts';
import { missingRouteCode } from './site/missing-route.ts';
import type { PublicationView } from './site/publication-view.ts';
import { UnreadableError } from './site/verified-objects.ts';

const targetLimit = 8192;

/** How many publications are tried for one request, when an object of one turns out to be damaged. */
const attempts = 3;

const preflight: Answer = {
  kind: 'no_content',
  status: 204,
  headers: { ...commonHeaders, ...preflightHeaders },
  resource: 'none',
};

type HandlerOptions = {
  readonly publication: CurrentPublication;
  readonly address: Addresser;
  readonly log: ShimLog;
  /** Null: there is no rate limit. */
  readonly limiter: RateLimiter | null;
  /** The first one signs cursors; cursors signed by any of them are accepted. */
  readonly cursorSecrets: readonly [string, ...string[]];
  /** How the host signs cursors; left out where it has the Web's way alone. */
  readonly mac?: Mac;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Decides when computed questions are answered. Without one, no question waits for another. */
  readonly scheduler?: Scheduler;
  /** Compresses computed answers. Without one, they are sent as they are. */
  readonly compressor?: Compressor | null;
  /** How many prepared routes are kept in memory; left out where memory is no concern. */
  readonly preparedRoutes?: number;
};

/** Decides how a request is answered; the host sends the answer. */
export class Handler {
  readonly #options: HandlerOptions;
  readonly #computations: Computations;
  readonly #prepared: PreparedRoutes;

  constructor(options: HandlerOptions) {
    this.#options = options;
    const { publication, log, cursorSecrets: secrets, now, mac, scheduler = new SolitaryScheduler() } = options;
    this.#prepared = new PreparedRoutes(options.preparedRoutes);
    this.#computations = new Computations({ publication, log, secrets, now, scheduler, ...(mac ? { mac } : {}) });
  }

  /** Never throws and never rejects. Returns the answer itself, without a promise, if its route is prepared. */
  answer(request: ReadRequest): Answer | Promise<Answer> {
    return this.#known(request) ?? this.#answerLater(request);
  }

  /** Prepares the search index of a publication, so that the first search need not wait for it. Never rejects. */
  async prepare(view: PublicationView): Promise<void> {
    try {
      await this.#computations.prepare(view);
    } catch (error) {
      // The first request that needs the damaged object finds the damage again, and another publication is served then.
      if (error instanceof UnreadableError) return;
      this.#options.log('warn', `revision ${view.revision} could not be made ready for searches: ${stackOf(error)}`);
    }
  }

  /**
   * The answer after a host failed to read the object of the previous answer: from another publication, or a problem.
   */
  async answerAfter(request: ReadRequest, { view }: FileAnswer, error: unknown): Promise<Answer> {
    try {
      const another =
        error instanceof UnreadableError && view !== null && (await this.#options.publication.leave(view, error));
      return another ? await this.answer(request) : this.#failure(request, error);
    } catch (later) {
      return this.#failure(request, later);
    }
  }

  /** The answer from a prepared route; null when it takes more than choosing one of its prepared heads. */
  #known(request: ReadRequest): Answer | null {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const view = this.#options.publication.settled;
    const prepared = view && this.#prepared.known(view, request.target);
    if (!prepared || prepared.mayContinue) return null;
    const answer = prepared.answer(request);
    return answer.kind === 'unsatisfiable' || answer.kind === 'precondition_failed' ? null : answer;
  }

  #answerLater(request: ReadRequest): Promise<Answer> {
    return this.#orProblem(request, this.#decide(request));
  }

  async #orProblem(request: ReadRequest, answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      return this.#failure(request, error);
    }
  }

  async #decide(request: ReadRequest): Promise<Answer> {
    if (request.method === 'OPTIONS') return preflight;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return this.#problem(request, 'METHOD_NOT_ALLOWED', { headers: { Allow: allowedMethods } });
    }
    if (request.target.length > targetLimit) return this.#problem(request, 'URI_TOO_LONG');

    const [written, query] = splitTarget(request.target);
    const path = written === `${prefix}/` ? prefix : written;
    const forPeople = isForPeople(path);
    if (path !== prefix && !path.startsWith(`${prefix}/`) && !forPeople) {
      return this.#siteFile(request, path, query);
    }
    // Links to the page for people may have a query of somebody else's.
    const question = forPeople ? null : this.#questionOf(path, query);
    const limiter = question && isSelection(question) ? this.#options.limiter : null;
    if (limiter === null) return this.#answerFrom(request, path, question);
    const count = new Count(limiter, request.client);
    const seconds = await count.begin();
    if (seconds !== null) {
      return this.#problem(request, 'RATE_LIMITED', { retryAfter: seconds, headers: count.fields });
    }
    // A problem counts as well, so it tells what is left too.
    const answer = await this.#orProblem(request, this.#answerFrom(request, path, question, count));
    return { ...answer, headers: { ...answer.headers, ...count.fields } };
  }

  /** Answers from the served publication, and from another one if that is damaged. */
  async #answerFrom(
    request: ReadRequest,
    path: string,
    question: Question | null,
    count: Count | null = null,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const view = await this.#options.publication.view();
      if (view === null) return this.#problem(request, 'NO_PUBLICATION');
      try {
        return question ? await this.#compute(view, request, question, count) : await this.#lookUp(view, request, path);
      } catch (error) {
        if (!(error instanceof UnreadableError) || attempt === attempts) throw error;
        if (!(await this.#options.publication.leave(view, error))) throw error;
      }
    }
  }

  /** Answers requests for the files that mirrors read, outside the contract's addresses. */
  async #siteFile(request: ReadRequest, path: string, query: string): Promise<Answer> {
    const file = parseSiteFile(path);
    if (file === null) return this.#problem(request, 'RESOURCE_NOT_FOUND');
    if (query !== '') refuseParameters(query);
    const { publication } = this.#options;
    const answer = await siteFileAnswer(publication.reader, () => publication.readPointer(), request, file);
    if (answer !== null) return this.#outcome(request, answer);
    return this.#problem(request, file.kind === 'pointer' ? 'NO_PUBLICATION' : 'RESOURCE_NOT_FOUND');
  }

  /**
   * The question that a query asks; null if it asks none, or is at no address of the contract, where nothing is found.
   * Throws a {@link ProblemError} for an invalid one.
   */
  #questionOf(path: string, query: string): Question | null {
    const kind = query === '' ? undefined : parsePath(path)?.kind;
    if (kind === undefined) return null;
    if (takesParameters(kind)) return { kind, path, query: readQuery(kind, query) } as Question;
    refuseParameters(query);
    return null;
  }

  async #compute(
    view: PublicationView,
    request: ReadRequest,
    question: Question,
    count: Count | null,
  ): Promise<Answer> {
    const { compressor = null } = this.#options;
    const finish = (computed: Computed) => computedAnswer(request, question.kind, computed, compressor);
    if (isSelection(question)) {
      const charge = async (units: number) => count?.charge(units);
      const answer = await this.#computations.answerInTurn(view, question, request, charge, finish);
      return answer ? this.#outcome(request, answer) : this.#lookUp(view, request, question.path);
    }
    const computed = await this.#computations.answer(view, question);
    return computed ? this.#outcome(request, await finish(computed)) : this.#lookUp(view, request, question.path);
  }

  /**
   * Answers an address without a query: a precomputed file, or a list with more pages, which is computed because its
   * answer carries a cursor.
   */
  async #lookUp(view: PublicationView, request: ReadRequest, path: string): Promise<Answer> {
    const prepared = await this.#prepared.of(view, path);
    if (prepared === null) return this.#withoutRoute(view, request, path);
    const { kind } = prepared;
    if (prepared.mayContinue && kind !== 'none') {
      const computed = await this.#computations.answer(view, { kind, path, query: {} } as Question);
      if (computed) {
        return this.#outcome(request, await computedAnswer(request, kind, computed, this.#options.compressor));
      }
    }
    return this.#outcome(request, prepared.answer(request));
  }

  /** The answer itself, or the problem for a failed condition or an unsatisfiable range. */
  #outcome(request: ReadRequest, answer: Answer | Refusal): Answer {
    if (answer.kind === 'precondition_failed') return this.#problem(request, 'PRECONDITION_FAILED');
    if (answer.kind !== 'unsatisfiable') return answer;
    return this.#problem(request, 'RANGE_NOT_SATISFIABLE', { headers: { 'Content-Range': `bytes */${answer.size}` } });
  }

  async #withoutRoute(view: PublicationView, request: ReadRequest, path: string): Promise<Answer> {
    const kind = parsePath(path)?.kind;
    // Comparisons and searches have no file and require parameters. Reading the empty query throws the problem that
    // names those.
    if (kind === 'comparison' || kind === 'search') readQuery(kind, '');
    const code = await missingRouteCode(view, path);
    return this.#problem(request, code, { meant: await meantAddress(view, path) });
  }

  #failure(request: ReadRequest, error: unknown): ProblemAnswer {
    if (error instanceof ProblemError) {
      return this.#problem(request, error.code, { invalidParameters: error.invalidParameters });
    }
    // Nobody reads the answer to an unwanted question, and it is no failure.
    if (error instanceof UnwantedError) return this.#problem(request, 'RATE_LIMITED', { retryAfter: 1 });
    if (error instanceof BusyError) return this.#problem(request, 'RATE_LIMITED', { retryAfter: error.retryAfter });
    const code = error instanceof UnreadableError ? 'NO_PUBLICATION' : 'INTERNAL';
    const reason = error instanceof UnreadableError ? error.message : stackOf(error);
    const { id, method, target } = request;
    this.#options.log('error', `${code}: ${reason}`, { request_id: id, method, target: target.slice(0, 512) });
    return this.#problem(request, code);
  }

  #problem(request: ReadRequest, code: ProblemCode, details: Partial<ProblemDetails> = {}): ProblemAnswer {
    const { target, id: requestId } = request;
    return problemResponse(this.#options.address, {
      code,
      target,
      requestId,
      resource: resourceOf(target),
      ...details,
    });
  }
}

/** Counts one question towards the rate limit of its client. */
class Count {
  readonly #limiter: RateLimiter;
  readonly #client: string;
  #allowance: Allowance = { retryAfter: null, quota: null };

  constructor(limiter: RateLimiter, client: string) {
    this.#limiter = limiter;
    this.#client = client;
  }

  /** Resolves with the seconds until the client may ask again, or null when it may now. */
  async begin(): Promise<number | null> {
    this.#allowance = await this.#limiter.take(this.#client);
    return this.#allowance.retryAfter;
  }

  /** Charges the client for the work beyond that of a plain question. */
  async charge(units: number): Promise<void> {
    const points = pointsFor(units);
    if (points > 1) this.#allowance = await this.#limiter.charge(this.#client, points - 1);
  }

  /** The header fields that tell the client what is left. */
  get fields(): Readonly<Record<string, string>> {
    return rateLimitFields(this.#allowance);
  }
}

/**
 * Whether the rate limit counts the question. The next page of an unfiltered list is not counted: it reads one file,
 * like a page on a plain host.
 */
function isSelection({ query }: Question): boolean {
  return Object.keys(query).some((name) => name !== 'cursor');
}

function resourceOf(target: string): ResourceName {
  if (target.length > targetLimit) return 'none';
  const [path] = splitTarget(target);
  return parsePath(path)?.kind ?? parseSiteFile(path)?.kind ?? 'none';
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
