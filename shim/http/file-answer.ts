import type { Answer, FileAnswer, ReadRequest } from '../answer.ts';
import {
  type ByteRange,
  isNotModified,
  isPreconditionFailed,
  parseByteRange,
  rangeApplies,
  type Validators,
} from './conditional.ts';

/** One coding of a file, with its answers prepared. */
export type Coded = {
  readonly validators: Validators;
  readonly unchanged: Answer;
  readonly whole: FileAnswer;
};

/** A condition that does not hold, or a range that lies beyond the end of the file. */
export type Refusal =
  | { readonly kind: 'precondition_failed' }
  | { readonly kind: 'unsatisfiable'; readonly size: number };

/**
 * The whole file, the requested part of it, a 304 if the client has it already, or a refusal, contract.md 5.
 * `isRanged`: the file can be sent in parts, and conditions then compare its entity tag alone.
 */
export function fileAnswer(
  request: ReadRequest,
  { validators, unchanged, whole }: Coded,
  isRanged: boolean,
): Answer | Refusal {
  if (isPreconditionFailed(request.headers, validators, isRanged)) return { kind: 'precondition_failed' };
  if (isNotModified(request.headers, validators, isRanged)) return unchanged;
  const { size } = whole.object;
  const range = isRanged ? requestedRange(request, validators, size) : null;
  if (range === 'unsatisfiable') return { kind: 'unsatisfiable', size };
  if (range === null) return whole;
  const part = {
    'Content-Range': `bytes ${range.start}-${range.end}/${size}`,
    'Content-Length': String(range.end - range.start + 1),
  };
  return { ...whole, status: 206, headers: { ...whole.headers, ...part }, range };
}

/** Range is defined for GET only, RFC 9110 14.2. */
function requestedRange(
  { method, headers }: ReadRequest,
  validators: Validators,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const field = method === 'GET' ? headers.get('range') : null;
  return field !== null && rangeApplies(headers, validators) ? parseByteRange(field, size) : null;
}
