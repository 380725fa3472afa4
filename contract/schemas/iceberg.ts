import * as z from 'zod';
import { icebergTables } from '../vocabulary.ts';
import { count, text, uuid } from './primitives.ts';

/*
 * Tables of Apache Iceberg, format version 2, over the Parquet files of the retained publications
 * (https://iceberg.apache.org/spec/). Each publication is a snapshot, whose id and sequence number are the number of
 * the publication, and a tag with the name of its revision.
 */

/** Each publication adds a file to `daily` and `changes`. In the other tables, its file replaces the previous one. */
export const icebergTable = z.enum(icebergTables);

const fieldType = z.union([
  z.enum(['string', 'long', 'double', 'boolean', 'timestamptz', 'uuid']),
  z.string().regex(/^decimal\(18, \d\)$/),
  z.strictObject({
    type: z.literal('list'),
    'element-id': z.int().min(1),
    element: z.literal('string'),
    'element-required': z.literal(true),
  }),
]);

const schema = z.strictObject({
  type: z.literal('struct'),
  'schema-id': z.literal(0),
  fields: z.array(
    z.strictObject({ id: z.int().min(1), name: text, required: z.boolean(), type: fieldType, doc: text }),
  ),
});
export type IcebergSchema = z.infer<typeof schema>;

const snapshot = z.strictObject({
  'snapshot-id': z.int().min(1),
  'parent-snapshot-id': z.int().min(1).optional(),
  'sequence-number': z.int().min(1),
  'timestamp-ms': count,
  'manifest-list': text,
  summary: z.strictObject({
    operation: z.enum(['append', 'overwrite']),
    'added-data-files': z.string(),
    'added-records': z.string(),
    // A kept publication that an earlier version of the program made may lack these.
    'deleted-data-files': z.string().optional(),
    'deleted-records': z.string().optional(),
    'total-data-files': z.string(),
    'total-records': z.string(),
    'publication-revision': uuid,
  }),
  'schema-id': z.literal(0),
});
export type IcebergSnapshot = z.infer<typeof snapshot>;

export const icebergMetadata = z.strictObject({
  'format-version': z.literal(2),
  'table-uuid': uuid,
  location: text,
  'last-sequence-number': z.int().min(1),
  'last-updated-ms': count,
  'last-column-id': z.int().min(1),
  schemas: z.array(schema).length(1),
  'current-schema-id': z.literal(0),
  'partition-specs': z.array(z.strictObject({ 'spec-id': z.literal(0), fields: z.array(z.never()) })).length(1),
  'default-spec-id': z.literal(0),
  'last-partition-id': z.literal(999),
  'sort-orders': z.array(z.strictObject({ 'order-id': z.literal(0), fields: z.array(z.never()) })).length(1),
  'default-sort-order-id': z.literal(0),
  properties: z.strictObject({ 'schema.name-mapping.default': text }),
  'current-snapshot-id': z.int().min(1),
  refs: z.record(z.string(), z.strictObject({ 'snapshot-id': z.int().min(1), type: z.enum(['branch', 'tag']) })),
  snapshots: z.array(snapshot).min(1),
  'snapshot-log': z.array(z.strictObject({ 'timestamp-ms': count, 'snapshot-id': z.int().min(1) })),
  'metadata-log': z.array(z.never()),
});
export type IcebergMetadata = z.infer<typeof icebergMetadata>;
