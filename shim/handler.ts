import { allowedMethods, commonHeaders, preflightHeaders } from '../generator/contract/headers.ts';
import { type Addresser, isForPeople, parsePath, parseSiteFile, pathOf, prefix } from '../generator/contract/paths.ts';
import type { ProblemCode } from '../generator/contract/problem.ts';
import { type Profile, usualProfile } from '../generator/contract/profile.ts';
import { compare, comparisonDefaults } from './comparison/compare.ts';
import type {
  Answer,
  Compressor,
  FileAnswer,
  ProblemAnswer,
  ReadRequest,
  Refusal,
  ResourceName,
  ShimLog,
} from './host.ts';
import { type Computed, computedAnswer, encodeComputed } from './http/computed-answer.ts';
import { routeAnswer, siteFileAnswer } from './http/file-answer.ts';
import { CursorSigner } from './lists/cursor-signing.ts';
import { Lists } from './lists/lists.ts';
import { type ProblemDetails, ProblemError, problemResponse, splitTarget } from './problems.ts';
import { hasCodes, type Question, readQuery, refuseParameters, takesParameters } from './query.ts';
import { BusyError, type QuestionQueue } from './question-queue.ts';
import { QuestionReads, UnwantedError } from './question-reads.ts';
import { type Allowance, type RateLimiter, rateLimitFields } from './rate-limit.ts';
import { defaultSearchLimit, prepareSearch, search } from './search.ts';
import type { CurrentPublication } from './site/current-publication.ts';
import { meantAddress, missingRouteCode } from './site/missing-route.ts';
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
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Decides when questions are answered that take more than a lookup. */
  readonly queue: QuestionQueue;
  /** Compresses computed answers. Null: they are sent as they are. */
  readonly compressor: Compressor | null;
};

/** Decides how a request is answered; the host sends the answer. */
export class Handler {
  readonly #options: HandlerOptions;
  readonly #lists: Lists;

  constructor(options: HandlerOptions) {
    this.#options = options;
    const { publication, log, cursorSecrets: secrets, now } = options;
    const signer = new CursorSigner({ secrets, now, hash: publication.objects.hash });
    this.#lists = new Lists({ publication, log, signer });
  }

  /** Never rejects. */
  answer(request: ReadRequest): Promise<Answer> {
    return this.#orProblem(request, this.#decide(request));
  }

