import type { Problem, ProblemCode } from '../contract/problem.ts';

/**
 * The host refused a request, or has nothing at the requested address.
 *
 * @example
 * ```ts
 * import { ProblemError } from 'shelfpress/client';
 *
 * try {
 *   await site.search({ q: '', limit: 1000 });
 * } catch (error) {
 *   if (!(error instanceof ProblemError)) throw error;
 *   console.log(error.code, error.problem?.invalid_params?.map(({ name }) => name));
 * }
 * ```
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly url: string;
  readonly status: number;
  /** See contract.md 6. Null for an error that does not come from the service. */
  readonly code: ProblemCode | null;
  /** The body of the answer; null if the host sends no problem documents. */
  readonly problem: Problem | null;

  constructor(url: string, status: number, code: ProblemCode | null, problem: Problem | null) {
    const parameters = Array.isArray(problem?.invalid_params) ? problem.invalid_params : [];
    // A host may break the contract.
    const reasons = parameters.map((one) => `${shown(one?.name)}: ${shown(one?.reason)}`);
    super(`${url}: ${status} ${[code ? shown(code) : 'without a problem', ...reasons].join('; ')}`);
    this.url = url;
    this.status = status;
    this.code = code;
    this.problem = problem;
  }
}

/**
 * The host cannot be reached, or what it sends is not an answer of a Shelfpress site.
 *
 * @example
 * ```ts
 * import { ConnectionError, openSite } from 'shelfpress/client';
 *
 * try {
 *   await openSite('http://127.0.0.1:9', { attempts: 1 });
 * } catch (error) {
 *   if (!(error instanceof ConnectionError)) throw error;
 *   console.log(error.url, error.message);
 * }
 * ```
 */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
  readonly url: string;

  constructor(url: string, reason: string, options?: { cause?: unknown }) {
    super(`${url}: ${reason}`, options);
    this.url = url;
  }
}

/** The page is offline, and the answer is not on the device. The client computes what it can. */
export class AwayError extends ConnectionError {
  override readonly name = 'AwayError';
}

/**
 * The host answered with something that a Shelfpress site does not have at the address.
 *
 * @example
 * ```ts
 * import { UnexpectedContentError } from 'shelfpress/client';
 *
 * try {
 *   for await (const record of site.records({ url: '/v1/exports/daily.parquet' })) console.log(record);
 * } catch (error) {
 *   if (!(error instanceof UnexpectedContentError)) throw error;
 *   console.log(error.message);
 * }
 * ```
 */
export class UnexpectedContentError extends ConnectionError {
  override readonly name = 'UnexpectedContentError';
}

/**
 * The bytes of a site do not match its pointer, or the pointer does not match its signature.
 *
 * @example
 * ```ts
 * import { openSite, ProofError } from 'shelfpress/client';
 *
 * const site = await openSite('http://127.0.0.1:8080', { proof: true });
 * await site.categories().catch((error: unknown) => {
 *   console.log(error instanceof ProofError ? 'do not trust this host' : 'try again');
 * });
 * ```
 */
export class ProofError extends ConnectionError {
  override readonly name = 'ProofError';
}

/**
 * The site has another publication than when it was opened, or than when a question began. Open it again, or ask again.
 *
 * @example
 * ```ts
 * import { openSite, PublicationChangedError } from 'shelfpress/client';
 *
 * let site = await openSite('http://127.0.0.1:8080', { pinned: true });
 * const [store] = await site.stores().take(1).catch(async (error: unknown) => {
 *   if (!(error instanceof PublicationChangedError)) throw error;
 *   site = await openSite('http://127.0.0.1:8080', { pinned: true });
 *   return site.stores().take(1);
 * });
 * ```
 */
export class PublicationChangedError extends Error {
  override readonly name = 'PublicationChangedError';
  readonly url: string;
  readonly expected: string;
  readonly got: string;

  constructor(url: string, expected: string, got: string) {
    super(`${url}: expected an answer of publication ${expected}, got one of ${got}`);
    this.url = url;
    this.expected = expected;
    this.got = got;
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : typeof value;
}
