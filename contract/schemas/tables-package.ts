import * as z from 'zod';
import { parquetMediaType } from '../headers.ts';
import { dataPackage, fileHash, tableFieldSchema } from './data-package.ts';
import { component, count, text } from './primitives.ts';

export const tableNames = z.enum([
  'products',
  'stores',
  'inventory',
  'daily',
  'changes',
  'newest_changes',
  'products_over_time',
  'stores_over_time',
  'categories',
  'coverage',
]);

const constrainedField = z.strictObject({
  ...tableFieldSchema.shape,
  constraints: z.strictObject({ required: z.literal(true).optional(), enum: z.array(text).optional() }).optional(),
});

const foreignKey = z.strictObject({
  fields: text,
  reference: z.strictObject({ resource: tableNames, fields: text }),
});

/** The newest tables, and those over time, as a Frictionless Data Package v1, with their keys. */
export const tablesPackage = component('TablesPackage', {
  ...dataPackage.shape,
  resources: z.array(
    z.strictObject({
      name: tableNames,
      path: text,
      profile: z.literal('data-resource'),
      description: text,
      format: z.literal('parquet'),
      mediatype: z.literal(parquetMediaType),
      bytes: count,
      hash: fileHash,
      schema: z.strictObject({
        fields: z.array(constrainedField),
        /** Absent where a part of the key may be null. */
        primaryKey: z.array(text).min(1).optional(),
        foreignKeys: z.array(foreignKey).min(1).optional(),
      }),
    }),
  ),
});
export type TablesPackage = z.infer<typeof tablesPackage>;
