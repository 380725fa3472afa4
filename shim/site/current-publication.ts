import { documentedPublications, type ObjectReference, type Pointer } from '../../contract/schemas/site-files.ts';
import { knownPointer } from '../../contract/site/pointer.ts';
import { UnreadableError } from '../../contract/site/source.ts';
import type { ServedSource, ShimLog } from '../host.ts';
import { type PublicationReference, PublicationView } from './publication-view.ts';
import { type ObjectsOptions, VerifiedObjects } from './verified-objects.ts';

/** A damaged object is read again after this many intervals. */
const recheckAfter = 20;

type CurrentPublicationOptions = ObjectsOptions & {
  readonly source: ServedSource;
  readonly log: ShimLog;
  /** Milliseconds between two readings of the pointer. */
  readonly checkEveryMs: number;
};

/**
 * Follows the pointer from publication to publication.
 *
 * A pointer that cannot be read changes nothing. When an object of the served publication is damaged, the last sound
 * publication is served instead: the one served before, otherwise the newest kept publication that the pointer names.
 * The damaged publication is served again once the object can be read. When the pointer is gone, there is no
 * publication.
 */
export class CurrentPublication {
  readonly #options: CurrentPublicationOptions;
  readonly objects: VerifiedObjects;
  readonly #publications: SoundPublications;
  #view: PublicationView | null = null;
  /** The publication that is served, and the one before it. */
  #recent: readonly PublicationReference[] = [];
  #pointer: Pointer | null = null;
  #pointerBytes: Uint8Array | null = null;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checkCount = 0;
  #newestCheck = 0;
  #lastMessage = '';

  constructor(options: CurrentPublicationOptions) {
    this.#options = options;
    this.objects = new VerifiedObjects(options.source, options);
    this.#publications = new SoundPublications(this.objects, options.checkEveryMs * recheckAfter);
  }

  /** The source of the site's files, which does not verify them. */
  get source(): ServedSource {
    return this.#options.source;
  }

  /** The view to answer a request from at once; null if the pointer has to be read before, or there is no view. */
  get presentView(): PublicationView | null {
    return this.#isCheckDue ? null : this.#view;
  }

  /** The view to answer a request from; null when there is no publication to read. */
  async view(): Promise<PublicationView | null> {
    if (this.#isCheckDue) {
      // While this request reads the pointer, others use the present view.
      if (this.#view) this.#checkedAt = performance.now();
      await this.check();
    }
    return this.#view;
  }

  get #isCheckDue(): boolean {
    return performance.now() - this.#checkedAt >= this.#options.checkEveryMs;
  }

  /**
   * The present bytes of the pointer. Later requests are answered from its publication or a later one, so that a client
   * that reads the pointer first finds what it names.
   */
  async readPointer(): Promise<Uint8Array | null> {
    const bytes = await this.#options.source.readPointer();
    const isFollowed = bytes === null ? this.#view === null : sameBytes(bytes, this.#pointerBytes);
    if (!isFollowed) await this.check();
    return bytes;
  }

