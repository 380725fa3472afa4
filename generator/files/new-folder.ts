import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { moveFile, syncFolder } from './durable-files.ts';
import { explainFile, Failure } from './failure.ts';

/** What is expected of the place of a new folder. */
export const writableFolder = 'a folder that can be written';

/**
 * Begins a folder under a temporary name beside its own. `what`: a word for what the folder becomes, which is part of
 * its temporary name. Throws a Failure if its name already exists, because a folder that already exists is never
 * touched.
 */
export function beginFolder(out: string, what: string) {
  const absolute = resolve(out);
  refuseExisting(out, absolute);
  const temporary = explainFile(dirname(absolute), writableFolder, () =>
    mkdtempSync(join(dirname(absolute), `.${basename(absolute)}.${what}-`)),
  );
  return {
    temporary,
    /** Gives the folder its name. Returns when it is on the disk, if its files are. */
    commit(): void {
      refuseExisting(out, absolute);
      // Only its owner can read a temporary folder. The folder gets the usual rights, so that other users can read it.
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
