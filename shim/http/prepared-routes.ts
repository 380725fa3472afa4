import { ByteCache } from '../site/byte-cache.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { PreparedRoute } from './route-answer.ts';

/** So many routes of a publication have their heads ready, at some three kilobytes each. */
const defaultLimit = 8192;

/** The routes asked for last, with their heads ready, for each publication that is still in use. */
export class PreparedRoutes {
  readonly #limit: number;
  readonly #byView = new WeakMap<PublicationView, ByteCache<PreparedRoute>>();

  /** `limit`: how many of a publication are kept. */
  constructor(limit = defaultLimit) {
    this.#limit = limit;
  }

  /** One that was prepared before, without waiting for anything. */
  known(view: PublicationView, path: string): PreparedRoute | undefined {
    return this.#byView.get(view)?.get(path);
  }

  /** Null when the publication has no such route. Rejects when its route table cannot be read. */
  async of(view: PublicationView, path: string): Promise<PreparedRoute | null> {
    const known = this.known(view, path);
    if (known) return known;
    const route = await view.lookup(path);
    if (route === null) return null;
    const prepared = new PreparedRoute(view, route);
    this.#cacheOf(view).set(path, prepared, 1);
    return prepared;
  }

  #cacheOf(view: PublicationView): ByteCache<PreparedRoute> {
    const cache = this.#byView.get(view) ?? new ByteCache(this.#limit);
    this.#byView.set(view, cache);
    return cache;
  }
}
