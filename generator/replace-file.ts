import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { explainFile } from './failure.ts';

const expected = 'a file that can be written';

/**
 * Writes a file under a temporary name and gives it its own when it is whole, flushed to the disk. A reader finds the file
 * before or the new one, and a failure or a kill leaves the one before. `write` gets a function that appends text or bytes.
 * Throws a Failure when the system refuses to write.
 */
export function replaceFile<Result>(
  file: string,
  write: (append: (content: string | Uint8Array) => void) => Result,
): Result {
  const temporary = `${file}.tmp`;
  const descriptor = explainFile(temporary, expected, () => openSync(temporary, 'w'));
  try {
    let result: Result;
    try {
      result = write((content) => explainFile(temporary, expected, () => writeWhole(descriptor, content)));
      explainFile(temporary, expected, () => fsyncSync(descriptor));
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

function writeWhole(descriptor: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
}
