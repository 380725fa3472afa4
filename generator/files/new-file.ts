import { isThere, type Write, writeAside } from './durable-files.ts';
import { Failure } from './failure.ts';
import { lockName } from './file-lock.ts';

/**
 * Writes a new file, as {@link writeAside} does, and overwrites what a killed run left of it. Throws a Failure when the
 * name already exists, at the start or at the end, and when another run is writing the file.
 */
export function createFile<Result>(file: string, write: Write<Result>, mode = 0o666): Result {
  refuseExisting(file);
  const lock = lockName(file);
  if (lock === null) throw new Failure('busy', `another run is writing ${file}: wait until it ends`);
  try {
    return writeAside(file, mode, write, () => refuseExisting(file));
  } finally {
    lock.release();
  }
}

function refuseExisting(file: string): void {
  if (isThere(file))
    throw new Failure('already_there', `${file} already exists: move or remove it first, or choose another name`);
}
