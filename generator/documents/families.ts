import { instantSpan } from '../../contract/instant.ts';
import { formatPath } from '../../contract/paths.ts';
import type { Profile } from '../../contract/profile.ts';
import {
  type FamilyDocument,
  type FamilyRow,
  type ObservedHistory,
  observedHistorySemantics,
} from '../../contract/schemas/family.ts';
import type { AvailabilitySummary, PriceRange } from '../../contract/schemas/primitives.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import type { ProductTotalsRow } from '../database/state-reader.ts';
import type { Family } from './catalog.ts';
import { changing, type Document, freshness, newestTime, warningList } from './document.ts';
import { categoryIds, familyMember, inventoryWarnings, type Product } from './product.ts';
import type { State } from './state.ts';

export type MemberFacts = {
  readonly product: Product;
  readonly summary: AvailabilitySummary;
  readonly totals: ProductTotalsRow | undefined;
};

/** How many events of a family's feed are retained, and how many of those were published in the last 30 days. */
export type FeedCounts = Pick<ObservedHistory, 'retained_change_count' | 'recent_change_count_30d'>;

/** The general warnings, and those about the inventory of any member. */
export function familyWarnings(state: State, members: readonly MemberFacts[]): WarningCode[] {
  return [...state.generalWarnings, ...members.flatMap(({ product, summary }) => inventoryWarnings(product, summary))];
}

/** `/product-families/{id}`. */
export function familyDocument(
  state: State,
  family: Family,
  members: readonly MemberFacts[],
  counts: FeedCounts,
): Document {
  const retrieved = members.flatMap(({ summary }) => [summary.retrieved_at_min, summary.retrieved_at_max]);
  const value: FamilyDocument = {
    data: {
      ...familyRow(family, state.profile),
      inventory_retrieved_at: newestTime(family.members.map(({ inventory_retrieved_at }) => inventory_retrieved_at)),
      observed_history: observedHistory(state, members, counts),
      members: members.map(({ product, summary }) => familyMember(product, summary)),
    },
    meta: {
      warnings: warningList(familyWarnings(state, members)),
      freshness: freshness(state, family.members, instantSpan(retrieved)),
    },
  };
  return changing(formatPath('family', { family_id: family.id }), value);
}

export function familyRow({ id, slug, name, brand, members }: Family, profile: Profile): FamilyRow {
  return {
    id,
    slug,
    name,
    brand: brand.name,
    brand_id: brand.id,
    member_count: members.length,
    category_ids: categoryIds(members),
    price_range: priceRange(
      members.flatMap(({ price }) => (price ? [price.amount_minor] : [])),
      profile,
    ),
  };
}

function priceRange(amounts: readonly number[], { currency }: Profile): PriceRange | null {
  if (amounts.length === 0) return null;
  return { currency, minimum_amount_minor: Math.min(...amounts), maximum_amount_minor: Math.max(...amounts) };
}

function observedHistory(state: State, members: readonly MemberFacts[], counts: FeedCounts): ObservedHistory {
  const products = members.map(({ product }) => product);
  const positivePairs = members.map(({ summary }) => summary.reported_positive_store_count);
  const prices = products.flatMap(({ lowest_price_minor, highest_price_minor }) => [
    lowest_price_minor,
    highest_price_minor,
  ]);
  const earliest = instantSpan(
    products.flatMap(({ first_observed_at, first_retrieved_at }) => [first_observed_at, first_retrieved_at]),
  ).min;
  const latest = newestTime(
    products.flatMap(({ catalog_retrieved_at, inventory_retrieved_at }) => [
      catalog_retrieved_at,
      inventory_retrieved_at,
    ]),
  );
  return {
    tracking_started_at: state.tracking_started_at,
    earliest_observed_at: earliest ?? '',
    latest_observed_at: latest ?? '',
    last_price_change_at: newestTime(members.map(({ totals }) => totals?.last_price_change_at ?? null)),
    last_inventory_change_at: newestTime(members.map(({ totals }) => totals?.last_inventory_change_at ?? null)),
    last_reported_positive_at: newestTime(products.map(({ last_positive_at }) => last_positive_at)),
    ...counts,
    member_count: members.length,
    members_reporting_stock: positivePairs.filter((pairs) => pairs > 0).length,
    positive_store_product_pairs: positivePairs.reduce((sum, pairs) => sum + pairs, 0),
    retention_days: state.publication.history_days,
    observed_price: priceRange(
      prices.filter((amount) => amount !== null),
      state.profile,
    ),
    semantics: observedHistorySemantics,
  };
}