  async #decide(request: ReadRequest): Promise<Answer> {
    if (request.method === 'OPTIONS') return preflight;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return this.#problem(request, 'METHOD_NOT_ALLOWED', { headers: { Allow: allowedMethods } });
    }
    if (request.target.length > targetLimit) return this.#problem(request, 'URI_TOO_LONG');

    const [written, query] = splitTarget(request.target);
    const path = written === `${prefix}/` ? prefix : written;
    const document = (view: PublicationView) => this.#document(view, request, path);
    // Links to the page for people may have a query of somebody else's.
    if (isForPeople(path)) return this.#fromPublication(request, document);
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return this.#siteFile(request, path, query);
    const question = questionOf(path, query, hasCodes(query) ? await this.#profile() : usualProfile);
    if (question === null) return this.#fromPublication(request, document);
    // The next page of an unfiltered list reads one file, like a page on a plain host.
    if (isNextPage(question)) {
      const reads = new QuestionReads();
      return this.#fromPublication(request, (view) => this.#compute(view, request, question, reads));
    }
    return this.#computeInTurn(request, question);
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
   * Answers an address without a query: a precomputed file, or a list with more pages, which is computed because its
   * answer carries a cursor.
   */
  async #document(view: PublicationView, request: ReadRequest, path: string): Promise<Answer> {
    const route = await view.lookup(path);
    if (route === null) return this.#withoutRoute(view, request, path);
    const kind = parsePath(path)?.kind;
    if (kind !== undefined && takesParameters(kind)) {
      const computed = await this.#computed(view, { kind, path, query: {} } as Question, new QuestionReads());
      if (computed) return this.#send(request, kind, computed);
    }
    return this.#outcome(request, routeAnswer(view, route, request));
  }

  /** Answers a question that the rate limit counts: a comparison, a search, or a selection of a list. */
  async #computeInTurn(request: ReadRequest, question: Question): Promise<Answer> {
    const { limiter, queue } = this.#options;
    const { client } = request;
    let allowance: Allowance = (await limiter?.take(client)) ?? { retryAfter: null, quota: null };
    if (allowance.retryAfter !== null) {
      const headers = rateLimitFields(allowance);
      return this.#problem(request, 'RATE_LIMITED', { retryAfter: allowance.retryAfter, headers });
    }
    const reads = new QuestionReads(() => request.isAbandoned ?? false);
    const answering = queue.run(client, async () => {
      reads.requireWanted();
      return this.#fromPublication(request, (view) => this.#compute(view, request, question, reads));
    });
    // A problem counts as well, so it tells what is left too.
    const answer = await this.#orProblem(request, answering);
    if (limiter && reads.points > 1) allowance = await limiter.charge(client, reads.points - 1);
    return { ...answer, headers: { ...answer.headers, ...rateLimitFields(allowance) } };
  }

  async #compute(
    view: PublicationView,
    request: ReadRequest,
    question: Question,
    reads: QuestionReads,
  ): Promise<Answer> {
    const computed = await this.#computed(view, question, reads);
    return computed ? this.#send(request, question.kind, computed) : this.#document(view, request, question.path);
  }

  /** The computed answer of a question; null where a precomputed file is the answer. */
  async #computed(view: PublicationView, question: Question, reads: QuestionReads): Promise<Computed | null> {
    const { hash } = this.#options.publication.objects;
    const of = { revision: view.revision, publishedAt: view.publishedAt, hasCursor: false };
    switch (question.kind) {
      case 'comparison': {
        const comparison = await compare(reads.of(view), { ...comparisonDefaults, ...question.query });
        return encodeComputed(JSON.stringify(comparison), of, hash);
      }
      case 'search': {
        const { q = '', kinds = null, limit = defaultSearchLimit } = question.query;
        // The index is prepared once for all clients, so nobody is charged for it.
        return encodeComputed(JSON.stringify(await search(view, { q, kinds, limit })), of, hash);
      }
      default:
        return this.#lists.answer(view, question, reads);
    }
  }

  async #send(request: ReadRequest, kind: Question['kind'], computed: Computed): Promise<Answer> {
    return this.#outcome(request, await computedAnswer(request, kind, computed, this.#options.compressor));
  }

  /** What is the agency's own, in the served publication; as usual where there is none. */
  async #profile(): Promise<Profile> {
    const { publication } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const view = await publication.view();
      if (view === null) return usualProfile;
      try {
        return await view.profile();
      } catch (error) {
        if (!(error instanceof UnreadableError) || attempt === attempts) throw error;
        if (!(await publication.leave(view, error))) throw error;
      }
    }
  }

  /** Answers from the served publication, and from another one if that is damaged. */
  async #fromPublication(
    request: ReadRequest,
    answerFrom: (view: PublicationView) => Promise<Answer>,
  ): Promise<Answer> {
    const { publication } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const view = await publication.view();
      if (view === null) return this.#problem(request, 'NO_PUBLICATION');
      try {
        return await answerFrom(view);
      } catch (error) {
        if (!(error instanceof UnreadableError) || attempt === attempts) throw error;
        if (!(await publication.leave(view, error))) throw error;
      }
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

  /** Prepares the search index of a publication, so that the first search need not wait for it. Never rejects. */
  async prepare(view: PublicationView): Promise<void> {
    try {
      if (await view.has(pathOf('search_index'))) await prepareSearch(view);
    } catch (error) {
      // The first request that needs the damaged object finds the damage again, and another publication is served then.
      if (error instanceof UnreadableError) return;
      this.#options.log('warn', `revision ${view.revision} could not be made ready for searches: ${stackOf(error)}`);
    }
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

  async #orProblem(request: ReadRequest, answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      return this.#failure(request, error);
    }
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

/**
 * The question that a query asks; null if it asks none, or is at no address of the contract, where nothing is found.
 * Throws a {@link ProblemError} for an invalid one.
 */
function questionOf(path: string, query: string, profile: Profile): Question | null {
  const kind = query === '' ? undefined : parsePath(path)?.kind;
  if (kind === undefined) return null;
  if (takesParameters(kind)) return { kind, path, query: readQuery(kind, query, profile) } as Question;
  refuseParameters(query);
  return null;
}

function isNextPage({ query }: Question): boolean {
  return Object.keys(query).every((name) => name === 'cursor');
}

function resourceOf(target: string): ResourceName {
  if (target.length > targetLimit) return 'none';
  const [path] = splitTarget(target);
  return parsePath(path)?.kind ?? parseSiteFile(path)?.kind ?? 'none';
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
