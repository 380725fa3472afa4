import { jsonMediaType } from '../contract/headers.ts';
import { type Addresser, addresser, objectPath } from '../contract/paths.ts';
import { type Connection, openForReading } from '../database/connection.ts';
import { EventReader } from '../database/event-reader.ts';
import { AvailabilityReader } from '../model/availability.ts';
import { State } from '../model/state.ts';
import { encodeDocument } from '../representations/json-document.ts';
import {
  type Delivery,
  type PendingRoute,
  pendingRoute,
  type Representation,
  representationOf,
} from '../representations/representation.ts';
import { EventTexts } from '../resources/change-event.ts';
import type { Document } from '../resources/document.ts';
import { FolderStorage } from '../store/folder-storage.ts';
import { giveName } from '../store/site-writer.ts';
import type { Storage } from '../store/storage.ts';

/** What one thread needs to make documents of a publication. All of it can be sent to another thread. */
export type Assignment = {
  readonly database: string;
  readonly sequence: number;
  readonly revision: string;
  readonly out: string;
  readonly baseUrl: string | null;
};

/** What was made: the routes, and how much of it had to be written. */
export type Made = { routes: PendingRoute[]; written: number; bytes: number };

/** One thread's readers, and the way from a document to an object of the site. */
export class Workshop {
  readonly state: State;
  readonly events: EventReader;
  readonly texts: EventTexts;
  readonly availabilities: AvailabilityReader;
  readonly address: Addresser;
  readonly storage: Storage;
  #made: Made = { routes: [], written: 0, bytes: 0 };
  readonly #connection: Connection;
  readonly #revision: string;

  constructor({ database, sequence, revision, out, baseUrl }: Assignment) {
    this.#revision = revision;
    this.#connection = openForReading(database);
    this.state = new State(this.#connection, sequence);
    this.events = new EventReader(this.#connection);
    this.texts = new EventTexts(this.events, this.state.publicationAt);
    this.availabilities = new AvailabilityReader(this.state);
    this.address = addresser(baseUrl);
    this.storage = new FolderStorage(out);
  }

  /** The state at an earlier publication. */
  stateAt(sequence: number): State {
    return sequence === this.state.publication.sequence ? this.state : new State(this.#connection, sequence);
  }

  /** Checks, encodes and stores documents, and notes their routes. */
  publish(documents: Iterable<Document>): void {
    for (const document of documents) {
      const { path, aliases = [], cache, since } = document;
      const representation = representationOf(encodeDocument(document));
      this.#store(representation);
      for (const address of [path, ...aliases]) {
        this.#note({ path: address, mediaType: jsonMediaType, encoding: null, cache, since }, representation);
      }
    }
  }

  /** Stores bytes that are encoded already, and notes their route. */
  publishBytes(bytes: Uint8Array, delivery: Delivery): void {
    const representation = representationOf(bytes);
    this.#store(representation);
    this.#note(delivery, representation);
  }

  get made(): Readonly<Made> {
    return this.#made;
  }

  /** Gives away what was made so far. */
  handOver(): Made {
    const made = this.#made;
    this.#made = { routes: [], written: 0, bytes: 0 };
    return made;
  }

  /** Takes what another thread made. */
  take({ routes, written, bytes }: Made): void {
    for (const route of routes) this.#made.routes.push(route);
    this.#made.written += written;
    this.#made.bytes += bytes;
  }

  close(): void {
    this.#connection.close();
  }

  #store({ sha256, bytes }: Representation): void {
    if (!this.storage.create(objectPath(sha256), bytes)) return;
    this.#made.written += 1;
    this.#made.bytes += bytes.length;
  }

  /** Nobody sees the checkout before the pointer moves, so that names can be given as objects are made. */
  #note(delivery: Delivery, representation: Representation): void {
    this.#made.routes.push(pendingRoute(delivery, representation));
    giveName(this.storage, this.#revision, delivery.path, representation.sha256);
  }
}
