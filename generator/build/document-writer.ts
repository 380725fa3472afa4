import { hash } from 'node:crypto';
import { addressTable } from '../contract/addresses.ts';
import type { DataLicense } from '../contract/formats/data-package.ts';
import type { Route, Variant } from '../contract/formats/site.ts';
import { jsonMediaType } from '../contract/headers.ts';
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
import { EventTexts } from '../resources/change-event.ts';
import type { Document } from '../resources/document.ts';
import { filesOf, giveName } from '../site/checkout.ts';
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
 * What a unit wrote: the routes that were made, and the paths of those that it had already. `written`: number of objects,
 * variants included. `bytes`: their size. `addresses`: number of addresses of the answers among them.
 */
export type Made = { routes: PendingRoute[]; kept: string[]; written: number; bytes: number; addresses: number };

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
  /** What the unit wrote before, by path, which this code made; empty where that is not known. */
  #previous: ReadonlyMap<string, Route> = new Map();
  #made: Made = { routes: [], kept: [], written: 0, bytes: 0, addresses: 0 };
  readonly #connection: Connection;
  readonly #transaction: (read: () => unknown) => unknown;
  readonly #checkout: string | null;
  readonly #isSpare: boolean;

  constructor(options: WriterOptions) {
    const { database, sequence, out, baseUrl } = options;
    this.storage = new Storage(out);
    this.#checkout = options.checkout;
    this.#isSpare = options.isSpare;
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

  /** Runs the maker of a unit, which wrote these routes before, and returns what it wrote. */
  record(previous: readonly Route[], make: () => void): Made {
    this.#previous = new Map(previous.map((route) => [route.path, route]));
    this.#made = { routes: [], kept: [], written: 0, bytes: 0, addresses: 0 };
    make();
    return this.#made;
  }

  /**
   * Whether the unit has the answers of these immutable addresses already. Then it keeps them and need not make them again, as
   * their bytes never change.
   */
  keeps(paths: readonly string[]): boolean {
    if (!paths.every((path) => this.#previous.get(path)?.cache === 'immutable')) return false;
    this.#made.kept.push(...paths);
    return true;
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

  /** What the unit wrote at an address before; null for nothing, or when it has not its hash. */
  previousBytes(path: string): Buffer | null {
    const route = this.#previous.get(path);
    return route ? this.soundObject(route.sha256) : null;
  }

  /** The bytes of an object; null when it is missing, or when they are not what its name says. */
  soundObject(sha256: string): Buffer | null {
    const bytes = this.storage.read(objectPath(sha256));
    return bytes && hash('sha256', bytes) === sha256 ? bytes : null;
  }

  close(): void {
    this.#connection.close();
  }

  /**
   * Takes over the routes of these addresses if all have the bytes of this hash already. The code that made them was this one, so
   * they are checked and compressed.
   */
  #takesOver(addresses: readonly string[], sha256: string): boolean {
    if (!addresses.every((address) => this.#previous.get(address)?.sha256 === sha256)) return false;
    this.#made.kept.push(...addresses);
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
