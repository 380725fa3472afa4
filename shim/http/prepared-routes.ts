import { ByteCache } from '../site/byte-cache.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { PreparedRoute } from './route-answer.ts';

/** So many routes of a publication have their heads ready, at some three kilobytes each. */
const defaultLimit = 4096;

/**
 * The routes asked for last, with their heads ready, of the publication that is served. What goes on in another one is
 * answered from its route table.
 */
export class PreparedRoutes {
  readonly #limit: number;
  #view: PublicationView | null = null;
  #routes: ByteCache<PreparedRoute>;

  /** `limit`: how many are kept. */
  constructor(limit = defaultLimit) {
    this.#limit = limit;
    this.#routes = new ByteCache(limit);
  }

  /** One of the publication that is served, prepared before: without waiting for anything. */
  known(served: PublicationView, path: string): PreparedRoute | undefined {
    if (served !== this.#view) {
      this.#view = served;
      this.#routes = new ByteCache(this.#limit);
    }
    return this.#routes.get(path);
  }

  /** Null when the publication has no such route. Rejects when its route table cannot be read. */
  async of(view: PublicationView, path: string): Promise<PreparedRoute | null> {
    const known = view === this.#view ? this.#routes.get(path) : undefined;
    if (known) return known;
    const route = await view.lookup(path);
    if (route === null) return null;
    const prepared = new PreparedRoute(view, route);
    if (view === this.#view) this.#routes.set(path, prepared, 1);
    return prepared;
  }
}
