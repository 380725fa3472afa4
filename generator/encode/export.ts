import type * as z from 'zod';
import { checkValue } from '../contract/checked-value.ts';
import { type ExportHeader, exportHeader, exportRecordMaker, exportRecords } from '../contract/formats/export.ts';
import { describeTable } from '../contract/formats/parquet.ts';
import { Failure } from '../failure.ts';
import type { State } from '../model/state.ts';
import { exportSources } from '../resources/export-records.ts';
import { PiecewiseGzip } from './compression.ts';
import { ParquetTable } from './parquet.ts';

/**
 * The files of an export: gzip NDJSON, and Parquet. Their bytes depend on the records and the header, not on the machine or the
 * version of Node. Throws a Failure that names `path` when a record does not match its schema, or when there are more or fewer
 * than the header says.
 */
export function encodeExport(path: string, state: State, header: ExportHeader) {
  const { resource, record_count } = header.header;
  const file = new PiecewiseGzip();
  const table = new ParquetTable(resource);
  checkValue(exportHeader, () => path, header);
  file.write(`${JSON.stringify(header)}\n`);
  const recordOf = exportRecordMaker(resource);
  for (const source of exportSources(state, resource)) {
    file.write(recordLine(path, exportRecords[resource], recordOf(source)));
    table.add(source);
  }
  if (table.rows !== record_count) {
    throw new Failure(`${path}: expected ${record_count} records as counted when published, got ${table.rows}`);
  }
  return { ndjson: file.end(), parquet: table.end({ ...header.header, fields: describeTable(resource) }) };
}

/** A record as a line of JSON. Throws a Failure that names the path when it does not match its schema. */
export function recordLine(path: string, schema: z.ZodType, record: object): string {
  checkValue(schema, () => `${path}: record ${JSON.stringify(record)}`, record);
  return `${JSON.stringify(record)}\n`;
}
