/** A file that cannot be decoded as what it should be: whole gzip with lines of text, or Parquet. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}
