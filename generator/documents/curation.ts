import {
  type Brand as BrandData,
  type BrandDetail,
  type BrandIndex,
  type Category as CategoryData,
  type FamilyDocument,
  type FamilyRow,
  type ObservedHistory,
  observedHistorySemantics,
} from '../../contract/documents/catalog.ts';
import { compareInstants, spanOf } from '../../contract/instant.ts';
import { pathOf } from '../../contract/paths.ts';
import type { AvailabilitySummary, PriceRange, WarningCode } from '../../contract/primitives.ts';
import type { Profile } from '../../contract/profile.ts';
import { fold } from '../../contract/text.ts';
import type { ProductTotalsRow } from '../database/state-reader.ts';
import { answer, changing, type Document, freshnessOf, newestOf, warningList } from './document.ts';
import { categoryIdsOf, memberOf } from './product.ts';
import { inventoryWarnings } from './state/availability.ts';
import type { Brand, Catalog, Family } from './state/catalog.ts';
import type { Product } from './state/product.ts';
import type { State } from './state/state.ts';

/** `/categories`: flat, by id. */
export function categoriesDocument(state: State, catalog: Catalog): Document {
  const filed = new Map<string, number>();
  for (const { categoryId } of catalog.listed) {
    if (categoryId !== null) filed.set(categoryId, (filed.get(categoryId) ?? 0) + 1);
  }
  const children = Map.groupBy(catalog.categories, ({ parentId }) => parentId);
  const total = (id: string): number =>
    (filed.get(id) ?? 0) +
    (children.get(id) ?? []).filter(({ active }) => active).reduce((sum, child) => sum + total(child.id), 0);
  const data: CategoryData[] = catalog.categories.map(({ id, parentId, name, active }) => ({
    id,
    parent_id: parentId,
    name,
    active,
    product_count: filed.get(id) ?? 0,
    total_product_count: total(id),
  }));
  return answer(pathOf('categories'), data, state.generalWarnings);
}

/** `/brands/{id}` and `/brands/by-slug/{slug}` of every reviewed brand, represented or not. */
export function* brandDocuments(state: State, catalog: Catalog): Generator<Document> {
  const families = Map.groupBy(catalog.families, (family) => family.brand.id);
  for (const brand of catalog.brands) {
    const familiesOfBrand = families.get(brand.id) ?? [];
    const data: BrandDetail = {
      ...brandRow(catalog, brand, familiesOfBrand.length),
      aliases: [...brand.aliases],
      families: familiesOfBrand.map(({ id, slug, name, members }) => ({
        id,
        slug,
        name,
        member_count: members.length,
      })),
    };
    const bySlug = pathOf('brand_by_slug', { slug: brand.slug });
    yield answer(pathOf('brand', { brand_id: brand.id }), data, state.publication.warnings, [bySlug]);
  }
}

/** The rows of `/brands`: reviewed brands with a listed product, by name. */
export function brandRows(catalog: Catalog): BrandData[] {
  const families = Map.groupBy(catalog.families, (family) => family.brand.id);
  return catalog.representedBrands.map((brand) => brandRow(catalog, brand, families.get(brand.id)?.length ?? 0));
}

function brandRow(catalog: Catalog, brand: Brand, familyCount: number): BrandData {
  const products = catalog.listedOf(brand);
  return {
    id: brand.id,
    slug: brand.slug,
    name: brand.name,
    product_count: products.length,
    family_count: familyCount,
    category_ids: categoryIdsOf(products),
    inventory_retrieved_at: newestOf(products.map(({ success }) => success?.retrievedAt ?? null)),
  };
}

/** `/brands/index.json`: the rows of `/brands` in their order, each with its distinct folded names. */
export function brandIndexDocument(state: State, catalog: Catalog): Document {
  const aliases = new Map(catalog.brands.map((brand) => [brand.id, brand.aliases]));
  const value: BrandIndex = {
    warnings: warningList(state.publication.warnings),
    brands: brandRows(catalog).map((brand) => ({
      brand,
      names: [...new Set([brand.name, brand.slug, ...(aliases.get(brand.id) ?? [])].map(fold))],
    })),
  };
  return changing(pathOf('brand_index'), value);
}

/** A member of a family, with what the family's document says of it. */
export type MemberFacts = {
  readonly product: Product;
  readonly summary: AvailabilitySummary;
  readonly totals: ProductTotalsRow | undefined;
};

/** How many events of a family's feed are retained, and how many of them were published in the last 30 days. */
export type FeedCounts = { readonly retained: number; readonly recent: number };

/** The warnings that concern a family: the general ones, and those of any member's inventory. */
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
      inventory_retrieved_at: newestOf(family.members.map(({ success }) => success?.retrievedAt ?? null)),
      observed_history: historyOf(state, members, counts),
      members: members.map(({ product, summary }) => memberOf(product, summary)),
    },
    meta: {
      warnings: warningList(familyWarnings(state, members)),
      freshness: freshnessOf(state, family.members, spanOf(retrieved)),
    },
  };
  return changing(pathOf('family', { family_id: family.id }), value);
}

/** A family as `/product-families` lists it. */
export function familyRow({ id, slug, name, brand, members }: Family, profile: Profile): FamilyRow {
  return {
    id,
    slug,
    name,
    brand: brand.name,
    brand_id: brand.id,
    member_count: members.length,
    category_ids: categoryIdsOf(members),
    price_range: rangeOf(
      members.flatMap(({ price }) => (price ? [price.amount_minor] : [])),
      profile,
    ),
  };
}

function rangeOf(amounts: readonly number[], { currency }: Profile): PriceRange | null {
  if (amounts.length === 0) return null;
  return { currency, minimum_amount_minor: Math.min(...amounts), maximum_amount_minor: Math.max(...amounts) };
}

function historyOf(state: State, members: readonly MemberFacts[], { retained, recent }: FeedCounts): ObservedHistory {
  const products = members.map(({ product }) => product);
  const positivePairs = members.map(({ summary }) => summary.reported_positive_store_count);
  const prices = products.flatMap(({ row }) => [row.lowest_price_minor, row.highest_price_minor]);
  const earliest = products.map(({ firstObservedAt }) => firstObservedAt).sort(compareInstants)[0];
  const latest = newestOf(
    products.flatMap(({ catalogRetrievedAt, success }) => [catalogRetrievedAt, success?.retrievedAt ?? null]),
  );
  return {
    tracking_started_at: state.trackingStartedAt,
    earliest_observed_at: earliest ?? '',
    latest_observed_at: latest ?? '',
    last_price_change_at: newestOf(members.map(({ totals }) => totals?.last_price_change_at ?? null)),
    last_inventory_change_at: newestOf(members.map(({ totals }) => totals?.last_inventory_change_at ?? null)),
    last_reported_positive_at: newestOf(products.map(({ row }) => row.last_positive_at)),
    retained_change_count: retained,
    recent_change_count_30d: recent,
    member_count: members.length,
    members_reporting_stock: positivePairs.filter((pairs) => pairs > 0).length,
    positive_store_product_pairs: positivePairs.reduce((sum, pairs) => sum + pairs, 0),
    retention_days: state.publication.history_days,
    observed_price: rangeOf(
      prices.filter((amount) => amount !== null),
      state.profile,
    ),
    semantics: observedHistorySemantics,
  };
}
