import * as z from 'zod';
import { addressPart, count, country, dateTime, sku, storeCode, text, uuid } from '../primitives.ts';
import { observationTimes, purchaseEligibility } from './observation.ts';

export const geoPoint = z
  .strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
  .meta({ id: 'GeoPoint' });

export const accessType = z.enum(['consumer_state_store', 'licensee_only', 'package_agency', 'unknown']);

export const operationalState = z.enum(['open', 'temporarily_closed', 'permanently_closed', 'unknown']);

export const operationalStatus = z.strictObject({
  state: operationalState,
  note: z.string().nullable(),
  source: z.enum(['reviewed_editorial', 'unknown']),
});

export const storeService = z.enum([
  'refrigerated_beer',
  'wine_store',
  'high_end_product_room',
  'curbside_pickup',
  'accessible_entrance',
  'parking',
]);

export const presenceState = z.enum(['present', 'suspect_missing', 'retirement_review_required', 'reviewed_retired']);

export const directoryPresence = z.strictObject({ state: presenceState, last_seen_at: dateTime.nullable() });

export const storeSourceIds = z.strictObject({
  inventory_store_code: storeCode.nullable(),
  directory_id: z.string().nullable(),
});

export const storeSummary = z
  .strictObject({
    id: uuid,
    source_ids: storeSourceIds,
    name: text,
    address: z.strictObject({
      line1: z.string(),
      line2: z.string().nullable(),
      city: z.string(),
      region: addressPart,
      postal_code: addressPart,
      country,
    }),
    phone: z.string().nullable(),
    contact_links: z.strictObject({ telephone_uri: z.string().nullable(), geo_uri: z.string().nullable() }),
    location: geoPoint.nullable(),
    distance_m: count.nullable(),
    access_type: accessType,
    operational_status: operationalStatus,
    services: z.array(storeService),
    regular_hours_available: z.boolean(),
    directory_presence: directoryPresence.nullable(),
    details_times: observationTimes,
  })
  .meta({ id: 'StoreSummary' });

export type StoreSummary = z.infer<typeof storeSummary>;

export const storeDetail = z
  .strictObject({ ...storeSummary.shape, regular_hours: z.string().nullable() })
  .meta({ id: 'StoreDetail' });

export type StoreDetail = z.infer<typeof storeDetail>;

export const stockedProduct = z.strictObject({
  product_id: uuid,
  agency_sku: sku,
  name: text,
  brand: text.nullable(),
  reported_quantity: z.int().min(1),
  purchase_eligibility: purchaseEligibility,
  retrieved_at: dateTime,
  meets_retrieval_policy: z.boolean(),
});

/** The catalog products that are reported positive in a store. */
export const storeStock = z
  .strictObject({
    store: z.strictObject({ id: uuid, source_ids: storeSourceIds, name: text }),
    products: z.array(stockedProduct),
  })
  .meta({ id: 'StoreAvailability' });

export type StoreStock = z.infer<typeof storeStock>;
