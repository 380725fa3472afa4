import { type ExportHeader, exportHeader, recordTypes } from '../../contract/columns/export.ts';
import { describeTable } from '../../contract/columns/parquet.ts';
import type { Profile } from '../../contract/profile.ts';
import { Failure } from '../files/failure.ts';
import { checkValue } from './checked-json.ts';
import { GzipWriter } from './compression.ts';
import { ParquetTable } from './parquet.ts';
import type { Sink } from './pieces.ts';

/**
 * Makes the files of an export: gzip NDJSON, and Parquet. Their bytes depend on the rows and the header, not on the
 * machine or the version of Node. `path`: the address of the NDJSON, for messages. `sinks`: where the bytes go.
 */
export function exportWriter(
  path: string,
  header: ExportHeader,
  profile: Profile,
  sinks: { readonly ndjson: Sink; readonly parquet: Sink },
) {
  const { resource, record_count } = header.header;
  checkValue(exportHeader, () => path, header);
  const ndjson = new GzipWriter(sinks.ndjson);
  ndjson.write(`${JSON.stringify(header)}\n`);
  const table = new ParquetTable(resource, profile, path, sinks.parquet);
  return {
    /** Adds the row of a source. Throws a Failure that names the path when its record does not match its schema. */
    add(source: never): void {
      ndjson.write(recordLine(recordTypes[resource], table.add(source)));
    },
    /** Ends both. Throws a Failure when there are more or fewer rows than the header says. */
    end(): void {
      if (table.rows !== record_count) {
        throw new Failure(
          'database_damaged',
          `${path}: expected ${record_count} records as counted when published, got ${table.rows}`,
        );
      }
      ndjson.end();
      table.end({ ...header.header, fields: describeTable(resource, profile) });
    },
  };
}

/** A record as a line of JSON. `members`: its members after the type, each after a comma. */
export function recordLine(type: string, members: string): string {
  return `{"record_type":"${type}"${members}}\n`;
}
