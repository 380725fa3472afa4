import type { Work } from '../scheduling/work.ts';
import type { Reading } from './verified-objects.ts';

/** What searches, comparisons and selections read of one publication. All of it is of that publication. */
export interface PublicationFiles {
  /** Whether the publication has exactly this path. */
  has(path: string, work?: Work): Promise<boolean>;
  /** Prepares to read several paths together. */
  locate(paths: readonly string[], work?: Work): Promise<void>;
  /**
   * The document at a path as `reading` parses it, if that is at hand; undefined where it has to be read. Charges like a
   * reading.
   */
  known?<Value>(path: string, reading: Reading<Value>, work?: Work): Value | undefined;
  /** A value that was made of several files of the publication, as long as there is memory for it. */
  kept?<Value>(key: string): Value | undefined;
  /** Keeps a value for {@link kept}. `bytes`: the memory that it takes. */
  keep?(key: string, value: unknown, bytes: number): void;
  /** The document at a path as `reading` parses it, or null when the publication has no such path. */
  read<Value>(path: string, reading: Reading<Value>, work?: Work): Promise<Value | null>;
  /** Like {@link read}, for paths that every publication has. Rejects with an UnreadableError when there is none. */
  require<Value>(path: string, reading: Reading<Value>, work?: Work): Promise<Value>;
}
