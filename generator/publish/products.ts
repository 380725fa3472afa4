import { isDeepStrictEqual } from 'node:util';
import { type ProductFact, productFacts } from '../../contract/product-facts.ts';
import { displayPrice, type Profile } from '../../contract/profile.ts';
import type { ChangeOf, PresentationField } from '../../contract/schemas/change.ts';
import { type OpenProduct, type ProductWriter, productWriter } from '../database/entity-writers.ts';
import { factsIn, packageSizeIn } from '../database/product-state.ts';
import type { VersionOf } from '../database/table-writers.ts';
import type { ProductLine } from '../snapshot/format.ts';
import type { CheckedProducts } from './checked-snapshot.ts';
import { type CurationView, curationInForce, resolvePresentation } from './curation-tables.ts';
import {
  type EventTimes,
  entityId,
  type NextPublication,
  recordEvent,
  rowCounter,
  type Subject,
} from './next-publication.ts';

type Version = VersionOf<'product_version'>;

/**
 * Puts the snapshot's catalog in force. After a new catalog or curation, applies the curation in force to every product
 * again. Products that the catalog no longer lists become absent.
 */
export async function applyProducts(next: NextPublication, checked: CheckedProducts | null): Promise<void> {
  const { header, parts } = next.snapshot;
  if (header.catalog === null && parts.curation === null) return;
  const products = productWriter(next.connection);
  const curation = curationInForce(next.connection);
  const seen = new Set<number>();
  if (checked !== null && header.catalog !== null) {
    const { catalog } = header;
    const count = rowCounter(next, 'products');
    for await (const lines of checked.lines) {
      for (const line of lines) {
        count();
        seen.add(applyLine(next, products, curation, line, catalog));
      }
    }
  }
  applyUnseen(next, products, curation, seen, checked?.setAside ?? new Set());
}

/** Puts a line of the catalog in force. Returns the key of its product. */
function applyLine(
  next: NextPublication,
  products: ProductWriter,
  curation: CurationView,
  line: ProductLine,
  catalog: EventTimes,
): number {
  const { sku } = line;
  const previous = products.open(sku);
  const id = previous?.id ?? entityId(next.databaseId, 'product', sku);
  const product =
    previous?.product ??
    products.insert({ id, sku, first_publication: next.sequence, first_observed_at: catalog.retrieved_at });
  const row = listedVersion(product, line, curation, previous);
  if (previous?.catalog_presence === 'listed') {
    const price = previous.price_minor ?? products.lastPrice(product);
    const { lowest_price_minor: lowest, highest_price_minor: highest } = previous;
    if (price !== null)
      next.prices.add(sku, price, previous.price_minor === null ? (line.price_minor ?? price) : line.price_minor, [
        lowest ?? price,
        highest ?? price,
      ]);
  }
  const version = products.putVersion(next.sequence, row, previous);
  if (version === null) return product;
  const subject = { product, productId: id, version };
  if (previous) recordProductChanges(next, subject, previous, row, catalog);
  else recordFirstObservation(next, subject, row, catalog);
  return product;
}

const noFacts = Object.fromEntries(productFacts.map((fact) => [fact, null])) as Record<ProductFact, null>;

/** Fields are named like columns. `Object.assign` is thirty times as fast as spreading that many fields. */
function listedVersion(
  product: number,
  line: ProductLine,
  curation: CurationView,
  previous: OpenProduct | undefined,
): Version {
  const { sku, name: source_title, size_ml, size_text, size_of = null, pack_count } = line;
  const prices = [line.price_minor, previous?.lowest_price_minor, previous?.highest_price_minor].filter(
    (amount) => typeof amount === 'number',
  );
  const state = {
    size_of,
    product,
    catalog_presence: 'listed' as const,
    observed_publication: null,
    source_title,
    lowest_price_minor: prices.length === 0 ? null : Math.min(...prices),
    highest_price_minor: prices.length === 0 ? null : Math.max(...prices),
  };
  return Object.assign(
    {},
    noFacts,
    state,
    line,
    resolvePresentation({ sku, source_title, size_ml, size_text, size_of, pack_count }, curation),
  );
}

/**
 * Updates products without a good row in the snapshot. A product leaves if the snapshot has a catalog without it. A
 * product whose row is set aside stays as it was, because a faulty row does not show that it left. The curation may
 * change all of them.
 */
