import { ConnectionError, ProblemError, PublicationChangedError, UnexpectedContentError } from '../../client/errors.ts';

/** What went wrong, as far as a reader can do something about it. `refused`: the host does not accept what is asked. */
export type FailureKind = 'unreachable' | 'busy' | 'missing' | 'refused' | 'changed' | 'other';

export function failureKind(error: Error): FailureKind {
  if (error instanceof ProblemError) {
    if (error.status >= 500 || error.status === 429) return 'busy';
    return error.status === 404 || (error.code?.endsWith('NOT_FOUND') ?? false) ? 'missing' : 'refused';
  }
  if (error instanceof PublicationChangedError) return 'changed';
  // A host that answers with something else, such as the page of a network's login, is there and of no use.
  if (error instanceof UnexpectedContentError) return 'busy';
  if (error instanceof ConnectionError) return hasNoAnswer(error) ? 'unreachable' : 'busy';
  return isMissingCode(error) ? 'unreachable' : 'other';
}

/** Whether no answer came, and not one that was of no use. */
function hasNoAnswer({ cause }: ConnectionError): boolean {
  return cause !== undefined && !(cause instanceof ProblemError);
}

/** Whether a part of the page's own code did not come. Each browser says it in words of its own, which all name the module. */
function isMissingCode(error: Error): boolean {
  return error instanceof TypeError && /\bmodule\b/.test(error.message);
}

const failed = new Set<() => void>();

/** Has something that failed read again by {@link readAgain}, until the returned function is called. */
export function onReadAgain(again: () => void): () => void {
  failed.add(again);
  return () => {
    failed.delete(again);
  };
}

/** Reads again all that failed in the page: what one part lacks, others may lack without a word. */
export function readAgain(): void {
  for (const again of [...failed]) again();
}
