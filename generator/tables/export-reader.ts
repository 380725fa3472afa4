import { type ExportHeader, exportHeader, exportRecords } from '../../contract/columns/export.ts';
import type { ExportResource } from '../../contract/vocabulary.ts';
import { Failure } from '../files/failure.ts';
import { unpackedTimes } from '../files/largest-unpacking.ts';
import { BrokenFile } from './broken-file.ts';
import { parseText, schemaFaults } from './checked-json.ts';
import { gzipLines } from './gzip-lines.ts';

/** A data record of an export. Its fields are those of the resource. */
export type ExportRecord = Readonly<Record<string, unknown>>;

/** The key that the records of an export are sorted by. Ids have one length, so two joined ids sort like the pair. */
export function exportKey({ id, product_id, store_id }: ExportRecord): string {
  return typeof id === 'string' ? id : `${product_id} ${store_id}`;
}

/** An export file on this machine. `name`: what messages call it. */
export type ExportFile = {
  readonly file: string;
  readonly size: number;
  readonly resource: ExportResource;
  readonly name: string;
};

/**
 * Reads the data records of an export file. Throws a Failure when a record does not match its schema or is out of
 * order, when the file is damaged, or when its header counts other records.
 */
export async function* readExport({ file, size, resource, name }: ExportFile): AsyncGenerator<ExportRecord> {
  let lineCount = 0;
  let lastKey = '';
  let announced = 0;
  const recordOf = (text: string): ExportRecord => {
    lineCount += 1;
    const place = `${name}, line ${lineCount}`;
    const parsed = parseText(text);
    if ('fault' in parsed) throw new Failure('site_damaged', `${place}: expected JSON, got ${parsed.fault}`);
    const schema = lineCount === 1 ? exportHeader : exportRecords[resource];
    const [problem] = schemaFaults(schema, parsed.value);
    if (problem) throw new Failure('site_damaged', `${place}: expected ${problem.expected}, got ${problem.got}`);
    return parsed.value as ExportRecord;
  };
  try {
    for await (const lines of gzipLines(file, size, unpackedTimes * size)) {
      for (const text of lines) {
        const record = recordOf(text);
        if (lineCount === 1) {
          announced = (record as ExportHeader).header.record_count;
        } else {
          const key = exportKey(record);
          if (key <= lastKey)
            throw new Failure(
              'site_damaged',
              `${name}, line ${lineCount}: expected a record after ${lastKey}, got ${key}`,
            );
          lastKey = key;
          yield record;
        }
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    throw new Failure('site_damaged', `${name}: expected gzip-compressed lines of text, got ${error.message}`);
  }
  if (lineCount === 0) throw new Failure('site_damaged', `${name}, line 1: expected a header, got an empty file`);
  if (lineCount - 1 !== announced) {
    throw new Failure(
      'site_damaged',
      `${name}: expected ${announced} records, as its header says, got ${lineCount - 1}`,
    );
  }
}
