import { type CsvSources, type CsvTable, csvHead, csvRowMaker } from '../../contract/columns/csv-tables.ts';
import { csvLine } from '../../contract/csv.ts';
import type { Profile } from '../../contract/profile.ts';
import { GzipWriter } from './compression.ts';
import { Pieces } from './pieces.ts';

/** A gzip CSV file of rows, which come in the order of the file. `begun`: the text of a file that the rows continue. */
export function csvFile<Name extends CsvTable>(
  table: Name,
  profile: Profile,
  rows: Iterable<CsvSources[Name]>,
  begun: string | null = null,
): Uint8Array {
  const pieces = new Pieces();
  const file = new GzipWriter(pieces.add);
  const makeRow = csvRowMaker(table, profile);
  file.write(begun ?? csvLine(csvHead(table, profile)));
  for (const row of rows) file.write(csvLine(makeRow(row)));
  file.end();
  return pieces.bytes();
}
