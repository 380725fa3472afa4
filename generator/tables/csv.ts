import { type CsvSources, type CsvTable, csvHead, csvRowMaker } from '../../contract/columns/csv-tables.ts';
import { csvLine } from '../../contract/csv.ts';
import type { Profile } from '../../contract/profile.ts';
import { extraStart, gzipOfRuns, openRun, PiecewiseGzip, type Run } from './compression.ts';
import type { FileBytes } from './file-bytes.ts';
import { Pieces, type Sink } from './pieces.ts';

/** A gzip CSV file of rows, which come in the order of the file. */
export function csvFile<Name extends CsvTable>(
  table: Name,
  profile: Profile,
  rows: Iterable<CsvSources[Name]>,
): Uint8Array {
  const pieces = new Pieces();
  const file = new PiecewiseGzip(pieces.add);
  file.write(headLine(table, profile));
  for (const line of csvLines(table, profile, rows)) file.write(line);
  file.end();
  return pieces.bytes();
}

/** One part of a CSV file that is joined from parts. */
export function csvPart<Name extends CsvTable>(table: Name, profile: Profile, rows: Iterable<CsvSources[Name]>): Run {
  return openRun(csvLines(table, profile, rows));
}

function* csvLines<Name extends CsvTable>(
  table: Name,
  profile: Profile,
  rows: Iterable<CsvSources[Name]>,
): Generator<string> {
  const makeRow = csvRowMaker(table, profile);
  for (const row of rows) yield csvLine(makeRow(row));
}

function headLine(table: CsvTable, profile: Profile): string {
  return csvLine(csvHead(table, profile));
}

/** An entry of the list of parts: the first 8 bytes of a UUID, and three numbers. */
const keySize = 8;
const entrySize = keySize + 3 * 4;
/** The name of the field in the gzip head that holds the list. */
const fieldName = Buffer.from('SP');
const fieldHead = fieldName.length + 2;
/** The most parts that fit into the head: enough for years. */
const mostParts = Math.floor((0xffff - fieldHead) / entrySize);
/** The key of the header line. */
const headKey = '0'.repeat(2 * keySize);

/**
 * Writes a CSV file of parts by UUID, in their order. Compressed bytes are copied as they are, part by part. The head
 * of the file lists the parts, so that the next build finds them.
 */
export function joinCsvParts(table: CsvTable, profile: Profile, parts: ReadonlyMap<string, Run>, sink: Sink): void {
  const runs: (readonly [key: string, run: Run])[] = [[headKey, openRun([headLine(table, profile)])]];
  for (const [uuid, run] of parts) runs.push([partKey(uuid), run]);
  const entries = runs.slice(0, mostParts).map(([key, run]) => {
    const entry = Buffer.alloc(entrySize);
    entry.write(key, 'hex');
    for (const [index, number] of [run.length, run.size, run.checksum].entries())
      entry.writeUInt32LE(number, keySize + index * 4);
    return entry;
  });
  const length = Buffer.alloc(2);
  length.writeUInt16LE(entries.length * entrySize);
  gzipOfRuns(
    runs.map(([, run]) => run),
    Buffer.concat([fieldName, length, ...entries]),
    sink,
  );
}

/** Finds the parts of a file that {@link joinCsvParts} made, by UUID. */
export function readCsvParts(file: FileBytes): (uuid: string) => Run | null {
  const listed = extraStart + fieldHead;
  const head = Buffer.from(file.slice(0, Math.min(file.size, extraStart + 0xffff)));
  const end = listed + head.readUInt16LE(extraStart + fieldName.length);
  const found = new Map<string, Run>();
  let next = end;
  for (let at = listed; at < end; at += entrySize) {
    const numberAt = (index: number) => head.readUInt32LE(at + keySize + index * 4);
    const [start, length] = [next, numberAt(0)];
    const read = () => new Uint8Array(file.slice(start, start + length));
    found.set(head.toString('hex', at, at + keySize), { length, read, size: numberAt(1), checksum: numberAt(2) });
    next += length;
  }
  return (uuid) => found.get(partKey(uuid)) ?? null;
}

function partKey(uuid: string): string {
  return uuid.replaceAll('-', '').slice(0, headKey.length);
}
