import * as z from 'zod';
import { revisionCorrection } from '../documents/correction.ts';
import { warnings } from '../documents/envelope.ts';
import { freshness } from '../documents/observation.ts';
import { address, count, dateTime, sha256, uuid } from '../primitives.ts';
import { exportSchemaVersion } from './table.ts';

export const exportFile = z.strictObject({ record_count: count, url: address });
export const exportFiles = z.strictObject({ products: exportFile, stores: exportFile, inventory: exportFile });
export type ExportFiles = z.infer<typeof exportFiles>;

/** A Parquet file. `etag` has its quotes. */
export const tableFile = z
  .strictObject({ record_count: count, url: address, size: count, sha256, etag: z.string() })
  .meta({ id: 'TableFile' });
export type TableFile = z.infer<typeof tableFile>;

/** The Parquet files of one publication. They never change. */
export const publicationTables = z
  .strictObject({ products: tableFile, stores: tableFile, inventory: tableFile, daily: tableFile })
  .meta({ id: 'PublicationTables' });

/** Tables over time, which grow: what is in pieces of the change history, what is in none yet, and every day. */
export const historyTables = z
  .strictObject({ changes: tableFile, newest_changes: tableFile, daily: tableFile })
  .meta({ id: 'HistoryTables' });

export const exportTables = z
  .strictObject({ format: z.literal('parquet'), files: publicationTables, history: historyTables })
  .meta({ id: 'ExportTables' });

export type ExportTables = z.infer<typeof exportTables>;

export const exportManifest = z
  .strictObject({
    publication_revision: uuid,
    published_at: dateTime,
    format: z.literal('gzip_ndjson'),
    schema_version: z.literal(exportSchemaVersion),
    files: exportFiles,
    /** The same records as Parquet, and tables over time. */
    parquet: exportTables,
    /** The retained publications that were corrected, newest first. Their files stay as they are. */
    corrections: z.array(revisionCorrection),
  })
  .meta({ id: 'ExportManifest' });

export const exportManifestDocument = z.strictObject({
  data: exportManifest,
  meta: z.strictObject({ warnings, freshness }),
});

export type ExportManifestDocument = z.infer<typeof exportManifestDocument>;
