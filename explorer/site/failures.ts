import { ConnectionError, ProblemError, PublicationChangedError, UnexpectedContentError } from '../../client/errors.ts';

/** What went wrong, in terms of what a reader can do about it. `refused`: the host does not accept the request. */
export type FailureKind = 'unreachable' | 'busy' | 'missing' | 'refused' | 'changed' | 'other';

export function failureKind(error: Error): FailureKind {
  if (error instanceof ProblemError) {
    if (error.status >= 500 || error.status === 429) return 'busy';
    return error.status === 404 || (error.code?.endsWith('NOT_FOUND') ?? false) ? 'missing' : 'refused';
  }
  if (error instanceof PublicationChangedError) return 'changed';
  // Something answered, but not the host: for example the login screen of a network.
  if (error instanceof UnexpectedContentError) return 'busy';
  if (error instanceof ConnectionError) return hasNoAnswer(error) ? 'unreachable' : 'busy';
  return isMissingCode(error) ? 'unreachable' : 'other';
}

/** Whether there was no answer at all, rather than a useless one. */
function hasNoAnswer({ cause }: ConnectionError): boolean {
  return cause !== undefined && !(cause instanceof ProblemError);
}

/**
 * Whether a part of the explorer's own code did not load. Every browser words this differently, but all mention the
 * module.
 */
function isMissingCode(error: Error): boolean {
  return error instanceof TypeError && /\bmodule\b/.test(error.message);
}

const failed = new Set<() => void>();

/** Registers a function that {@link readAgain} calls to repeat a failed read, until the returned function is called. */
export function onReadAgain(again: () => void): () => void {
  failed.add(again);
  return () => {
    failed.delete(again);
  };
}

/** Repeats every failed read: parts of a view may lack data without saying so. */
export function readAgain(): void {
  for (const again of [...failed]) again();
}