  /** The view of a kept publication; null when the pointer does not name it as one. */
  async kept(revision: string): Promise<PublicationView | null> {
    if (this.#view?.revision === revision) return this.#view;
    const found =
      this.#pointer && documentedPublications(this.#pointer).find((publication) => publication.revision === revision);
    return found ? PublicationView.load(this.objects, found) : null;
  }

  /** The pointer's entry for a publication whose exports and events are retained; null when it has none. */
  retained(revision: string): Pointer['publications'][number] | null {
    return this.#pointer?.publications.find((publication) => publication.revision === revision) ?? null;
  }

  /**
   * Handles an object of a view that could not be read. Either the pointer has moved and the view is no longer kept, or
   * the publication is damaged and another one is served. Resolves with true when there is another view to answer from.
   */
  async leave(view: PublicationView, error: UnreadableError): Promise<boolean> {
    await this.check();
    if (this.#view !== view) return this.#view !== null;
    const [served] = this.#recent;
    if (error.reference === null || served === undefined || this.#pointer === null) return false;
    this.#publications.recordDamage(served, error.reference);
    this.#serve(await this.#publications.choose(this.#pointer, this.#recent));
    const now = this.#view;
    const instead = now === view ? 'there is no other to serve' : `revision ${now.revision} is served instead`;
    this.#options.log('error', `revision ${view.revision} is damaged, ${instead}: ${error.message}`);
    return now !== view;
  }

  /**
   * Reads the pointer. For hosts that check even without requests, so that no request has to wait for it. Never
   * rejects.
   */
  async check(): Promise<void> {
    try {
      await this.#follow(++this.#checkCount);
      const [served] = this.#recent;
      if (this.#view === null) this.#complain('nothing is published yet: waiting for the pointer of a build');
      else if (served && this.#pointer && publicationKey(served) === publicationKey(this.#pointer)) this.#complain('');
    } catch (error) {
      const kept = this.#view ? `still serving revision ${this.#view.revision}` : 'nothing can be served';
      this.#complain(`the publication cannot be read, ${kept}: ${String(error)}`);
    } finally {
      this.#checkedAt = performance.now();
    }
  }

  async #follow(check: number): Promise<void> {
    const bytes = await this.#options.source.readPointer();
    const isSame = this.#view !== null && bytes !== null && sameBytes(bytes, this.#pointerBytes);
    if (isSame && !(await this.#publications.isRepaired())) return;
    const pointer = bytes && readablePointer(bytes);
    const choice = pointer && (await this.#publications.choose(pointer, this.#recent));
    // Readings of the pointer can overlap. One that began earlier must not bring back an older publication.
    if (check < this.#newestCheck) return;
    this.#newestCheck = check;
    this.#pointer = pointer;
    this.#pointerBytes = bytes;
    if (choice === null) this.#view = null;
    else this.#serve(choice);
    if (choice?.failure) throw choice.failure;
  }

  /** Serves the chosen publication. If it is served already, or none could be loaded, the present view stays. */
  #serve({ chosen }: Choice): void {
    if (chosen === null) return;
    const others = this.#recent.filter((one) => publicationKey(one) !== publicationKey(chosen.publication));
    if (this.#view === null || others[0] === this.#recent[0]) this.#view = chosen.view;
    this.#recent = [chosen.publication, ...others].slice(0, 2);
  }

  /** Logs a message once, not at every check. */
  #complain(message: string): void {
    if (message !== '' && message !== this.#lastMessage) this.#options.log('error', message);
    if (message === '' && this.#lastMessage !== '') this.#options.log('info', 'the publication can be read again');
    this.#lastMessage = message;
  }
}

function readablePointer(bytes: Uint8Array): Pointer {
  try {
    return knownPointer(bytes);
  } catch (cause) {
    throw new UnreadableError(`publication pointer: ${(cause as Error).message}`, null, { cause });
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array | null): boolean {
  if (a === b) return true;
  return a.length === b?.length && a.every((byte, i) => byte === b[i]);
}

/** `chosen`: null if none can be loaded. `failure`: why the current publication cannot be loaded, if so. */
type Choice = {
  readonly chosen: { readonly publication: PublicationReference; readonly view: PublicationView } | null;
  readonly failure: UnreadableError | null;
};

/** Remembers which publications have damaged objects, and chooses the one to serve. */
class SoundPublications {
  readonly #objects: VerifiedObjects;
  readonly #recheckAfterMs: number;
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
    // Each publication comes once: a map keeps the place of the first entry with a key.
    const candidates = new Map(
      [current, ...recent, ...kept].map((publication) => [publicationKey(publication), publication]),
    );
    for (const key of this.#damaged.keys()) if (!candidates.has(key)) this.#damaged.delete(key);
    let failure: UnreadableError | null = null;
    let chosen: Choice['chosen'] = null;
    for (const [key, publication] of candidates) {
      try {
        const view = await PublicationView.load(this.#objects, publication);
        const isDamaged = this.#damaged.has(key);
        if (!isDamaged || chosen === null) chosen = { publication, view };
        if (!isDamaged) break;
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        if (publication === current) failure = error;
        this.recordDamage(publication, publication.routes);
      }
    }
    return { chosen, failure };
  }

  /** Records that an object of a publication failed its hash. The publication is chosen only if there is no other. */
  recordDamage(publication: PublicationReference, reference: ObjectReference): void {
    this.#damaged.set(publicationKey(publication), { reference, since: performance.now() });
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

function publicationKey({ revision, routes }: PublicationReference): string {
  return `${revision} ${routes.sha256}`;
}
