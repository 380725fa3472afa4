import { type ProductRecordParts, productRecordParts } from '../contract/formats/export.ts';
import type { ExportedProductRow } from '../database/exported-products.ts';
import { AvailabilityReader } from '../model/availability.ts';
import {
  brandIn,
  exportedProducts,
  packageSizeIn,
  priceIn,
  retrievalsOf,
  statusIn,
} from '../model/exported-product.ts';
import { familyIdOf } from '../model/product.ts';
import type { State } from '../model/state.ts';
import { categoryIdsOf } from './product.ts';
import { type Part, RecordPart, type RecordSink } from './record-parts.ts';

type Row = ExportedProductRow;

/**
 * The data records of the products export as checked JSON, by id. `sink` gets the same records. Parts that many products
 * share are made once.
 */
export function* productLines(state: State, path: string, sink: RecordSink | null): Generator<string> {
  const byName = partsOf(state, path);
  // One call for all parts: as many calls as parts are inlined into a function that takes a tenth of the export to compile.
  const makers = Object.keys(productRecordParts).map((name) => byName[name as keyof ProductRecordParts]);
  for (const row of exportedProducts(state)) {
    let line = '{';
    const values: Part['values'][] = [];
    for (const maker of makers) {
      const part = maker.of(row);
      line += line === '{' ? part.json : `,${part.json}`;
      if (sink) values.push(part.values);
    }
    sink?.add(...values);
    yield `${line}}`;
  }
}

function partsOf(
  state: State,
  path: string,
): { [Name in keyof ProductRecordParts]: RecordPart<Row, (typeof productRecordParts)[Name]> } {
  const schemas = productRecordParts;
  const formerSkusOf = ({ sku }: Row) => state.formerSkus.of(sku);
  const availabilities = new AvailabilityReader(state);
  return {
    identity: new RecordPart(path, schemas.identity, identityPart),
    brand: new RecordPart(path, schemas.brand, brandPart, ({ brand }) => brand),
    family: new RecordPart(path, schemas.family, (row) => ({ family_id: familyIdOf(row) }), familyIdOf),
    filing: new RecordPart(
      path,
      schemas.filing,
      (row) => ({ category_ids: categoryIdsOf([{ categoryId: row.category_id }]), former_skus: formerSkusOf(row) }),
      (row) => (formerSkusOf(row).length === 0 ? row.category_id : undefined),
    ),
    package: new RecordPart(path, schemas.package, packagePart, (row) => row.package),
    price: new RecordPart(
      path,
      schemas.price,
      (row) => pricePart(state, row),
      ({ price }) => price,
    ),
    status: new RecordPart(path, schemas.status, statusPart, ({ status }) => status),
    inventory: new RecordPart(
      path,
      schemas.inventory,
      (row) => inventoryPart(row, availabilities),
      ({ attempted_at }) => (attempted_at === null ? null : undefined),
    ),
  };
}

function identityPart({ id, sku, name }: Row): ProductRecordParts['identity'] {
  return { record_type: 'product', id, agency_sku: sku, name };
}

function brandPart(row: Row): ProductRecordParts['brand'] {
  const { brand, brandId } = brandIn(row.brand);
  return { brand, brand_id: brandId };
}

function packagePart(row: Row): ProductRecordParts['package'] {
  const size = packageSizeIn(row.package);
  return {
    package_milliliters: size.milliliters,
    package_container_count: size.container_count,
    package_unit_milliliters: size.unit_milliliters,
    package_total_milliliters: size.total_milliliters,
    package_display: size.display,
    package_interpretation: size.interpretation,
    package_basis: size.basis,
    package_normalization_state: size.normalization_state,
  };
}

function pricePart(state: State, row: Row): ProductRecordParts['price'] {
  const price = priceIn(state, row.price);
  return {
    price_amount_minor: price?.amount_minor ?? null,
    price_currency: price?.currency ?? null,
    price_display: price?.display ?? null,
    price_source: price?.source ?? null,
    price_source_updated_at: price?.times.source_updated_at ?? null,
    price_retrieved_at: price?.times.retrieved_at ?? null,
    price_published_at: price?.times.published_at ?? null,
  };
}

function statusPart(row: Row): ProductRecordParts['status'] {
  const { status, isListed } = statusIn(row.status);
  return {
    status_code: status.code,
    status_label: status.label,
    status_source_raw: status.source_raw,
    lifecycle: status.lifecycle,
    catalog_presence: isListed ? 'listed' : 'absent',
  };
}

/** It is the same for all products that nobody tried to retrieve. */
function inventoryPart(row: Row, availabilities: AvailabilityReader): ProductRecordParts['inventory'] {
  const summary = availabilities.countedSummaryOf(retrievalsOf(row));
  return {
    inventory_retrieved_at: row.retrieved_at,
    scope_store_count: summary.scope_store_count,
    reported_positive_store_count: summary.reported_positive_store_count,
    eligible_positive_store_count: summary.eligible_positive_store_count,
    reported_zero_store_count: summary.reported_zero_store_count,
    row_absent_store_count: summary.row_absent_store_count,
    unchecked_store_count: summary.unchecked_store_count,
    inventory_retrieved_at_min: summary.retrieved_at_min,
    inventory_retrieved_at_max: summary.retrieved_at_max,
    retrieval_policy_id: summary.retrieval_policy_id,
    meets_retrieval_policy: summary.meets_retrieval_policy,
    upstream_age_known: false,
    last_refresh_attempted_at: summary.last_refresh_attempt?.attempted_at ?? null,
    last_refresh_status: summary.last_refresh_attempt?.status ?? null,
  };
}
