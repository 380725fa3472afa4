import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { explainFile, Failure, printable } from '../failure.ts';

const expected = 'a folder that can be written';
const bufferedCharacters = 1024 * 1024;

/** Writes a snapshot under a temporary name. The folder gets its own name when it is whole. */
export class SnapshotWriter {
  readonly #out: string;
  readonly temporary: string;
  readonly #open = new Map<string, { readonly fd: number; lines: string[]; characters: number }>();

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
    const open = this.#open.get(file) ?? { fd: openSync(join(this.temporary, file), 'wx'), lines: [], characters: 0 };
    this.#open.set(file, open);
    if (value === undefined) return;
    const line = `${JSON.stringify(value)}\n`;
    open.lines.push(line);
    open.characters += line.length;
    if (open.characters > bufferedCharacters) this.#flush(file);
  }

  document(file: string, value: object): void {
    this.line(file);
    this.#open.get(file)?.lines.push(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** Flushes all files, so that the folder can be read under its temporary name. */
  finish(): void {
    for (const [file, { fd }] of this.#open) {
      this.#flush(file);
      explainFile(this.#out, expected, () => fsyncSync(fd));
      closeSync(fd);
    }
    this.#open.clear();
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
    for (const { fd } of this.#open.values()) closeSync(fd);
    this.#open.clear();
    rmSync(this.temporary, { recursive: true, force: true });
  }

  #flush(file: string): void {
    const open = this.#open.get(file);
    if (open === undefined) return;
    const bytes = Buffer.from(open.lines.join(''));
    open.lines = [];
    open.characters = 0;
    explainFile(this.#out, expected, () => {
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(open.fd, bytes, offset);
    });
  }
}

function refuseExisting(out: string, absolute: string): void {
  if (existsSync(absolute))
    throw new Failure(printable(`${out}: expected a folder that is not there yet, got one that is`));
}
