/** Where a site is kept: files under slash-separated names. A build writes a site only through this interface. */
export interface Storage {
  /** The bytes of a file, or null when there is none. */
  read(name: string): Uint8Array | null;
  /**
   * Writes a file that never changes. Compares the bytes of a file that exists already, and replaces it if they differ.
   * True when the file had to be written.
   */
  create(name: string, bytes: Uint8Array): boolean;
  /** Writes or replaces a file atomically: a reader sees either the old bytes or the new ones. */
  replace(name: string, bytes: Uint8Array): void;
  /** Gives a file a second name. Replaces another file of that name. */
  link(existing: string, name: string): void;
  /** Sets the modification time of a file, an ISO 8601 instant. All names of the file share it. */
  setTime(name: string, instant: string): void;
  /** Whether two names belong to the same file, or to files with the same bytes. */
  isSame(existing: string, name: string): boolean;
  /** Makes or redirects a symbolic link atomically. `target` is relative to the link's folder. */
  pointTo(name: string, target: string): void;
  /** The target of a symbolic link; null when there is none. */
  pointsTo(name: string): string | null;
  /** Names of all files below a folder, unordered; none when there is no such folder. */
  list(folder: string): string[];
  /** Names directly in a folder. */
  entries(folder: string): string[];
  remove(name: string): void;
  removeFolder(folder: string): void;
  /** Returns when everything written is safe from a power failure. */
  flush(): void;
}