function applyUnseen(
  next: NextPublication,
  products: ProductWriter,
  curation: CurationView,
  seen: ReadonlySet<number>,
  setAside: ReadonlySet<string>,
): void {
  const filedUnder = new Map<string, string>();
  const { catalog, published_at } = next.snapshot.header;
  const times = catalog ?? { retrieved_at: published_at, source_updated_at: null };
  for (const previous of products.others(seen)) {
    const { product, sku, id, category_id: category } = previous;
    const wasListed = previous.catalog_presence === 'listed';
    const isListed = wasListed && (catalog === null || setAside.has(sku));
    const isFiled = category !== null && curation.categories.has(category);
    if (isListed && category !== null && !isFiled && !filedUnder.has(category)) filedUnder.set(category, sku);
    const state: Partial<Version> = {
      catalog_presence: isListed ? 'listed' : 'absent',
      observed_publication: previous.observed_publication ?? (catalog && next.previous?.catalog_publication) ?? null,
      category_id: isFiled ? category : null,
    };
    const row = Object.assign({}, previous, state, resolvePresentation(previous, curation));
    const version = products.putVersion(next.sequence, row, previous);
    if (version === null) continue;
    recordProductChanges(next, { product, productId: id, version }, previous, row, times);
  }
  // Listed products must be filed under categories of the curation in force. An absent product may lose its category.
  for (const [category, sku] of filedUnder) {
    const expected = `the category ${category}, under which product ${sku} of the catalog in force is filed`;
    next.faults.refuse('curation.json', { field: 'categories', expected, got: 'none with that id' });
  }
}

/** The first observation is a baseline, not a change. */
function recordFirstObservation(next: NextPublication, subject: Subject, row: Version, times: EventTimes): void {
  const { milliliters, display, normalization_state } = packageSizeIn(row);
  recordEvent(next, 'product_first_observed', subject, times, {
    current: {
      name: row.name,
      brand: row.brand_name,
      price: eventPrice(row, next.profile),
      status: eventStatus(row),
      package_size: { milliliters, display, normalization_state },
    },
  });
}

/** Records every change between two versions (contract.md 7). Equal values give no event. */
function recordProductChanges(
  next: NextPublication,
  subject: Subject,
  before: Version,
  after: Version,
  times: EventTimes,
): void {
  const moveIn = <Value>(of: (version: Version) => Value) => {
    const [previous, current] = [of(before), of(after)];
    return isDeepStrictEqual(previous, current) ? null : { previous, current };
  };
  const presence = moveIn(({ catalog_presence }) => catalog_presence);
  if (presence) recordEvent(next, 'catalog_presence_changed', subject, times, presence);
  const price = moveIn((version) => eventPrice(version, next.profile));
  if (price) {
    const { previous, current } = price;
    const difference_minor = previous && current && current.amount_minor - previous.amount_minor;
    recordEvent(next, 'price_changed', subject, times, { previous, current, difference_minor });
  }
  const status = moveIn(eventStatus);
  if (status) recordEvent(next, 'status_changed', subject, times, status);
  const fields = changedFields(before, after, next.profile);
  if (fields.length > 0) recordEvent(next, 'product_presentation_changed', subject, times, { fields });
}

function changedFields(before: Version, after: Version, { product_facts: facts }: Profile): PresentationField[] {
  const fields = [
    { field: 'name', previous: before.name, current: after.name },
    { field: 'brand', previous: eventName(before, 'brand'), current: eventName(after, 'brand') },
    { field: 'family', previous: eventName(before, 'family'), current: eventName(after, 'family') },
    { field: 'category', previous: before.category_id, current: after.category_id },
    { field: 'package', previous: packageSizeIn(before), current: packageSizeIn(after) },
    { field: 'facts', previous: factsIn(before, facts), current: factsIn(after, facts) },
  ] as const satisfies PresentationField[];
  return fields.filter(({ previous, current }) => !isDeepStrictEqual(previous, current));
}

function eventPrice({ price_minor }: Version, { currency }: Profile): ChangeOf<'price_changed'>['previous'] {
  return price_minor === null
    ? null
    : { amount_minor: price_minor, currency, display: displayPrice(price_minor, currency) };
}

function eventStatus({ status_code, status_label, lifecycle }: Version): ChangeOf<'status_changed'>['previous'] {
  return { code: status_code, label: status_label, lifecycle };
}

function eventName(version: Version, of: 'brand' | 'family') {
  const [id, name] = [version[`${of}_id`], version[`${of}_name`]];
  return id === null || name === null ? null : { id, name };
}
