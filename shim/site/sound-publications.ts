import { documentedPublications, type ObjectReference, type Pointer } from '../../generator/contract/formats/site.ts';
import { type PublicationReference, PublicationView } from './publication-view.ts';
import { UnreadableError, type VerifiedObjects } from './verified-objects.ts';

/** The publication to serve, null where none can be loaded; and why the current one could not be, if so. */
export type Choice = {
  readonly chosen: { readonly publication: PublicationReference; readonly view: PublicationView } | null;
  readonly failure: UnreadableError | null;
};

/** Knows which publications failed their hashes, and which to serve then. */
export class SoundPublications {
  readonly #objects: VerifiedObjects;
  readonly #recheckAfterMs: number;
  readonly #views = new Map<string, PublicationView>();
  /** What failed of a publication, and when it was last tried. */
  readonly #damaged = new Map<string, { readonly reference: ObjectReference; since: number }>();

  constructor(objects: VerifiedObjects, recheckAfterMs: number) {
    this.#objects = objects;
    this.#recheckAfterMs = recheckAfterMs;
  }

  /**
   * Settles on the newest publication of which nothing failed; on the newest one that can be loaded at all, if something
   * failed of each. `recent`: those served lately, which come right after the current one.
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

  /** An object of a publication failed its hash: it is not chosen any more while there is another. */
  leave(publication: PublicationReference, reference: ObjectReference): void {
    this.#damaged.set(keyOf(publication), { reference, since: performance.now() });
  }

  /** Whether something that failed can be read now, so that its publication deserves another try. */
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
