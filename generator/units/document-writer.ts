import { createHash, hash } from 'node:crypto';
import { threadId } from 'node:worker_threads';
import { type AddressKind, addressTable, type CachePolicy } from '../../contract/addresses.ts';
import { type Addresser, addresser, objectPath, parsePath } from '../../contract/paths.ts';
import type { DataLicense } from '../../contract/schemas/data-package.ts';
import { schemaFor } from '../../contract/schemas/documents.ts';
import type { ObjectReference, Route, Variant } from '../../contract/schemas/site-files.ts';
import type { Connection } from '../database/connection.ts';
import { type DailyReader, dailyReader } from '../database/daily.ts';
import { openForReading } from '../database/database-file.ts';
import { type ActivityReader, activityReader, type EventReader, eventReader } from '../database/events.ts';
import { type NewsReader, newsReader } from '../database/news.ts';
import { type OverTimeReader, overTimeReader } from '../database/over-time.ts';
import { type SeriesReader, seriesReader } from '../database/series-reader.ts';
import { allChanges, type ChangeList } from '../documents/change-list.ts';
import type { Document } from '../documents/document.ts';
import { type State, stateAt } from '../documents/state.ts';
import { Failure } from '../files/failure.ts';
import { type GrowingFile, Storage } from '../site/storage.ts';
import { checkValue } from '../tables/checked-json.ts';
import { contentOfGzip, unpacking } from '../tables/compression.ts';
import { piecesDigest, type Sink } from '../tables/pieces.ts';
import { makeVariants, type PendingRoute, type Representation, representBytes } from '../tables/representation.ts';

/** Larger gzip files are unpacked piece by piece, which takes several times as long. */
const largestInMemory = 16 * 1024 * 1024;

/** Choices of the operator that only some units know, by the name of the option. */
export type Choices = Readonly<Record<string, string>>;

/** What a thread needs to make the documents of a publication. It can be sent to another thread. */
export type WriterOptions = {
  readonly database: string;
  readonly sequence: number;
  readonly out: string;
  readonly baseUrl: string | null;
  /** The license of the data; null for the license that the curation states. */
  readonly license: DataLicense | null;
  readonly choices: Choices;
  /** Whether the site has an explorer. */
  readonly hasExplorer: boolean;
};

/**
 * What a unit wrote: the routes of new answers, and the paths of answers that it kept. `written` counts the new
 * objects, variants included, `bytes` is their size, and `addresses` counts the addresses of the answers that are new.
 */
export type Made = { routes: PendingRoute[]; kept: string[]; written: number; bytes: number; addresses: number };

/** A file at its address. */
export type SiteFile = Pick<Route, 'sha256' | 'size' | 'etag'>;

/** What a unit has to know of a route that it wrote in the last build. */
export type PreviousRoute = Pick<Route, 'path' | 'cache' | 'sha256' | 'size'>;

/** Makes the documents of one thread. It holds the database readers, and stores documents as objects of the site. */
export class DocumentWriter {
  readonly state: State;
  readonly events: EventReader;
  /** The list of all changes. */
  readonly changes: ChangeList;
  readonly series: SeriesReader;
  readonly daily: DailyReader;
  readonly overTime: OverTimeReader;
  readonly activity: ActivityReader;
  readonly news: NewsReader;
  readonly address: Addresser;
  readonly license: DataLicense | null;
  readonly choices: Choices;
  readonly hasExplorer: boolean;
  readonly storage: Storage;
  /** What the unit wrote in the last build, by path. Empty if other code made it, or if nothing is known. */
  #previous: ReadonlyMap<string, PreviousRoute> = new Map();
  #made: Made = { routes: [], kept: [], written: 0, bytes: 0, addresses: 0 };
  /** Files that are not finished. */
  readonly #open = new Set<GrowingFile>();
  readonly #connection: Connection;
  readonly #transaction: (read: () => unknown) => unknown;

