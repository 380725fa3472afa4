import * as z from 'zod';
import { exportFiles } from '../formats/export-manifest.ts';
import { address, count, dateTime, text, uuid } from '../primitives.ts';
import { about } from './about.ts';
import { correction, feedState, newestCorrection } from './correction.ts';

/** The contract's version, as the service description gives it. */
export const contractVersion = '1.3.0';

export const serviceName = 'Reported Inventory and Change-History Read Service';

export const serviceStatement =
  'This service is independent of the agency and is not endorsed by it. Reported quantities are observations, not purchase guarantees.';

export const serviceIndex = z
  .strictObject({
    name: z.literal(serviceName),
    contract_version: z.literal(contractVersion),
    publication_revision: uuid,
    published_at: dateTime,
    links: z.record(z.string(), address),
  })
  .meta({ id: 'ServiceIndex' });

export const metadata = z
  .strictObject({
    service: z.strictObject({
      name: z.literal(serviceName),
      contract_version: z.literal(contractVersion),
      statement: z.literal(serviceStatement),
    }),
    about: about.nullable(),
    publication: z.strictObject({ revision: uuid, sequence: z.int().min(1), published_at: dateTime }),
    counts: z.strictObject({
      products: count,
      listed_products: count,
      product_families: count,
      brands: count,
      stores: count,
      categories: count,
      inventory_pairs: count,
      change_events: count,
    }),
    retention: z.strictObject({ history_days: count, publication_days: count }),
    retrieval_policy: z.strictObject({ id: text, max_age_seconds: count }),
    correction: newestCorrection.nullable(),
    feed: feedState,
  })
  .meta({ id: 'Metadata' });

export type Metadata = z.infer<typeof metadata>;

export const retainedPublication = z
  .strictObject({
    revision: uuid,
    sequence: z.int().min(1),
    published_at: dateTime,
    current: z.boolean(),
    exports: exportFiles,
    correction: correction.nullable(),
  })
  .meta({ id: 'RetainedPublication' });

export type RetainedPublication = z.infer<typeof retainedPublication>;
