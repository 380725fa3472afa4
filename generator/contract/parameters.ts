import * as z from 'zod';
import { changeType } from './change.ts';
import { inventoryAge, purchaseEligibilityMode, strategyName } from './comparison.ts';
import { categoryId, sku, uuid } from './primitives.ts';
import { searchKind } from './search.ts';

export type QueryParameter = {
  readonly schema: z.ZodType;
  readonly list?: number;
  readonly required?: boolean;
  readonly description: string;
};

const anyCaseUuid = z.uuid();
const instant = z.iso.datetime({ offset: true });
const page: Readonly<Record<string, QueryParameter>> = {
  limit: { schema: z.int().min(1).max(100), description: 'Rows of a page. Without it: one natural page.' },
  cursor: {
    schema: z.string().min(1).max(2048),
    description: 'From links.next or meta.page.next_cursor; only with the query it was handed out for.',
  },
};

const eventFilters: Readonly<Record<string, QueryParameter>> = {
  store_id: { schema: anyCaseUuid, description: 'Only events of this store.' },
  types: { schema: changeType, list: 8, description: 'Only events of these types.' },
  since: { schema: instant, description: 'Only events with times.retrieved_at at or after this.' },
  until: { schema: instant, description: 'Only events with times.retrieved_at at or before this.' },
};

/** The query parameters of every list, contract.md 3, and of the comparison. Others take none. */
export const queryParameters = {
  changes: {
    product_id: { schema: anyCaseUuid, description: 'Only events of this product; not with sku.' },
    sku: {
      schema: sku,
      description: 'Only events of the product with this current or former SKU; not with product_id.',
    },
    ...eventFilters,
    ...page,
  },
  family_changes: { ...eventFilters, ...page },
  product_changes: { ...eventFilters, ...page },
  brands: {
    q: { schema: z.string().min(1).max(200), description: 'Part of a name, slug or alias; case and accents ignored.' },
    category_ids: { schema: categoryId, list: 20, description: 'Brands with products in any of these categories.' },
    sort: { schema: z.enum(['name', '-name']), description: 'Order; name is the default.' },
    ...page,
  },
  products: page,
  stores: page,
  families: page,
  search: {
    q: { schema: z.string().min(1).max(200), required: true, description: 'Words to find; the last may be a prefix.' },
    kinds: { schema: searchKind, list: 4, description: 'Only hits of these kinds.' },
    limit: { schema: z.int().min(1).max(100), description: 'Hits at most; 20 is the default.' },
  },
  comparison: {
    product_ids: { schema: uuid, list: 25, description: 'Products by id; not with skus.' },
    skus: { schema: sku, list: 25, description: 'Products by current or former SKU; not with product_ids.' },
    lat: { schema: z.number().min(-90).max(90), required: true, description: 'WGS84 latitude of the origin.' },
    lng: { schema: z.number().min(-180).max(180), required: true, description: 'WGS84 longitude of the origin.' },
    radius_m: { schema: z.int().min(1).max(500_000), description: 'Radius in metres; 50000 is the default.' },
    strategies: { schema: strategyName, list: 5, description: 'Strategies to calculate; all by default.' },
    purchase_eligibility: { schema: purchaseEligibilityMode, description: 'eligible is the default.' },
    inventory_age: { schema: inventoryAge, description: 'within_policy is the default.' },
    max_stops: { schema: z.int().min(1).max(3), description: 'Stores of a plan at most; 3 is the default.' },
  },
} as const satisfies Record<string, Readonly<Record<string, QueryParameter>>>;
