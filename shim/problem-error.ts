import type { Problem, ProblemCode } from '../generator/contract/problem.ts';

export type InvalidParameter = NonNullable<Problem['invalid_params']>[number];

/** A request that cannot be answered as asked. The handler turns it into a problem body, contract.md 6. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  /** The offending parameters; empty when the cause is not in the query. */
  readonly invalidParameters: readonly InvalidParameter[];

  constructor(code: ProblemCode, invalidParameters: readonly InvalidParameter[] = []) {
    super(code);
    this.code = code;
    this.invalidParameters = invalidParameters;
  }
}
