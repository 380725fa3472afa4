import { hash } from 'node:crypto';
import { readRegularFile } from '../../generator/files/regular-file.ts';

const mostBytes = 5_000_000;

/** The bytes of an outline file. Throws a Failure when it cannot be read, or is too large. */
export function readOutlineFile(file: string): Buffer {
  return readRegularFile(file, 'a GeoJSON file', mostBytes);
}

/** A hash of an outline file. Throws what {@link readOutlineFile} throws. */
export function outlineFileDigest(file: string): string {
  return hash('sha256', readOutlineFile(file));
}
