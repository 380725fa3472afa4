import { UnreadableError } from '../../contract/site/source.ts';
import { ProblemError as ShimProblem } from '../../shim/problems.ts';
import type { PublicationFiles } from '../../shim/site/publication-files.ts';
import { PublicationChangedError, UnexpectedContentError } from '../errors.ts';
import type { AskOptions } from '../runtime.ts';
import type { Publication, SiteReader } from '../site-reader.ts';
import { HttpPublication, QuestionFiles } from './http-publication.ts';
import { localProblem } from './local-problem.ts';

/** A question is asked this often while the site keeps changing. */
const attempts = 3;

/** Milliseconds for which the pointer is trusted, as its Cache-Control says. */
const pointerAge = 5000;

/** What is kept between questions: the pointer as last read, and the files of the publication that last answered. */
type Kept = {
  pointer: { readonly publication: Publication; readonly at: number } | null;
  files: HttpPublication | null;
};

const keptFor = new WeakMap<SiteReader, Kept>();

/**
 * Answers a question from the files of one publication: the pinned one, or the newest. If the site changes in the
 * meantime, asks again with the newer one. `target`: the question as a path with its query, for problems.
 */
export async function inOnePublication<Answer>(
  reader: SiteReader,
  target: string,
  { signal }: AskOptions,
  question: (files: PublicationFiles) => Promise<Answer>,
): Promise<Answer> {
  const proven = reader.proven({ signal }, (files) => question(files));
  if (proven !== null) {
    return proven.then(structuredClone<Answer>, (error) => {
      throw asClientError(error, reader, target);
    });
  }
  const kept = keptFor.get(reader) ?? { pointer: null, files: null };
  keptFor.set(reader, kept);
  let revision = await revisionToAsk(reader, kept, { signal });
  for (let attempt = 1; ; attempt += 1) {
    if (kept.files?.revision !== revision) kept.files = new HttpPublication(reader, revision);
    const files = new QuestionFiles(kept.files, signal);
    try {
      // The answer may share parts with values that are kept for later questions.
      return structuredClone(await confirmed(files, () => question(files)));
    } catch (error) {
      if (!(error instanceof PublicationChangedError)) throw asClientError(error, reader, target);
      // The files may come from either publication.
      if (kept.files?.revision === revision) kept.files = null;
      kept.pointer = null;
      if (reader.isPinned) throw error;
      if (attempt === attempts) return byHashes(reader, error, target, { signal }, question);
      revision = error.got;
    }
  }
}

/**
 * Reads objects of the publication that the pointer names, so that a cache with files of several publications cannot
 * mix them. A page without cryptography cannot do this.
 */
async function byHashes<Answer>(
  { addresses, requests }: SiteReader,
  error: PublicationChangedError,
  target: string,
  options: AskOptions,
  question: (files: PublicationFiles) => Promise<Answer>,
): Promise<Answer> {
  if (globalThis.crypto?.subtle === undefined) throw error;
  const { withoutEval } = await import('../without-eval.ts');
  const { proveSite } = await withoutEval(() => import('../proof/proven-reader.ts'));
  const reader = await proveSite({ addresses, requests, isPinned: false, key: null }, options);
  return inOnePublication(reader, target, options, question);
}

async function revisionToAsk(reader: SiteReader, kept: Kept, options: AskOptions): Promise<string> {
  if (reader.isPinned) return reader.publication.revision;
  if (kept.pointer === null || performance.now() - kept.pointer.at > pointerAge) {
    const publication = await reader.newest(options);
    kept.pointer = { publication, at: performance.now() };
  }
  return kept.pointer.publication.revision;
}

/** Confirms that the files of an answer, or of a problem, belong to one publication. */
async function confirmed<Answer>(files: QuestionFiles, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await ask();
    await files.confirm();
    return answer;
  } catch (error) {
    if (error instanceof ShimProblem || error instanceof UnreadableError) await files.confirm();
    throw error;
  }
}

function asClientError(error: unknown, { addresses }: SiteReader, target: string): unknown {
  if (error instanceof ShimProblem) return localProblem(addresses.root, target, error.code, error.invalidParameters);
  // The shim cannot read the host's files, whose shape its schemas check only in part.
  const isFileFault = error instanceof UnreadableError || error instanceof TypeError || error instanceof RangeError;
  if (!isFileFault) return error;
  return new UnexpectedContentError(addresses.root + target, error.message, { cause: error });
}
