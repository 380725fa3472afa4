import type { ExportResource, inventoryColumns, productColumns, storeColumns } from '../contract/formats/export.ts';
import { type ExportRecord, exportKey } from '../site/export-reader.ts';

export type Change = 'added' | 'removed' | 'changed';

/** A field that differs: its value on either side. */
export type FieldChange = { readonly a: unknown; readonly b: unknown };

/** A record that only one side has, or whose compared fields differ. */
export type RecordDifference = {
  readonly change: Change;
  /** Of side b; of side a where it was removed. */
  readonly record: ExportRecord;
  /** By field; empty unless the record changed. */
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

type Batches = AsyncIterable<readonly ExportRecord[]>;

/** Compares the records of an export, which are sorted on both sides, in one pass over both. */
export async function* recordDifferences(
  resource: ExportResource,
  a: Batches,
  b: Batches,
): AsyncGenerator<RecordDifference> {
  const left = new RecordCursor(a);
  const right = new RecordCursor(b);
  const skipped: ReadonlySet<string> = new Set(ignored[resource]);
  try {
    for (;;) {
      if (left.isUsedUp) await left.fill();
      if (right.isUsedUp) await right.fill();
      const [before, after] = [left.record, right.record];
      if (before === null && after === null) return;
      const order = compareKeys(before && left.key, after && right.key);
      if (order <= 0) left.advance();
      if (order >= 0) right.advance();
      if (order < 0 && before) yield { change: 'removed', record: before, changes: {} };
      else if (order > 0 && after) yield { change: 'added', record: after, changes: {} };
      else if (before && after) {
        const changes = changesOf(before, after, skipped);
        if (changes) yield { change: 'changed', record: after, changes };
      }
    }
  } finally {
    await left.close();
    await right.close();
  }
}

/** The fields that differ; null when none does. */
function changesOf(
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

/** Walks through batches of records, one record after the other. */
class RecordCursor {
  readonly #batches: AsyncIterator<readonly ExportRecord[]>;
  #batch: readonly ExportRecord[] = [];
  #index = 0;
  #hasEnded = false;

  constructor(batches: Batches) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Whether `fill` must bring more records, if there are any. */
  get isUsedUp(): boolean {
    return !this.#hasEnded && this.#index >= this.#batch.length;
  }

  /** Null after the last one. */
  get record(): ExportRecord | null {
    return this.#batch[this.#index] ?? null;
  }

  get key(): string {
    return exportKey(this.#batch[this.#index] ?? {});
  }

  async fill(): Promise<void> {
    while (this.isUsedUp) {
      const next = await this.#batches.next();
      if (next.done) this.#hasEnded = true;
      else [this.#batch, this.#index] = [next.value, 0];
    }
  }

  advance(): void {
    this.#index += 1;
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}
