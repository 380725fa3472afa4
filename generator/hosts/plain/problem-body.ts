import { pathOf } from '../../contract/paths.ts';
import { type ProblemCode, problemKinds } from '../../contract/problem.ts';
import type { PlainSite } from './plain-site.ts';

/** What a host fills in itself, in its own way of naming it. */
export type ProblemVariables = {
  readonly instance: string;
  readonly requestId: string;
  /** The parameter that is to blame. */
  readonly parameter: string;
};

/** The body of a problem, contract.md 6, with a host's variables in it. */
export function problemBody({ address }: PlainSite, code: ProblemCode, variables: ProblemVariables): string {
  const { title, status, detail } = problemKinds[code];
  return JSON.stringify({
    type: address(pathOf('problem', { problem: code })),
    title,
    status,
    detail,
    instance: variables.instance,
    code,
    request_id: variables.requestId,
    ...(code === 'INVALID_PARAMETER' ? { invalid_params: [{ name: variables.parameter, reason }] } : {}),
  });
}

const reason = 'is not answered here: this host serves files and computes nothing';