  constructor(options: WriterOptions) {
    const { database, sequence, out, baseUrl } = options;
    this.storage = new Storage(out);
    this.#connection = openForReading(database);
    this.#transaction = this.#connection.transaction((read: () => unknown) => read());
    this.state = stateAt(this.#connection, sequence);
    this.events = eventReader(this.#connection);
    this.changes = allChanges(this.state, this.events);
    this.activity = activityReader(this.#connection);
    this.news = newsReader(this.#connection);
    this.series = seriesReader(this.#connection, sequence);
    this.address = addresser(baseUrl);
    this.license = options.license;
    this.choices = options.choices;
    this.hasExplorer = options.hasExplorer;
    this.daily = dailyReader(this.#connection);
    this.overTime = overTimeReader(this.#connection);
  }

  /**
   * Runs `read` in one transaction and returns its result. Without a transaction, SQLite locks the file and looks for a
   * journal at each statement. `read` should only read the database, because a publisher has to wait for it.
   */
  reading<Result>(read: () => Result): Result {
    return this.#transaction(read) as Result;
  }

  /** The state at an earlier publication. */
  stateAt(sequence: number): State {
    return sequence === this.state.publication.sequence ? this.state : stateAt(this.#connection, sequence);
  }

  /** Runs the maker of a unit and returns what it wrote. `previous`: the routes that it wrote in the last build. */
  record(previous: readonly PreviousRoute[], make: () => void): Made {
    this.#previous = new Map(previous.map((route) => [route.path, route]));
    this.#made = { routes: [], kept: [], written: 0, bytes: 0, addresses: 0 };
    make();
    return this.#made;
  }

  /**
   * Whether the unit already has the answers of these immutable addresses. If so, it keeps them and need not make them,
   * as their bytes never change.
   */
  keeps(paths: readonly string[]): boolean {
    if (!paths.every((path) => this.#previous.get(path)?.cache === 'immutable')) return false;
    this.#made.kept.push(...paths);
    return true;
  }

  /** Checks, encodes and stores documents, and adds their routes. Throws a Failure that names path and field. */
  write(documents: Iterable<Document>): void {
    for (const { path, aliases = [], cache, since, value, rows, rowValues } of documents) {
      const schema = schemaFor(addressKind(path));
      if (!schema) throw new Error(`no JSON resource at ${path}`);
      const check = () =>
        checkValue(schema, () => path, rowValues ? { ...(value as object), data: rowValues() } : value);
      this.#put([path, ...aliases], Buffer.from(`${documentText(value, rows)}\n`), since, cache, check);
    }
  }

  /** Stores a file, and adds its route. `since`: the publication time of a file that never changes. */
  writeFile(path: string, bytes: Uint8Array, since: string | null = null): void {
    this.#put([path], bytes, since);
  }

  /** Adds a route to a file that has another address already. */
  writeAlias(path: string, { sha256, size, etag }: SiteFile): void {
    this.#addRoutes([path], { sha256, size, etag }, [], null);
  }

  /**
   * Opens a file that is written piece by piece, because it may be larger than the memory. `since`: as above. `end`
   * stores it, and adds its route.
   */
  openFile(path: string, since: string | null = null): { readonly write: Sink; readonly end: () => void } {
    const file = this.storage.open(`${objectPath(hash('sha256', path))}.${threadId}.tmp`);
    this.#open.add(file);
    const content = piecesDigest();
    const md5 = createHash('md5');
    const write = (bytes: Uint8Array) => {
      file.write(bytes);
      content.take(bytes);
      md5.update(bytes);
    };
    const end = () => {
      const { sha256, size } = content.reference();
      const isNew = file.finish(objectPath(sha256), () => this.hasSound(sha256));
      this.#open.delete(file);
      if (this.#isSameAsBefore([path], sha256)) return;
      if (isNew) {
        this.#count(size);
        this.#made.addresses += 1;
      }
      this.#addRoutes([path], { sha256, size, etag: `"${md5.digest('hex')}"` }, [], since);
    };
    return { write, end };
  }

  /** What the unit wrote at an address in the last build; null for nothing, or when the hash of its object differs. */
  previousFile(path: string): { readonly file: string; readonly size: number } | null {
    const route = this.#previous.get(path);
    if (!route || !this.hasSound(route.sha256)) return null;
    return { file: this.storage.locate(objectPath(route.sha256)), size: route.size };
  }

  /** The bytes of an object; null when it is missing, or when its hash differs. */
  soundObject(sha256: string): Buffer | null {
    const bytes = this.storage.read(objectPath(sha256));
    return bytes && hash('sha256', bytes) === sha256 ? bytes : null;
  }

  /**
   * The size and hash of what the gzip file at an address unpacks to. Throws a Failure when its object is missing or
   * damaged.
   */
  unpackedFile(path: string, { sha256, size }: ObjectReference): ObjectReference {
    const bytes = size <= largestInMemory ? this.soundObject(sha256) : null;
    if (bytes) return contentOfGzip(bytes);
    if (size <= largestInMemory || !this.hasSound(sha256))
      throw new Failure(
        'site_damaged',
        `${path}: expected its file, got none or a damaged one; build with --full to make it again`,
      );
    const unpacked = unpacking();
    this.storage.readPieces(objectPath(sha256), unpacked.take);
    return unpacked.end();
  }

  /** Whether an object is there, and has its hash. It may be larger than the memory. */
  hasSound(sha256: string): boolean {
    const content = piecesDigest();
    return this.storage.readPieces(objectPath(sha256), content.take) && content.reference().sha256 === sha256;
  }

  close(): void {
    for (const file of this.#open) file.discard();
    this.#connection.close();
  }

  /**
   * Stores an answer at its addresses, with its variants. An answer with the same bytes as in the last build was
   * checked and compressed then, by this code.
   */
  #put(
    addresses: readonly [string, ...string[]],
    bytes: Uint8Array,
    since: string | null,
    cache: CachePolicy = cachePolicy(addresses[0]),
    check: () => void = () => undefined,
  ): void {
    const sha256 = hash('sha256', bytes);
    if (this.#isSameAsBefore(addresses, sha256)) return;
    check();
    const representation = representBytes(bytes, sha256);
    if (this.#store(representation)) this.#made.addresses += addresses.length;
    const variants = this.#storeVariants(addressRow(addresses[0]).codings, representation);
    const { etag } = representation;
    this.#addRoutes(addresses, { sha256, size: bytes.length, etag }, variants, since, cache);
  }

  /** Keeps the answers of addresses that had the same bytes in the last build. False if they had others. */
  #isSameAsBefore(addresses: readonly string[], sha256: string): boolean {
    if (!addresses.every((address) => this.#previous.get(address)?.sha256 === sha256)) return false;
    this.#made.kept.push(...addresses);
    return true;
  }

  #addRoutes(
    addresses: readonly [string, ...string[]],
    object: SiteFile,
    variants: readonly Variant[],
    since: string | null,
    cache: CachePolicy = cachePolicy(addresses[0]),
  ): void {
    const { mediaType, encoding } = addressRow(addresses[0]);
    for (const path of addresses) {
      this.#made.routes.push({
        path,
        ...object,
        media_type: mediaType,
        encoding,
        cache,
        last_modified: since && `${since.slice(0, 19)}Z`,
        ...(variants.length > 0 ? { variants: [...variants] } : {}),
      });
    }
  }

  /** Compresses an answer, and stores the variants. */
  #storeVariants(codings: readonly Variant['encoding'][], { bytes }: Representation): readonly Variant[] {
    return makeVariants(bytes, codings).map(({ encoding, ...variant }) => {
      this.#store(variant);
      return { encoding, sha256: variant.sha256, size: variant.bytes.length, etag: variant.etag };
    });
  }

  /** Stores an object. True when it had to be written. */
  #store({ sha256, bytes }: Representation): boolean {
    if (!this.storage.create(objectPath(sha256), bytes)) return false;
    this.#count(bytes.length);
    return true;
  }

  #count(size: number): void {
    this.#made.written += 1;
    this.#made.bytes += size;
  }
}

/** The JSON of a document, with these rows as the members of its `data`. */
function documentText(value: unknown, rows: Document['rows']): string {
  const text = JSON.stringify(value);
  if (rows === undefined) return text;
  const noRows = '{"data":[]';
  if (!text.startsWith(noRows)) throw new Error('expected a document without rows');
  return `{"data":[${rows.join()}]${text.slice(noRows.length)}`;
}

function addressRow(path: string) {
  return addressTable[addressKind(path)];
}

function addressKind(path: string): AddressKind {
  const kind = parsePath(path)?.kind;
  if (kind === undefined) throw new Error(`no resource at ${path}`);
  return kind;
}

function cachePolicy(path: string): CachePolicy {
  const { cache } = addressRow(path);
  if (cache === 'either') throw new Error(`${path}: expected an address with one cache policy`);
  return cache;
}
