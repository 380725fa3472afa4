import { isDeepStrictEqual } from 'node:util';
import type { ChangeOf, PresentationField } from '../contract/documents/change.ts';
import { displayPrice, type ObservationTimes } from '../contract/documents/observation.ts';
import type { CatalogPresence, PackageSize } from '../contract/documents/product.ts';
import { type PackageColumns, packageSizeOf } from '../database/product-state.ts';
import type { Row } from '../database/versioned-table.ts';
import { type Draft, recordEvent, type Subject } from './draft.ts';

export type CatalogTimes = Pick<ObservationTimes, 'retrieved_at' | 'source_updated_at'>;

/** Records the first observation of a product. It is a baseline and not a change. */
export function recordFirstObservation(draft: Draft, subject: Subject, row: Row, times: CatalogTimes): void {
  const { milliliters, display, normalization_state } = packageOf(row);
  recordEvent(draft, 'product_first_observed', subject, times, {
    current: {
      name: String(row.name),
      brand: row.brand_name as string | null,
      price: priceOf(row),
      status: statusOf(row),
      package_size: { milliliters, display, normalization_state },
    },
  });
}

/** Records every change between two versions of a product (contract.md 7). Equal values give no event. */
export function recordProductChanges(
  draft: Draft,
  subject: Subject,
  before: Row,
  after: Row,
  times: CatalogTimes,
): void {
  if (before.catalog_presence !== after.catalog_presence) {
    recordEvent(draft, 'catalog_presence_changed', subject, times, {
      previous: before.catalog_presence as CatalogPresence,
      current: after.catalog_presence as CatalogPresence,
    });
  }
  const [previousPrice, currentPrice] = [priceOf(before), priceOf(after)];
  if (!isDeepStrictEqual(previousPrice, currentPrice)) {
    recordEvent(draft, 'price_changed', subject, times, {
      previous: previousPrice,
      current: currentPrice,
      difference_minor: previousPrice && currentPrice && currentPrice.amount_minor - previousPrice.amount_minor,
    });
  }
  const [previousStatus, currentStatus] = [statusOf(before), statusOf(after)];
  if (!isDeepStrictEqual(previousStatus, currentStatus)) {
    recordEvent(draft, 'status_changed', subject, times, { previous: previousStatus, current: currentStatus });
  }
  const fields = changedFields(before, after);
  if (fields.length > 0) recordEvent(draft, 'product_presentation_changed', subject, times, { fields });
}

function changedFields(before: Row, after: Row): PresentationField[] {
  const fields = [
    { field: 'name', previous: before.name, current: after.name },
    { field: 'brand', previous: brandOf(before), current: brandOf(after) },
    { field: 'family', previous: familyOf(before), current: familyOf(after) },
    { field: 'category', previous: before.category_id, current: after.category_id },
    { field: 'package', previous: packageOf(before), current: packageOf(after) },
  ] as PresentationField[];
  return fields.filter(({ previous, current }) => !isDeepStrictEqual(previous, current));
}

function priceOf(row: Row): ChangeOf<'price_changed'>['previous'] {
  if (typeof row.price_minor !== 'number') return null;
  return { amount_minor: row.price_minor, currency: 'USD', display: displayPrice(row.price_minor) };
}

function statusOf(row: Row): ChangeOf<'status_changed'>['previous'] {
  return {
    code: String(row.status_code),
    label: String(row.status_label),
    lifecycle: row.lifecycle as ChangeOf<'status_changed'>['previous']['lifecycle'],
  };
}

function brandOf({ brand_id: id, brand_name: name }: Row) {
  return id === null ? null : { id, name };
}

function familyOf({ family_id: id, family_name: name }: Row) {
  return id === null ? null : { id, name };
}

function packageOf(row: Row): PackageSize {
  return packageSizeOf(row as PackageColumns);
}
