import * as z from 'zod';
import { jsonMediaType } from '../headers.ts';
import { text } from './primitives.ts';

export const dcatSchema = 'https://project-open-data.cio.gov/v1.1/schema';

const distribution = z.strictObject({
  '@type': z.literal('dcat:Distribution'),
  title: text,
  description: text,
  format: text,
  mediaType: text.optional(),
  downloadURL: z.url().optional(),
  accessURL: z.url().optional(),
  describedBy: z.url().optional(),
  describedByType: text.optional(),
});

/** A catalog in DCAT-US 1.1, the form of DCAT in JSON that open-data portals of the USA harvest. */
export const dcatCatalog = z.strictObject({
  '@context': z.literal('https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld'),
  '@id': z.url(),
  '@type': z.literal('dcat:Catalog'),
  conformsTo: z.literal(dcatSchema),
  describedBy: z.literal(`${dcatSchema}/catalog.json`),
  dataset: z
    .array(
      z.strictObject({
        '@type': z.literal('dcat:Dataset'),
        title: text,
        description: text,
        identifier: text,
        accessLevel: z.literal('public'),
        publisher: z.strictObject({ '@type': z.literal('org:Organization'), name: text }),
        contactPoint: z.strictObject({
          '@type': z.literal('vcard:Contact'),
          fn: text,
          hasEmail: z.string().startsWith('mailto:'),
        }),
        modified: text,
        issued: text,
        temporal: text,
        spatial: text,
        keyword: z.array(text).min(1),
        language: z.array(text),
        landingPage: z.url(),
        license: z.url().optional(),
        describedBy: z.url(),
        describedByType: z.literal(jsonMediaType),
        distribution: z.array(distribution).min(1),
      }),
    )
    .length(1),
});
export type DcatCatalog = z.infer<typeof dcatCatalog>;
