/**
 * Where a site is kept: files under slash-separated names. The only way by which building touches the world; one
 * implementation is a folder, another the memory of a test.
 */
export interface Storage {
  /** The bytes of a file, or null when there is none. */
  read(name: string): Uint8Array | null;
  /** Writes a file that never changes. True when it had to be written; one that is there is checked, not trusted. */
  create(name: string, bytes: Uint8Array): boolean;
  /** Writes or replaces a file at once: a reader sees the old bytes or the new. */
  replace(name: string, bytes: Uint8Array): void;
  /** Gives a file a second name, replacing what stands there. */
  link(existing: string, name: string): void;
  /** Gives a file the time at which it was last changed, an ISO 8601 instant; every name of the file has it. */
  setTime(name: string, instant: string): void;
  /** Whether two names are of one file with the same bytes. */
  isSame(existing: string, name: string): boolean;
  /** Makes a symbolic link, or turns it elsewhere, at once. `target` is relative to the link's folder. */
  pointTo(name: string, target: string): void;
  /** Where a symbolic link leads; null when there is none. */
  pointsTo(name: string): string | null;
  /** Names of all files below a folder, in no order; none when there is no such folder. */
  list(folder: string): string[];
  /** Names directly in a folder. */
  entries(folder: string): string[];
  remove(name: string): void;
  removeFolder(folder: string): void;
  /** Returns when everything written is safe from a power failure. */
  flush(): void;
}
