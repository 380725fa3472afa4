import { appendFileSync, chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { moveFile, syncFolder } from '../files/durable-files.ts';
import { explainFile, Failure } from '../files/failure.ts';

const expected = 'a folder that can be written';
const bufferedCharacters = 1024 * 1024;

export type SnapshotWriter = ReturnType<typeof snapshotWriter>;

/**
 * Writes a snapshot under a temporary name, and renames the folder when it is complete. Throws a Failure if the name
 * already exists, because a snapshot is never overwritten.
 */
export function snapshotWriter(out: string) {
  const absolute = resolve(out);
  refuseExisting(out, absolute);
  const temporary = explainFile(dirname(absolute), expected, () =>
    mkdtempSync(join(dirname(absolute), `.${basename(absolute)}.import-`)),
  );
  /** Text that is not yet written, by the name of its file. */
  const pending = new Map<string, string>();
  const append = (file: string, text: string) => {
    explainFile(out, expected, () => appendFileSync(join(temporary, file), text, { flush: true }));
    pending.set(file, '');
  };
  return {
    temporary,
    /** Adds a line to a file of lines. Without `value`, only begins the file. */
    line(file: string, value?: object): void {
      const text = (pending.get(file) ?? '') + (value === undefined ? '' : `${JSON.stringify(value)}\n`);
      pending.set(file, text);
      if (text.length > bufferedCharacters) append(file, text);
    },
    document(file: string, value: object): void {
      pending.set(file, `${JSON.stringify(value, null, 2)}\n`);
    },
    /** Writes everything pending, so that the folder can be read under its temporary name. */
    finish(): void {
      for (const [file, text] of pending) append(file, text);
    },
    /** Gives the folder its name. Returns when the snapshot is on the disk. */
    commit(): void {
      refuseExisting(out, absolute);
      // Only its owner can read a temporary folder. The snapshot gets the usual rights, so that other users can publish
      // it.
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
    throw new Failure('already_there', `${out} already exists: move or remove it first, or choose another name`);
}
