import type { Problem, ProblemCode } from '../contract/problem.ts';

/** The host refused a request, or has nothing at its address. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly url: string;
  readonly status: number;
  /** The problem's code, contract.md 6; null for an error that does not come from the service. */
  readonly code: ProblemCode | null;
  /** The body of the answer; null if the host sends no problem documents. */
  readonly problem: Problem | null;

  constructor(url: string, status: number, code: ProblemCode | null, problem: Problem | null) {
    const parameters = Array.isArray(problem?.invalid_params) ? problem.invalid_params : [];
    // A host may send something that the contract does not allow.
    const reasons = parameters.map((one) => `${textOf(one?.name)}: ${textOf(one?.reason)}`);
    super(`${url}: ${status} ${[code ? textOf(code) : 'without a problem', ...reasons].join('; ')}`);
    this.url = url;
    this.status = status;
    this.code = code;
    this.problem = problem;
  }
}

/** The host cannot be reached, or what it sends is no answer of a Shelfpress site. */
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

/** An answer came, and is not what the address holds in a Shelfpress site. */
export class UnexpectedContentError extends ConnectionError {
  override readonly name = 'UnexpectedContentError';
}

/** The bytes of a site are not what its pointer names, or the pointer is not what its key signed. */
export class ProofError extends ConnectionError {
  override readonly name = 'ProofError';
}

/**
 * The site has another publication than the one that was opened, or than the one that a question began with. Open the
 * site again, or ask again.
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

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value;
}
