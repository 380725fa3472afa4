import { appendFileSync, chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { explainFile, Failure, printable } from '../failure.ts';

const expected = 'a folder that can be written';
const bufferedCharacters = 1024 * 1024;

/** Writes a snapshot under a temporary name. The folder gets its own name when it is whole. */
export class SnapshotWriter {
  readonly #out: string;
  readonly temporary: string;
  /** What is not yet in a file, by its name. */
  readonly #pending = new Map<string, string>();

  private constructor(out: string, temporary: string) {
    this.#out = out;
    this.temporary = temporary;
  }

  /** Throws a Failure if there is something of that name, because a snapshot is never overwritten. */
  static create(out: string): SnapshotWriter {
    const absolute = resolve(out);
    refuseExisting(out, absolute);
    const temporary = explainFile(dirname(absolute), expected, () =>
      mkdtempSync(join(dirname(absolute), `.${basename(absolute)}.import-`)),
    );
    return new SnapshotWriter(out, temporary);
  }

  /** Adds a line to a file of lines, or begins the file where `value` is absent. */
  line(file: string, value?: object): void {
    const text = (this.#pending.get(file) ?? '') + (value === undefined ? '' : `${JSON.stringify(value)}\n`);
    this.#pending.set(file, text);
    if (text.length > bufferedCharacters) this.#append(file, text);
  }

  document(file: string, value: object): void {
    this.#pending.set(file, `${JSON.stringify(value, null, 2)}\n`);
  }

  /** Writes what is pending, so that the folder can be read under its temporary name. */
  finish(): void {
    for (const [file, text] of this.#pending) this.#append(file, text);
  }

  /** Gives the folder its name. */
  commit(): void {
    const absolute = resolve(this.#out);
    refuseExisting(this.#out, absolute);
    // A temporary folder is for its owner alone. The snapshot has the usual rights, so that another user can publish it.
    chmodSync(this.temporary, 0o777 & ~process.umask());
    explainFile(this.#out, expected, () => renameSync(this.temporary, absolute));
  }

  /** Removes everything written so far. */
  discard(): void {
    rmSync(this.temporary, { recursive: true, force: true });
  }

  #append(file: string, text: string): void {
    explainFile(this.#out, expected, () => appendFileSync(join(this.temporary, file), text, { flush: true }));
    this.#pending.set(file, '');
  }
}

function refuseExisting(out: string, absolute: string): void {
  if (existsSync(absolute))
    throw new Failure(printable(`${out}: expected a folder that is not there yet, got one that is`));
}
