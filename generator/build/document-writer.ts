import { hash } from 'node:crypto';
import { addressTable } from '../contract/addresses.ts';
import type { DataLicense } from '../contract/formats/data-package.ts';
import type { Variant } from '../contract/formats/site.ts';
import { jsonMediaType } from '../contract/headers.ts';
import { parseJson } from '../contract/json.ts';
import { type Addresser, addresser, objectPath, parsePath } from '../contract/paths.ts';
import { ActivityReader } from '../database/activity.ts';
import type { Connection } from '../database/connection.ts';
import { DailyReader } from '../database/daily.ts';
import { openForReading } from '../database/database-file.ts';
import { EventReader } from '../database/events.ts';
import { SeriesReader } from '../database/product-series.ts';
import type { Effort } from '../encode/compression.ts';
import { checkDocument, encodeDocument } from '../encode/documents.ts';
import {
  type Delivery,
  type PendingRoute,
  pendingRoute,
  type Representation,
  representationOf,
  variantsOf,
} from '../encode/representation.ts';
import { AvailabilityReader } from '../model/availability.ts';
import { State } from '../model/state.ts';
import { type Touched, touchedSince } from '../model/touched.ts';
import { EventTexts } from '../resources/change-event.ts';
import type { Document } from '../resources/document.ts';
import { filesOf, giveName } from '../site/checkout.ts';
import type { RouteTable } from '../site/route-table.ts';
import { Storage } from '../site/storage.ts';

/** What a thread needs to make documents of a publication. All of it can be sent to another thread. */
export type WriterOptions = {
  readonly database: string;
  readonly sequence: number;
  readonly out: string;
  readonly baseUrl: string | null;
  /** The license of the data; null for the one that the curation states. */
  readonly license: DataLicense | null;
  /** The checkout, which nobody reads yet; null for one that plain servers show. */
  readonly checkout: string | null;
  /** Whether the checkout has the files of another publication. */
  readonly isSpare: boolean;
};

/**
 * The routes that were made, the addresses whose answers the site has already, and what had to be written. `written`:
 * number of objects, variants included. `bytes`: their size. `addresses`: number of addresses of the answers among them.
 */
export type Made = { routes: PendingRoute[]; taken: string[]; written: number; bytes: number; addresses: number };

/** Makes the documents of one thread: holds its database readers, and stores documents as objects of the site. */
export class DocumentWriter {
  readonly state: State;
  readonly events: EventReader;
  readonly texts: EventTexts;
  readonly series: SeriesReader;
  readonly daily: DailyReader;
  readonly activity: ActivityReader;
  readonly availabilities: AvailabilityReader;
  readonly address: Addresser;
  readonly license: DataLicense | null;
  readonly storage: Storage;
  /**
   * The answers that this code made for the same addresses, with the variants that it makes of the same bytes; null for
   * none.
   */
  previous: RouteTable | null;
  #made: Made = nothing();
  readonly #connection: Connection;
  readonly #transaction: (read: () => unknown) => unknown;
  readonly #checkout: string | null;
  readonly #isSpare: boolean;

