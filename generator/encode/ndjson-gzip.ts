import { type ExportHeader, exportHeader } from '../contract/formats/export.ts';
import { checkValue } from '../contract/json.ts';
import { Failure } from '../failure.ts';
import { PiecewiseGzip } from './compression.ts';

/** Lines as gzip NDJSON without a header. The bytes depend only on the lines. */
export function encodeLines(lines: Iterable<string>): Uint8Array {
  const gzip = new PiecewiseGzip();
  for (const line of lines) gzip.write(`${line}\n`);
  return gzip.end();
}

/**
 * An export file: gzip NDJSON of a header and of records that are already checked JSON. The bytes depend only on the
 * header and the records, not on the machine or the version of Node. Throws a Failure when the number of records
 * differs from that in the header.
 */
export function encodeExport(path: string, header: ExportHeader, lines: Iterable<string>): Uint8Array {
  const { record_count } = header.header;
  const gzip = new PiecewiseGzip();
  checkValue(exportHeader, () => path, header);
  gzip.write(`${JSON.stringify(header)}\n`);
  let count = 0;
  for (const line of lines) {
    count += 1;
    gzip.write(`${line}\n`);
  }
  if (count !== record_count) {
    throw new Failure(`${path}: expected ${record_count} records as counted when published, got ${count}`);
  }
  return gzip.end();
}
