import { pointer } from '../generator/contract/site.ts';
import type { ObjectReader } from './object-reader.ts';
import { PublicationView } from './publication-view.ts';
import { parseJson, VerifiedObjects } from './verified-objects.ts';

/** While one request looks at the pointer, others go on with a view that was current this many intervals ago. */
const patience = 10;

export type CurrentPublicationOptions = {
  readonly reader: ObjectReader;
  readonly log: (message: string) => void;
  /** How long a look at the pointer is good for. */
  readonly checkEveryMs: number;
};

/**
 * Follows the pointer from publication to publication.
 *
 * A pointer that is damaged, or whose route table is, changes nothing: the last good view stays and the next look tries
 * again. A pointer that is gone means that nothing is published any more.
 */
export class CurrentPublication {
  readonly #options: CurrentPublicationOptions;
  readonly #objects: VerifiedObjects;
  #view: PublicationView | null = null;
  #pointerBytes: Uint8Array | null = null;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking = false;
  #lookCount = 0;
  #newestLook = 0;
  #complaint = '';

  constructor(options: CurrentPublicationOptions) {
    this.#options = options;
    this.#objects = new VerifiedObjects(options.reader);
  }

  /** The view to answer a request from; null when there is no publication to read. */
  async view(): Promise<PublicationView | null> {
    const age = performance.now() - this.#checkedAt;
    const interval = this.#options.checkEveryMs;
    if (age < interval) return this.#view;
    if (this.#view && this.#checking && age < interval * patience) return this.#view;
    await this.#check();
    return this.#view;
  }

  async #check(): Promise<void> {
    const look = ++this.#lookCount;
    this.#checking = true;
    try {
      await this.#follow(look);
      this.#complain(this.#view ? '' : 'nothing is published: there is no pointer');
    } catch (error) {
      const kept = this.#view ? `revision ${this.#view.revision} is served on` : 'nothing can be served';
      this.#complain(`the publication cannot be read, ${kept}: ${String(error)}`);
    } finally {
      this.#checking = false;
      this.#checkedAt = performance.now();
    }
  }

  async #follow(look: number): Promise<void> {
    const bytes = await this.#options.reader.readPointer();
    if (this.#view && bytes && sameBytes(bytes, this.#pointerBytes)) return;
    const view = bytes && (await PublicationView.load(this.#objects, parseJson('publication pointer', pointer, bytes)));
    // Looks can overlap; one that began earlier must not bring an older publication back.
    if (look < this.#newestLook) return;
    this.#newestLook = look;
    this.#pointerBytes = bytes;
    this.#view = view;
  }

  /** Says a thing once, not at every look. */
  #complain(message: string): void {
    if (message !== '' && message !== this.#complaint) this.#options.log(message);
    if (message === '' && this.#complaint !== '') this.#options.log('the publication can be read again');
    this.#complaint = message;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array | null): boolean {
  if (a === b) return true;
  return a.length === b?.length && a.every((byte, i) => byte === b[i]);
}
