import { allowedMethods, commonHeaders, preflightHeaders } from '../contract/headers.ts';
import { type Addresser, isOutsideContract, parsePath, parseSiteFile, prefix } from '../contract/paths.ts';
import { type Profile, usualProfile } from '../contract/profile.ts';
import { UnreadableError } from '../contract/site/source.ts';
import { compare, comparisonDefaults } from './comparison/compare.ts';
import {
  type Answer,
  type Compressor,
  type FileAnswer,
  loggedTarget,
  type ProblemAnswer,
  type ReadRequest,
  type ResourceName,
  type ShimLog,
} from './host.ts';
import { type Computed, computedAnswer, computedFrom, encodeComputed } from './http/computed-answer.ts';
import { RouteAnswers, siteFileAnswer } from './http/file-answer.ts';
import { CursorSigner } from './lists/cursor-signing.ts';
import { Lists } from './lists/lists.ts';
import { ProblemError, problemResponse, splitTarget } from './problems.ts';
import { hasCodes, type Question, readQuery, refuseParameters, takesParameters } from './query.ts';
import type { QuestionQueue } from './question-queue.ts';
import { QuestionReads } from './question-reads.ts';
import { type Allowance, type RateLimiter, rateLimitFields } from './rate-limit.ts';
import { defaultSearchLimit, search } from './search.ts';
import type { CurrentPublication } from './site/current-publication.ts';
import { likelyAddress, missingRouteCode } from './site/missing-route.ts';
import type { PublicationView } from './site/publication-view.ts';

const targetLimit = 8192;

/** How many publications are tried for a request when an object turns out to be damaged. */
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
  /** The rate limit; null for none. */
  readonly limiter: RateLimiter | null;
  /** The first one signs cursors; cursors signed by any of them are accepted. */
  readonly cursorSecrets: readonly [string, ...string[]];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Decides when questions that take more than a lookup are answered. */
  readonly queue: QuestionQueue;
  /** Compresses computed answers. Null: they are sent uncompressed. */
  readonly compressor: Compressor | null;
};

/** Decides how a request is answered; the host sends the answer. */
export class Handler {
  readonly #options: HandlerOptions;
  readonly #lists: Lists;

  constructor(options: HandlerOptions) {
    this.#options = options;
    const { publication, log, cursorSecrets: secrets, now } = options;
    const signer = new CursorSigner({ secrets, now });
    this.#lists = new Lists({ publication, log, signer });
  }

  /** Answers at once what is kept. Never throws or rejects. */
  answer(request: ReadRequest): Answer | Promise<Answer> {
    try {
      return this.#keptAnswer(request) ?? this.#orProblem(request, this.#decide(request));
    } catch (error) {
      return this.#problemFor(request, error);
    }
  }

