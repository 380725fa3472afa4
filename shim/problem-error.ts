import type { Problem, ProblemCode } from '../generator/contract/problem.ts';

export type InvalidParameter = NonNullable<Problem['invalid_params']>[number];

/** A request that cannot be answered as asked; whoever catches it makes the problem body, contract.md 6. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  /** The parameters that are to blame, as far as a query is. */
  readonly invalidParameters: readonly InvalidParameter[];

  constructor(code: ProblemCode, invalidParameters: readonly InvalidParameter[] = []) {
    super(code);
    this.code = code;
    this.invalidParameters = invalidParameters;
  }
}