  constructor(options: WriterOptions, previous: RouteTable | null = null) {
    const { database, sequence, out, baseUrl } = options;
    this.storage = new Storage(out);
    this.#checkout = options.checkout;
    this.#isSpare = options.isSpare;
    this.previous = previous;
    this.#connection = openForReading(database);
    this.#transaction = this.#connection.transaction((read: () => unknown) => read());
    this.state = new State(this.#connection, sequence);
    this.events = new EventReader(this.#connection);
    this.texts = new EventTexts(this.events, this.state.publicationAt);
    this.activity = new ActivityReader(this.#connection);
    this.series = new SeriesReader(this.#connection, sequence);
    this.availabilities = new AvailabilityReader(this.state);
    this.address = addresser(baseUrl);
    this.license = options.license;
    this.daily = new DailyReader(this.#connection);
  }

  /**
   * Returns what `read` returns, which reads the database in one transaction. Without one, SQLite locks the file and looks
   * for a journal at each statement. It should do nothing else: a publisher waits for it.
   */
  reading<Result>(read: () => Result): Result {
    return this.#transaction(read) as Result;
  }

  /** The state at an earlier publication. */
  stateAt(sequence: number): State {
    return sequence === this.state.publication.sequence ? this.state : new State(this.#connection, sequence);
  }

  /** The products and families that may differ from an earlier publication; null for all. */
  touchedSince(sequence: number, recentSeconds: number): Touched | null {
    return touchedSince(this.#connection, sequence, this.state.publication.sequence, recentSeconds);
  }

  /** Checks, encodes and stores documents, and notes their routes. */
  write(documents: Iterable<Document>): void {
    for (const document of documents) {
      const { path, aliases = [], cache, since } = document;
      const addresses = [path, ...aliases];
      const bytes = encodeDocument(document);
      const sha256 = hash('sha256', bytes);
      if (this.#takesOver(addresses, sha256)) continue;
      const resource = addressOf(path);
      checkDocument(document, resource?.schema ?? null);
      const representation = representationOf(bytes, sha256);
      if (this.#store(representation)) this.#made.addresses += addresses.length;
      const variants = this.#variantsOf(resource?.compression ?? null, representation);
      for (const address of addresses) {
        this.#note({ path: address, mediaType: jsonMediaType, encoding: null, cache, since }, representation, variants);
      }
    }
  }

  /** Stores bytes that are encoded already, and notes their route. */
  writeBytes(bytes: Uint8Array, delivery: Delivery): void {
    const sha256 = hash('sha256', bytes);
    if (this.#takesOver([delivery.path], sha256)) return;
    const representation = representationOf(bytes, sha256);
    if (this.#store(representation)) this.#made.addresses += 1;
    const effort = addressOf(delivery.path)?.compression ?? null;
    this.#note(delivery, representation, this.#variantsOf(effort, representation));
  }

  /** Takes over the previous publication's answer of an address, which must have one. */
  keep(path: string): void {
    this.#made.taken.push(path);
  }

  /** The previous publication's answer, parsed; null when there is none that this code made. */
  previousDocument(path: string): unknown {
    const text = this.previousText(path);
    return text === null ? null : parseJson(text);
  }

  /** The previous publication's answer; null when there is none that this code made, or when it has not its hash. */
  previousText(path: string): string | null {
    const sha256 = this.previous?.hashOf(path);
    return sha256 === undefined ? null : (this.soundObject(sha256)?.toString() ?? null);
  }

  /** The bytes of an object; null when it is missing, or when they are not what its name says. */
  soundObject(sha256: string): Buffer | null {
    const bytes = this.storage.read(objectPath(sha256));
    return bytes && hash('sha256', bytes) === sha256 ? bytes : null;
  }

  get made(): Readonly<Made> {
    return this.#made;
  }

  /** Returns what was made so far, and starts anew. */
  handOver(): Made {
    const made = this.#made;
    this.#made = nothing();
    return made;
  }

  /** Adds what another thread made. */
  take({ routes, taken, written, bytes, addresses }: Made): void {
    for (const route of routes) this.#made.routes.push(route);
    for (const path of taken) this.#made.taken.push(path);
    this.#made.written += written;
    this.#made.bytes += bytes;
    this.#made.addresses += addresses;
  }

  close(): void {
    this.#connection.close();
  }

  /**
   * Takes over the routes of these addresses if all have the bytes of this hash already. The code that made them was this one, so
   * they are checked and compressed.
   */
  #takesOver(addresses: readonly string[], sha256: string): boolean {
    if (!addresses.every((address) => this.previous?.hashOf(address) === sha256)) return false;
    this.#made.taken.push(...addresses);
    return true;
  }

  /** Makes and stores the compressed variants of a document. */
  #variantsOf(effort: Effort | null, { bytes }: Representation): readonly Variant[] {
    if (effort === null) return [];
    return variantsOf(bytes, effort).map(({ encoding, ...variant }) => {
      this.#store(variant);
      return { encoding, sha256: variant.sha256, size: variant.bytes.length, etag: variant.etag };
    });
  }

  /** Stores an object. True when it had to be written. */
  #store({ sha256, bytes }: Representation): boolean {
    if (!this.storage.create(objectPath(sha256), bytes)) return false;
    this.#made.written += 1;
    this.#made.bytes += bytes.length;
    return true;
  }

  /** Notes a route, and links its files as soon as their objects exist into a checkout that nobody reads yet. */
  #note(delivery: Delivery, representation: Representation, variants: readonly Variant[] = []): void {
    const route = pendingRoute(delivery, representation, variants);
    this.#made.routes.push(route);
    if (this.#checkout === null) return;
    for (const file of filesOf(route)) giveName(this.storage, this.#checkout, file, this.#isSpare);
  }
}

/** What an address is; null when it is none of the table, such as that of a file of the page for people. */
function addressOf(path: string) {
  const kind = parsePath(path)?.kind;
  return kind === undefined ? null : addressTable[kind];
}

function nothing(): Made {
  return { routes: [], taken: [], written: 0, bytes: 0, addresses: 0 };
}
