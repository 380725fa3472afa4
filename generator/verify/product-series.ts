import type { ProductAvailability, ProductDetail, ProductSeries } from '../contract/documents/product.ts';
import { pathOf } from '../contract/paths.ts';
import { shown } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import type { ProductVisit } from './product-documents.ts';

type Report = (expected: string, got: string) => void;

/**
 * Checks that the series of a product is in order, and that it ends with what the product's documents say.
 * `storesOutOfScope`: how many stores a summary passes over; null when that is not known.
 */
export function checkProductSeries(
  site: SiteUnderCheck,
  storesOutOfScope: number | null,
  { id, route, document, availability }: ProductVisit,
): void {
  const path = pathOf('product_series', { product_id: id });
  const series = documentAt<ProductSeries>(site, path);
  if (!series) return;
  const add: Report = (expected, got) => site.faults.add('series_mismatch', path, expected, got);
  if (!checkColumns(series, add) || !document) return;
  const expectEqual = (what: string, expected: unknown, got: unknown) => {
    site.faults.expectEqual(
      'series_mismatch',
      path,
      expected,
      got,
      (text) => `${what} ${text}, as ${route.path} has it`,
    );
  };
  expectEqual('warnings', document.meta.warnings, series.warnings);
  checkSteps(document.data, series, expectEqual);
  checkLastAttempt(document.data, series, expectEqual);
  if (availability && storesOutOfScope !== null) {
    checkLastSuccess(document.data, availability, series, storesOutOfScope, add);
  }
}

/** Checks that columns have one length, publications ascend, and only successes have counts. */
function checkColumns({ retrievals, prices, statuses, presence }: ProductSeries, add: Report): boolean {
  let isSound = true;
  const report: Report = (expected, got) => {
    isSound = false;
    add(expected, got);
  };
  for (const [name, columns] of Object.entries({ retrievals, prices, statuses, presence })) {
    const { publication } = columns;
    for (const [column, { length }] of Object.entries(columns)) {
      if (length !== publication.length) report(`${publication.length} items in ${name}.${column}`, String(length));
    }
    const late = publication.findIndex((sequence, index) => sequence <= (publication[index - 1] ?? 0));
    if (late >= 0)
      report(`ascending publications in ${name}`, shown(publication.slice(Math.max(0, late - 1), late + 1)));
  }
  const { succeeded, reported_positive_store_count, reported_quantity } = retrievals;
  const unfit = succeeded.findIndex(
    (success, index) =>
      (reported_positive_store_count[index] !== null) !== success || (reported_quantity[index] !== null) !== success,
  );
  if (unfit >= 0) report(`counts of the retrieval ${unfit} if and only if it succeeded`, 'otherwise');
  return isSound;
}

type Equality = (what: string, expected: unknown, got: unknown) => void;

function checkSteps(detail: ProductDetail, { product, prices, statuses, presence }: ProductSeries, equal: Equality) {
  const { id, source_ids, name, brand, price, status, catalog_presence } = detail;
  equal('product', { id, source_ids, name, brand }, product);
  equal('the last price', price?.amount_minor ?? null, prices.price_minor.at(-1));
  const { code, label, lifecycle } = status;
  const last = { code: statuses.code.at(-1), label: statuses.label.at(-1), lifecycle: statuses.lifecycle.at(-1) };
  equal('the last status', { code, label, lifecycle }, last);
  equal('the last presence', catalog_presence, presence.catalog_presence.at(-1));
}

function checkLastAttempt(detail: ProductDetail, { retrievals }: ProductSeries, equal: Equality): void {
  const { last_refresh_attempt } = detail.availability_summary;
  const attemptedAt = retrievals.attempted_at.at(-1);
  const status = retrievals.succeeded.at(-1) ? 'succeeded' : 'failed';
  const got = attemptedAt === undefined ? null : { attempted_at: attemptedAt, status };
  equal('the last attempt', last_refresh_attempt, got);
}

/**
 * Compares the last success with the availability. The series counts all stores and the summary those in scope, so the
 * series may count more, but not by more than the others.
 */
function checkLastSuccess(
  { inventory_retrieved_at, availability_summary }: ProductDetail,
  { stores }: ProductAvailability,
  { retrievals }: ProductSeries,
  storesOutOfScope: number,
  add: Report,
): void {
  const last = retrievals.succeeded.lastIndexOf(true);
  if (inventory_retrieved_at === null || last < 0) {
    if ((inventory_retrieved_at === null) !== last < 0) add(`a success at ${inventory_retrieved_at}`, `item ${last}`);
    return;
  }
  const { reported_positive_store_count: least } = availability_summary;
  const count = retrievals.reported_positive_store_count[last] ?? 0;
  if (count < least || count > least + storesOutOfScope) {
    const most = storesOutOfScope === 0 ? '' : ` to ${least + storesOutOfScope}`;
    add(`${least}${most} stores in the last success, as the summary of the product has`, String(count));
  }
  const reported = stores.reduce((sum, { reported_quantity }) => sum + (reported_quantity ?? 0), 0);
  const quantity = retrievals.reported_quantity[last] ?? 0;
  if (count === least ? quantity !== reported : quantity < reported) {
    add(`quantity ${reported} in the last success, the sum over the stores of the product`, String(quantity));
  }
}
