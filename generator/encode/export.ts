import type * as z from 'zod';
import { checkValue } from '../contract/checked-value.ts';
import {
  type ExportHeader,
  type ExportResource,
  exportHeader,
  exportRecordMaker,
  exportRecords,
} from '../contract/formats/export.ts';
import { describeTable } from '../contract/formats/parquet.ts';
import type { ExportFields } from '../contract/formats/table.ts';
import type { Profile } from '../contract/profile.ts';
import { Failure } from '../failure.ts';
import { PiecewiseGzip } from './compression.ts';
import { ParquetTable } from './parquet.ts';

/**
 * The files of an export that is being made: gzip NDJSON, and Parquet. Their bytes depend on the rows and the header, not on the
 * machine or the version of Node.
 */
export class ExportFiles {
  readonly #path: string;
  readonly #header: ExportHeader['header'];
  readonly #ndjson = new PiecewiseGzip();
  readonly #parquet: ParquetTable<ExportResource>;
  readonly #tableFields: ExportFields;
  readonly #schema: z.ZodType;
  readonly #recordOf: (source: never) => Record<string, unknown>;

  /** `path`: the address of the NDJSON, for messages. */
  constructor(path: string, header: ExportHeader, profile: Profile) {
    const { resource } = header.header;
    checkValue(exportHeader, () => path, header);
    this.#path = path;
    this.#header = header.header;
    this.#ndjson.write(`${JSON.stringify(header)}\n`);
    this.#parquet = new ParquetTable(resource, profile);
    this.#schema = exportRecords[resource];
    this.#recordOf = exportRecordMaker(resource, profile);
    this.#tableFields = describeTable(resource, profile);
  }

  /** Adds the row of a source. Throws a Failure that names the path when its record does not match its schema. */
  add(source: never): void {
    this.#ndjson.write(recordLine(this.#path, this.#schema, this.#recordOf(source)));
    this.#parquet.add(source);
  }

  /** The bytes of both. Throws a Failure when there are more or fewer rows than the header says. */
  end(): { readonly ndjson: Uint8Array; readonly parquet: Uint8Array } {
    const { record_count } = this.#header;
    const { rows } = this.#parquet;
    if (rows !== record_count) {
      throw new Failure(`${this.#path}: expected ${record_count} records as counted when published, got ${rows}`);
    }
    const header = { ...this.#header, fields: this.#tableFields };
    return { ndjson: this.#ndjson.end(), parquet: this.#parquet.end(header) };
  }
}

/** A record as a line of JSON. Throws a Failure that names the path when it does not match its schema. */
export function recordLine(path: string, schema: z.ZodType, record: object): string {
  checkValue(schema, () => `${path}: record ${JSON.stringify(record)}`, record);
  return `${JSON.stringify(record)}\n`;
}
