import { ProblemError } from './problems.ts';
import { PublicationFiles } from './site/publication-files.ts';
import type { PublicationView } from './site/publication-view.ts';
import type { Reading } from './site/reading.ts';

/** Bytes of files that cost a question one more point. */
const bytesPerPoint = 1_000_000;

/** The most points that a question costs. */
const mostPoints = 10;

/**
 * Counts what a question reads from the site, whether or not it is in memory, so that a question costs the same on
 * every host. If the client has gone, ends the question before its next read: finishing the answer would only delay
 * others.
 */
export class QuestionReads {
  #bytes = 0;
  readonly #isAbandoned: () => boolean;

  constructor(isAbandoned = () => false) {
    this.#isAbandoned = isAbandoned;
  }

  /**
   * What the question costs: one point, unless it read a megabyte or more. A plain question reads a few small files or
   * a page or two; a selection that reads a hundred pages costs as much as seven of them.
   */
  get points(): number {
    return Math.min(mostPoints, 1 + Math.floor(this.#bytes / bytesPerPoint));
  }

  /** A publication's files for this question. */
  of(view: PublicationView): PublicationFiles {
    return new CountedFiles(view, (bytes) => {
      this.throwIfAbandoned();
      this.#bytes += bytes;
    });
  }

  /** Ends the question of a client that has gone, with a problem that nobody receives. */
  throwIfAbandoned(): void {
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
