import { documentedPublications, type ObjectReference, type Pointer } from '../../generator/contract/formats/site.ts';
import { type PublicationReference, PublicationView } from './publication-view.ts';
import { UnreadableError, type VerifiedObjects } from './verified-objects.ts';

/**
 * `chosen`: the publication to serve, null where none can be loaded. `failure`: why the current one cannot be loaded,
 * if so.
 */
export type Choice = {
  readonly chosen: { readonly publication: PublicationReference; readonly view: PublicationView } | null;
  readonly failure: UnreadableError | null;
};

/** Remembers which publications have damaged objects, and chooses the one to serve. */
export class SoundPublications {
  readonly #objects: VerifiedObjects;
  readonly #recheckAfterMs: number;
  readonly #views = new Map<string, PublicationView>();
  /** By publication: the object that failed, and when it was last tried. */
  readonly #damaged = new Map<string, { readonly reference: ObjectReference; since: number }>();

  constructor(objects: VerifiedObjects, recheckAfterMs: number) {
    this.#objects = objects;
    this.#recheckAfterMs = recheckAfterMs;
  }

  /**
   * Chooses the first publication without damage, the current one first, then the recent ones, then the kept ones. If
   * all are damaged, chooses the first that can be loaded. `recent`: the publications served last.
   */
  async choose(pointer: Pointer, recent: readonly PublicationReference[]): Promise<Choice> {
    const [current, ...kept] = documentedPublications(pointer);
    const names = new Set([current, ...kept].map(keyOf));
    const candidates = [current, ...recent.filter((publication) => !names.has(keyOf(publication))), ...kept];
    keepOnly(this.#damaged, candidates);
    keepOnly(this.#views, candidates);
    let failure: UnreadableError | null = null;
    let chosen: Choice['chosen'] = null;
    for (const publication of candidates) {
      try {
        const view = await this.load(publication);
        const isDamaged = this.#damaged.has(keyOf(publication));
        if (!isDamaged || chosen === null) chosen = { publication, view };
        if (!isDamaged) break;
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        if (publication === current) failure = error;
        this.leave(publication, publication.routes);
      }
    }
    return { chosen, failure };
  }

  /** Rejects with an {@link UnreadableError} when the route table's root is damaged. */
  async load(publication: PublicationReference): Promise<PublicationView> {
    const key = keyOf(publication);
    const known = this.#views.get(key);
    if (known) return known;
    const view = await PublicationView.load(this.#objects, publication);
    this.#views.set(key, view);
    return view;
  }

  /** Records that an object of a publication failed its hash. The publication is chosen only if there is no other. */
  leave(publication: PublicationReference, reference: ObjectReference): void {
    this.#damaged.set(keyOf(publication), { reference, since: performance.now() });
  }

  /** Whether an object that failed can be read now, so that its publication can be tried again. */
  async isRepaired(): Promise<boolean> {
    let isRepaired = false;
    const now = performance.now();
    for (const [key, damage] of this.#damaged) {
      if (now - damage.since < this.#recheckAfterMs) continue;
      damage.since = now;
      try {
        await this.#objects.bytes('object', damage.reference);
        this.#damaged.delete(key);
        isRepaired = true;
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
      }
    }
    return isRepaired;
  }
}

export function keyOf({ revision, routes }: PublicationReference): string {
  return `${revision} ${routes.sha256}`;
}

function keepOnly(map: Map<string, unknown>, publications: readonly PublicationReference[]): void {
  const names = new Set(publications.map(keyOf));
  for (const key of map.keys()) if (!names.has(key)) map.delete(key);
}
