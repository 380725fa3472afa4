import type { Problem, ProblemCode } from '../../contract/problem.ts';
import { type InvalidParameter, problemResponse } from '../../shim/problems.ts';
import { ProblemError } from '../errors.ts';

/** No host logs a request with this id. */
const requestId = '00000000-0000-0000-0000-000000000000';

/** A problem found in the client, as the service would send it. `target`: the question's path and query. */
export function localProblem(
  root: string,
  target: string,
  code: ProblemCode,
  invalidParameters: readonly InvalidParameter[] = [],
): ProblemError {
  const details = { code, target, requestId, resource: 'none', invalidParameters } as const;
  const { status, body } = problemResponse((path) => path, details);
  return new ProblemError(root + target, status, code, JSON.parse(body) as Problem);
}
