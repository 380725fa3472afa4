import type { Problem, ProblemCode } from '../generator/contract/problem.ts';

export type InvalidParameter = NonNullable<Problem['invalid_params']>[number];

/** A request that cannot be answered as asked; whoever catches it makes the problem body, contract.md 6. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  /** Every offending parameter, of an `INVALID_PARAMETER`. */
  readonly invalidParameters: readonly InvalidParameter[];

  constructor(code: ProblemCode, invalidParameters: readonly InvalidParameter[] = []) {
    super(code);
    this.code = code;
    this.invalidParameters = invalidParameters;
  }
}
