import * as z from 'zod';
import { text } from './primitives.ts';

const organization = z.strictObject({
  '@type': z.literal('sc:Organization'),
  name: text,
  url: text.optional(),
  email: text.optional(),
});

const reference = z.strictObject({ '@id': text });

const distribution = z.strictObject({
  '@type': z.literal('cr:FileObject'),
  '@id': text,
  name: text,
  description: text,
  contentUrl: text,
  contentSize: z.string().regex(/^\d+ B$/),
  encodingFormat: z.literal('application/x-parquet'),
  /** Absent from files that change at their address, as the specification recommends for live datasets. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

const field = z.strictObject({
  '@type': z.literal('cr:Field'),
  '@id': text,
  name: text,
  description: text,
  dataType: z.enum(['sc:Text', 'sc:Integer', 'sc:Float', 'sc:Boolean', 'sc:DateTime']),
  isArray: z.literal(true).optional(),
  source: z.strictObject({ fileObject: reference, extract: z.strictObject({ column: text }) }),
  references: z.strictObject({ field: reference }).optional(),
});

const recordSet = z.strictObject({
  '@type': z.literal('cr:RecordSet'),
  '@id': text,
  name: text,
  description: text,
  key: z.array(reference).min(1).optional(),
  field: z.array(field).min(1),
});

/** Croissant 1.1, which is also a dataset of schema.org. */
export const croissant = z.strictObject({
  '@context': z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
  '@type': z.literal('sc:Dataset'),
  conformsTo: z.literal('http://mlcommons.org/croissant/1.1'),
  name: text,
  description: text,
  url: text,
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  datePublished: text,
  dateModified: text,
  temporalCoverage: text,
  spatialCoverage: z.strictObject({ '@type': z.literal('sc:Place'), name: text }),
  inLanguage: text,
  keywords: z.array(text),
  isAccessibleForFree: z.literal(true),
  isLiveDataset: z.literal(true),
  creator: organization,
  publisher: organization,
  license: text.optional(),
  identifier: text.optional(),
  citeAs: text,
  distribution: z.array(distribution).min(1),
  recordSet: z.array(recordSet).min(1),
});
export type Croissant = z.infer<typeof croissant>;
