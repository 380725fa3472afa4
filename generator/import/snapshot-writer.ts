import { appendFileSync, chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { moveFile, syncFolder } from '../files/durable-files.ts';
import { explainFile, Failure } from '../files/failure.ts';

const expected = 'a folder that can be written';
const bufferedCharacters = 1024 * 1024;

export type SnapshotWriter = ReturnType<typeof snapshotWriter>;

/**
 * Writes a snapshot under a temporary name. The folder gets its own name when it is whole. Throws a Failure if there is something
 * of that name, because a snapshot is never overwritten.
 */
export function snapshotWriter(out: string) {
  const absolute = resolve(out);
  refuseExisting(out, absolute);
  const temporary = explainFile(dirname(absolute), expected, () =>
    mkdtempSync(join(dirname(absolute), `.${basename(absolute)}.import-`)),
  );
  /** What is not yet in a file, by its name. */
  const pending = new Map<string, string>();
  const append = (file: string, text: string) => {
    explainFile(out, expected, () => appendFileSync(join(temporary, file), text, { flush: true }));
    pending.set(file, '');
  };
  return {
    temporary,
    /** Adds a line to a file of lines, or begins the file where `value` is absent. */
    line(file: string, value?: object): void {
      const text = (pending.get(file) ?? '') + (value === undefined ? '' : `${JSON.stringify(value)}\n`);
      pending.set(file, text);
      if (text.length > bufferedCharacters) append(file, text);
    },
    document(file: string, value: object): void {
      pending.set(file, `${JSON.stringify(value, null, 2)}\n`);
    },
    /** Writes what is pending, so that the folder can be read under its temporary name. */
    finish(): void {
      for (const [file, text] of pending) append(file, text);
    },
    /** Gives the folder its name. The snapshot is on the disk then. */
    commit(): void {
      refuseExisting(out, absolute);
      // A temporary folder is for its owner alone. The snapshot has the usual rights, so that another user can publish it.
      chmodSync(temporary, 0o777 & ~process.umask());
      syncFolder(temporary);
      moveFile(temporary, absolute);
    },
    /** Removes everything written so far. */
    discard: () => rmSync(temporary, { recursive: true, force: true }),
  };
}

function refuseExisting(out: string, absolute: string): void {
  if (existsSync(absolute))
    throw new Failure('already_there', `${out}: expected a folder that is not there yet, got one that is`);
}
