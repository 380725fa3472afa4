import type { inventoryColumns, productColumns, storeColumns } from '../../../contract/columns/export.ts';
import type { ExportResource } from '../../../contract/vocabulary.ts';
import { type ExportRecord, exportKey } from '../../tables/export-reader.ts';

export type Change = 'added' | 'removed' | 'changed';

/** The values of a field that differs, on either side. */
export type FieldChange = { readonly a: unknown; readonly b: unknown };

/** A record that only one side has, or whose compared fields differ. */
export type RecordDifference = {
  readonly change: Change;
  /** The record of side b, or that of side a if it was removed. */
  readonly record: ExportRecord;
  /** The changes by field; empty unless the record changed. */
  readonly changes: Readonly<Record<string, FieldChange>>;
};

type Fields = {
  readonly products: keyof typeof productColumns & string;
  readonly stores: keyof typeof storeColumns & string;
  readonly inventory: keyof typeof inventoryColumns & string;
};

/**
 * Fields that are not compared: the times of retrievals, how retrievals went, counts that sum up pairs, and fields that
 * follow from others. They change in every publication, or repeat another change.
 */
const ignored: { readonly [Resource in ExportResource]: readonly Fields[Resource][] } = {
  products: [
    'price_display',
    'price_source_updated_at',
    'price_retrieved_at',
    'price_published_at',
    'inventory_retrieved_at',
    'scope_store_count',
    'reported_positive_store_count',
    'eligible_positive_store_count',
    'reported_zero_store_count',
    'row_absent_store_count',
    'unchecked_store_count',
    'inventory_retrieved_at_min',
    'inventory_retrieved_at_max',
    'retrieval_policy_id',
    'meets_retrieval_policy',
    'upstream_age_known',
    'last_refresh_attempted_at',
    'last_refresh_status',
  ],
  stores: [
    'telephone_uri',
    'geo_uri',
    'regular_hours_available',
    'directory_last_seen_at',
    'details_source_updated_at',
    'details_retrieved_at',
    'details_published_at',
  ],
  inventory: ['agency_sku', 'inventory_store_code', 'retrieved_at', 'meets_retrieval_policy'],
};

type Records = AsyncIterable<ExportRecord>;

/** Compares the records of an export, which are sorted on both sides, in one pass over both. */
export async function* recordDifferences(
  resource: ExportResource,
  a: Records,
  b: Records,
): AsyncGenerator<RecordDifference> {
  const [left, right] = [a[Symbol.asyncIterator](), b[Symbol.asyncIterator]()];
  const skipped: ReadonlySet<string> = new Set(ignored[resource]);
  try {
    let [before, after] = [await nextRecord(left), await nextRecord(right)];
    while (before !== null || after !== null) {
      const order = compareKeys(before && exportKey(before), after && exportKey(after));
      if (order < 0 && before) yield { change: 'removed', record: before, changes: {} };
      else if (order > 0 && after) yield { change: 'added', record: after, changes: {} };
      else if (before && after) {
        const changes = changedFields(before, after, skipped);
        if (changes) yield { change: 'changed', record: after, changes };
      }
      if (order <= 0) before = await nextRecord(left);
      if (order >= 0) after = await nextRecord(right);
    }
  } finally {
    await left.return?.();
    await right.return?.();
  }
}

async function nextRecord(records: AsyncIterator<ExportRecord>): Promise<ExportRecord | null> {
  const next = await records.next();
  return next.done ? null : next.value;
}

/** The fields that differ; null when none does. */
function changedFields(
  a: ExportRecord,
  b: ExportRecord,
  skipped: ReadonlySet<string>,
): Readonly<Record<string, FieldChange>> | null {
  let changes: Record<string, FieldChange> | null = null;
  for (const field of Object.keys(b)) {
    if (skipped.has(field) || isEqual(a[field], b[field])) continue;
    changes ??= {};
    changes[field] = { a: a[field], b: b[field] };
  }
  return changes;
}

/** Fields have plain values or lists of texts. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return Array.isArray(a) && Array.isArray(b) && JSON.stringify(a) === JSON.stringify(b);
}

/** A missing key comes after all others. */
function compareKeys(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
