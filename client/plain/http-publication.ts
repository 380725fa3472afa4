import { parsePath } from '../../contract/paths.ts';
import { UnreadableError } from '../../contract/site/source.ts';
import { ByteCache } from '../../shim/site/byte-cache.ts';
import { PublicationFiles } from '../../shim/site/publication-files.ts';
import { parseJsonBytes, type ReadDocument, type Reading } from '../../shim/site/reading.ts';
import { mayShareWork, orAborted, type Signal } from '../runtime.ts';
import { isMissing, type SiteReader } from '../site-reader.ts';

type Made = { readonly value: unknown; readonly bytes: number; isCertain: boolean };

/**
 * The most bytes of files whose values are kept, and the bytes that each entry counts in addition, even for a missing
 * file.
 */
const [keptBytes, entryBytes] = [32 * 1024 * 1024, 256];

/** Reads the files of one publication by their addresses. Questions that need the same file share it. */
export class HttpPublication {
  readonly revision: string;
  readonly reader: SiteReader;
  readonly #kept = new ByteCache<Made>(keptBytes);

  constructor(reader: SiteReader, revision: string) {
    this.reader = reader;
    this.revision = revision;
  }

  /** All questions share the value, so aborting one of them does not abort the reading. */
  make(path: string, reading: Reading<unknown>): Promise<Made> {
    return this.#kept.getOrMake(`${reading.name} ${path}`, mayShareWork, async () => {
      const value = await this.#make(path, reading, isPage(path));
      // Values that are kept apart are expensive to make, so they stay as long as the publication.
      return { value, bytes: reading.keptApart === undefined ? value.bytes + entryBytes : 0 };
    });
  }

  async #make(path: string, reading: Reading<unknown>, isUnchanging: boolean): Promise<Made> {
    const file = await this.reader.readFrom(this.revision, path, { isUnchanging }).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (file === null) return { value: null, bytes: 0, isCertain: false };
    try {
      const value = await reading.of(file.bytes, readAsItIs);
      // A page past retention is empty, and comes from a later publication.
      if (!isUnchanging || !isEmptyPage(value)) return { value, bytes: file.bytes.length, isCertain: file.isCertain };
    } catch (cause) {
      if (!isUnchanging) throw new UnreadableError(`${path}: ${(cause as Error).message}`, null, { cause });
    }
    return this.#make(path, reading, false);
  }
}

export class QuestionFiles extends PublicationFiles {
  readonly #publication: HttpPublication;
  readonly #signal: Signal | undefined;
  readonly #uncertain = new Map<Made, string>();

  constructor(publication: HttpPublication, signal: Signal | undefined) {
    super();
    this.#publication = publication;
    this.#signal = signal;
  }

  override async has(path: string): Promise<boolean> {
    return (await this.read(path, anyReading)) !== null;
  }

  override async read<Value>(path: string, reading: Reading<Value>): Promise<Value | null> {
    const made = await orAborted(this.#publication.make(path, reading), this.#signal);
    if (!made.isCertain) this.#uncertain.set(made, path);
    return made.value as Value | null;
  }

  /** Rejects with a PublicationChangedError unless everything that was read belongs to the publication. */
  async confirm(): Promise<void> {
    const [path] = this.#uncertain.values();
    if (path === undefined) return;
    const { reader, revision } = this.#publication;
    await reader.requireNewest(revision, path, { signal: this.#signal });
    for (const made of this.#uncertain.keys()) made.isCertain = true;
  }
}

/**
 * Trusts a plain host's documents, because schemas would make up most of the code that a page loads. A wrong shape
 * fails where it is used.
 */
const readAsItIs: ReadDocument = (_, bytes) => parseJsonBytes(bytes) as never;

const anyReading: Reading<true> = { name: 'any', of: () => true };

function isPage(path: string): boolean {
  return /_(?:page|segment)$/.test(parsePath(path)?.kind ?? '');
}

function isEmptyPage(value: unknown): boolean {
  const { data, rows = data } = (value ?? {}) as { data?: unknown; rows?: unknown };
  return Array.isArray(rows) && rows.length === 0;
}
