import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { explainFile, Failure } from './failure.ts';

const expected = 'a file that can be written';

type Write<Result> = (append: (content: string | Uint8Array) => void) => Result;

/**
 * Writes a new file, like {@link replaceFile}. Throws a Failure when there is something of its name, or of its temporary name:
 * another run may be at work on it.
 */
export function createFile<Result>(file: string, write: Write<Result>): Result {
  const temporary = `${file}.tmp`;
  refuseExisting(file);
  if (isThere(temporary)) {
    throw new Failure(
      'busy',
      `${temporary}: expected no file there; another run is at work on it, or one was killed: delete it if none is at work`,
    );
  }
  return writeAside(file, (append) => {
    const result = write(append);
    refuseExisting(file);
    return result;
  });
}

function refuseExisting(file: string): void {
  if (isThere(file))
    throw new Failure('already_there', `${file} already exists: move or remove it first, or choose another name`);
}

/** Whether there is something of a name, be it a link to nothing. */
function isThere(file: string): boolean {
  return explainFile(file, expected, () => lstatSync(file, { throwIfNoEntry: false })) !== undefined;
}

/**
 * Writes a file under a temporary name and gives it its own when it is whole, flushed to the disk. A reader finds the file
 * before or the new one, and a failure or a kill leaves the one before. `write` gets a function that appends text or bytes.
 * Throws a Failure when the system refuses to write.
 */
export function replaceFile<Result>(file: string, write: Write<Result>): Result {
  // A killed run leaves the temporary file. A link of its name must not be followed.
  const temporary = `${file}.tmp`;
  if (isThere(temporary)) explainFile(temporary, expected, () => unlinkSync(temporary));
  return writeAside(file, write);
}

function writeAside<Result>(file: string, write: Write<Result>): Result {
  const temporary = `${file}.tmp`;
  const descriptor = explainFile(file, expected, () => openSync(temporary, 'wx'));
  try {
    let result: Result;
    try {
      result = write((content) => explainFile(file, expected, () => writeFileSync(descriptor, content)));
      explainFile(file, expected, () => fsyncSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
    explainFile(file, expected, () => renameSync(temporary, file));
    return result;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