  /** The answer from a file whose route was requested before; otherwise null. */
  #keptAnswer(request: ReadRequest): Answer | null {
    const { method, target } = request;
    if (method !== 'GET' && method !== 'HEAD') return null;
    return this.#options.publication.presentView?.answers.get(target)?.answer(request) ?? null;
  }

  async #decide(request: ReadRequest): Promise<Answer> {
    const { method, target } = request;
    if (method === 'OPTIONS') return preflight;
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ProblemError('METHOD_NOT_ALLOWED', [], { headers: { Allow: allowedMethods } });
    }
    if (target.length > targetLimit) throw new ProblemError('URI_TOO_LONG');

    const [written, query] = splitTarget(target);
    const path = written === `${prefix}/` ? prefix : written;
    const document = () => this.#fromPublication((view) => this.#document(view, request, path));
    // Links to the explorer may carry another site's query parameters.
    if (isOutsideContract(path)) return document();
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return this.#siteFile(request, path, query);
    const profile = () =>
      this.#fromPublication<Profile>(
        (view) => view.profile(),
        () => usualProfile,
      );
    const question = readQuestion(path, query, hasCodes(query) ? await profile() : usualProfile);
    if (question === null) return document();
    // The next page of an unfiltered list reads one file, like a page on a plain host.
    if (isNextPage(question)) return this.#answerTo(request, question, new QuestionReads());
    return this.#answerQueued(request, question);
  }

  /** Answers requests for the files that mirrors read, which are not among the contract's addresses. */
  async #siteFile(request: ReadRequest, path: string, query: string): Promise<Answer> {
    const file = parseSiteFile(path);
    if (file === null) throw new ProblemError('RESOURCE_NOT_FOUND');
    if (query !== '') refuseParameters(query);
    const { publication } = this.#options;
    const answer = await siteFileAnswer(publication.source, () => publication.readPointer(), request, file);
    if (answer !== null) return answer;
    throw new ProblemError(file.kind === 'pointer' ? 'NO_PUBLICATION' : 'RESOURCE_NOT_FOUND');
  }

  /**
   * Answers an address without a query: with a precomputed file, or with a computed answer for a list with more pages,
   * because that carries a cursor.
   */
  async #document(view: PublicationView, request: ReadRequest, path: string): Promise<Answer> {
    const route = await view.lookup(path);
    const kind = parsePath(path)?.kind;
    if (route === null) {
      // Comparisons and searches have no file and require parameters. Reading the empty query throws the problem that
      // names them.
      if (kind === 'comparison' || kind === 'search') readQuery(kind, '');
      const code = await missingRouteCode(view, path);
      throw new ProblemError(code, [], { suggestion: await likelyAddress(view, path) });
    }
    if (kind !== undefined && takesParameters(kind)) {
      const computed = await this.#computed(view, { kind, path, query: {} } as Question, new QuestionReads());
      if (computed) return computedAnswer(request, kind, computed, this.#options.compressor);
    }
    const answers = new RouteAnswers(view, route);
    if (answers.areFinal) view.answers.set(path, answers, 1);
    return answers.answer(request);
  }

  /** Answers a question that the rate limit counts: a comparison, a search, or a selection of a list. */
  async #answerQueued(request: ReadRequest, question: Question): Promise<Answer> {
    const { limiter, queue } = this.#options;
    const { client } = request;
    let allowance: Allowance = (await limiter?.count(client, 1)) ?? { retryAfter: null, quota: null };
    const { retryAfter } = allowance;
    if (retryAfter !== null) {
      throw new ProblemError('RATE_LIMITED', [], { retryAfter, headers: rateLimitFields(allowance) });
    }
    const reads = new QuestionReads(() => request.isAbandoned ?? false);
    const answering = queue.run(client, async () => {
      reads.throwIfAbandoned();
      return this.#answerTo(request, question, reads);
    });
    // A problem counts too, so it also says what is left.
    const answer = await this.#orProblem(request, answering);
    if (limiter && reads.points > 1) allowance = await limiter.count(client, reads.points - 1);
    return { ...answer, headers: { ...answer.headers, ...rateLimitFields(allowance) } };
  }

  #answerTo(request: ReadRequest, question: Question, reads: QuestionReads): Promise<Answer> {
    return this.#fromPublication(async (view) => {
      const computed = await this.#computed(view, question, reads);
      if (computed === null) return this.#document(view, request, question.path);
      return computedAnswer(request, question.kind, computed, this.#options.compressor);
    });
  }

  /** The computed answer of a question; null where a precomputed file is the answer. */
  async #computed(view: PublicationView, question: Question, reads: QuestionReads): Promise<Computed | null> {
    const { hash } = this.#options.publication.objects;
    const of = computedFrom(view);
    switch (question.kind) {
      case 'comparison': {
        const comparison = await compare(reads.of(view), { ...comparisonDefaults, ...question.query });
        return encodeComputed(JSON.stringify(comparison), of, hash);
      }
      case 'search': {
        const { q = '', kinds = null, limit = defaultSearchLimit } = question.query;
        // The index is prepared once for all clients, so no client is charged for it.
        return encodeComputed(JSON.stringify(await search(view, { q, kinds, limit })), of, hash);
      }
      default:
        return this.#lists.answer(view, question, reads);
    }
  }

  /**
   * Reads from the served publication, or from another one if that is damaged. `otherwise`: the result if there is no
   * publication to read.
   */
  async #fromPublication<Found = Answer>(
    find: (view: PublicationView) => Promise<Found>,
    otherwise: () => Found = () => {
      throw new ProblemError('NO_PUBLICATION');
    },
  ): Promise<Found> {
    const { publication } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const view = await publication.view();
      if (view === null) return otherwise();
      try {
        return await find(view);
      } catch (error) {
        if (!(error instanceof UnreadableError) || attempt === attempts) throw error;
        if (!(await publication.leave(view, error))) throw error;
      }
    }
  }

  /** Replaces an answer whose object the host failed to read: with one from another publication, or with a problem. */
  answerAfter(request: ReadRequest, { view }: FileAnswer, error: unknown): Promise<Answer> {
    const again = async () => {
      const isDamaged = error instanceof UnreadableError && view !== null;
      if (isDamaged && (await this.#options.publication.leave(view, error))) return this.answer(request);
      throw error;
    };
    return this.#orProblem(request, again());
  }

  async #orProblem(request: ReadRequest, answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      return this.#problemFor(request, error);
    }
  }

  #problemFor({ id, method, target }: ReadRequest, error: unknown): ProblemAnswer {
    const details = { target, requestId: id, resource: resourceName(target) };
    const { address, log } = this.#options;
    if (error instanceof ProblemError) {
      const { code, invalidParameters } = error;
      return problemResponse(address, { code, invalidParameters, ...details, ...error.details });
    }
    const code = error instanceof UnreadableError ? 'NO_PUBLICATION' : 'INTERNAL';
    const reason = error instanceof UnreadableError ? error.message : ((error as Error | null)?.stack ?? String(error));
    log('error', `${code}: ${reason}`, { request_id: id, method, target: loggedTarget(target) });
    return problemResponse(address, { code, ...details });
  }
}

/**
 * The question in a query; null if there is none, or if the path is not an address of the contract, where nothing is
 * found. Throws a {@link ProblemError} for an invalid query.
 */
function readQuestion(path: string, query: string, profile: Profile): Question | null {
  const kind = query === '' ? undefined : parsePath(path)?.kind;
  if (kind === undefined) return null;
  if (takesParameters(kind)) return { kind, path, query: readQuery(kind, query, profile) } as Question;
  refuseParameters(query);
  return null;
}

function isNextPage({ query }: Question): boolean {
  return Object.keys(query).every((name) => name === 'cursor');
}

function resourceName(target: string): ResourceName {
  if (target.length > targetLimit) return 'none';
  const [path] = splitTarget(target);
  return parsePath(path)?.kind ?? parseSiteFile(path)?.kind ?? 'none';
}
