import { ProblemError } from './problems.ts';
import { PublicationFiles } from './site/publication-files.ts';
import type { PublicationView } from './site/publication-view.ts';
import type { Reading } from './site/verified-objects.ts';

/** Bytes of files for which a question counts one more. */
const bytesPerPoint = 1_000_000;

/** The dearest question, in points. */
const mostPoints = 10;

/**
 * Counts what one question reads of the site, whether or not it is in memory: a question costs the same on every host.
 * Ends the question before its next reading when its client has gone: to compute the answer to its end would only delay
 * others.
 */
export class QuestionReads {
  #bytes = 0;
  readonly #isAbandoned: () => boolean;

  constructor(isAbandoned = () => false) {
    this.#isAbandoned = isAbandoned;
  }

  /**
   * What the question counts. One, unless it read a megabyte or more: a plain question reads a few small files or a page
   * or two, and a selection that reads a hundred pages counts as seven of them.
   */
  get points(): number {
    return Math.min(mostPoints, 1 + Math.floor(this.#bytes / bytesPerPoint));
  }

  /** The files of a publication for this question. */
  of(view: PublicationView): PublicationFiles {
    return new CountedFiles(view, (bytes) => {
      this.requireWanted();
      this.#bytes += bytes;
    });
  }

  /** Ends the question with a problem that is sent to no one. */
  requireWanted(): void {
    if (this.#isAbandoned()) throw new ProblemError('RATE_LIMITED', [], { retryAfter: 1 });
  }
}

class CountedFiles extends PublicationFiles {
  readonly #view: PublicationView;
  readonly #count: (bytes: number) => void;

  constructor(view: PublicationView, count: (bytes: number) => void) {
    super();
    this.#view = view;
    this.#count = count;
  }

  override has(path: string): Promise<boolean> {
    return this.#view.has(path);
  }

  override async read<Value>(path: string, reading: Reading<Value>): Promise<Value | null> {
    const [value = null] = await this.readAll([path], reading);
    return value;
  }

  override async readAll<Value>(paths: readonly string[], reading: Reading<Value>): Promise<(Value | null)[]> {
    const routes = await this.#view.lookupAll(paths);
    for (const route of routes) if (route !== null) this.#count(route.size);
    return Promise.all(routes.map((route) => route && this.#view.objects.read(reading, route)));
  }
}
