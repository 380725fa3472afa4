import type { ProductTotalsRow } from '../database/state-reader.ts';
import { type Availability, availabilityDocument, readAvailability } from '../documents/availability.ts';
import type { Family } from '../documents/catalog.ts';
import { changesFor, familyChangesPaths, productChangesPaths } from '../documents/change-list.ts';
import type { Document } from '../documents/document.ts';
import { familyDocument, familyWarnings, type MemberFacts } from '../documents/families.ts';
import { type Product, productDocument, productWarnings } from '../documents/product.ts';
import { readSeries, type SeriesRows, seriesDocument } from '../documents/product-series.ts';
import { lastBefore, lastExpired } from '../documents/retention.ts';
import type { State } from '../documents/state.ts';
import { writeChanges } from './change-lists.ts';
import type { DocumentWriter } from './document-writer.ts';
import { type BuildContext, digest, type Unit } from './kind.ts';

const recentSeconds = 30 * 86_400;

/** The documents that each product has, besides its list of changes. */
const productDocuments: readonly ((
  state: State,
  product: Product,
  availability: Availability,
  series: SeriesRows,
) => Document)[] = [productDocument, availabilityDocument, seriesDocument];

/** A unit for each product. Its `facts` are the key of the product. */
export function* productUnits({ writer, catalog }: BuildContext): Generator<Unit<number>> {
  const { state, series } = writer;
  const expired = lastExpired(state);
  const [totals, totalsExpired] = [state.reader.productTotals(), totalsUpTo(state, expired)];
  const seriesExpired = series.lengths(expired);
  const all = inputsOfAll(state);
  // The database stores rows in the order of the keys of products, so this reads neighbouring pages.
  for (const product of catalog.products.toSorted((a, b) => a.key - b.key)) {
    const { key, id, sku, version, inventory_retrieved_at } = product;
    const { attempts = 0, versions = 0 } = seriesExpired.get(key) ?? {};
    const inputs = {
      all,
      version,
      catalog: product.catalog_presence === 'listed' ? state.publication.catalog_publication : 0,
      attempt: product.attempt_publication ?? 0,
      success: product.inventory_publication ?? 0,
      meets_policy: state.meetsPolicy(inventory_retrieved_at),
      skus: [...state.formerSkus.of(sku), 'resolving', ...state.formerSkus.resolvingTo(sku)].join(' '),
      older: olderObservations(state, key),
      events: totals.get(key)?.event_count ?? 0,
      expired_events: totalsExpired.get(key)?.event_count ?? 0,
      expired_attempts: attempts,
      expired_versions: versions,
    };
    yield { name: `product ${id}`, inputs, facts: key, weight: 4 };
  }
}

/** Makes the documents of a product. */
export function makeProduct(writer: DocumentWriter, key: number): void {
  const { state } = writer;
  const product = state.product(key);
  const { availability, series, changes } = writer.reading(() => ({
    availability: readAvailability(state, product),
    series: readSeries(writer.series, key, lastExpired(state), state.scopes),
    changes: changesFor(state, writer.events, productChangesPaths(product.id), [key]),
  }));
  writer.write(productDocuments.map((documentOf) => documentOf(state, product, availability, series)));
  writeChanges(writer, changes, productWarnings(state, product, availability.summary));
}

type FamilyFacts = Omit<Family, 'members'> & {
  readonly memberKeys: readonly number[];
  readonly totals: readonly (ProductTotalsRow | undefined)[];
  /** Events of its members published in the 30 days up to this publication. */
  readonly recentEvents: number;
};

/** A unit for each public family, whose documents depend on all inputs of its members. */
export function* familyUnits({ writer: { state }, catalog, unitInputs }: BuildContext): Generator<Unit<FamilyFacts>> {
  const totals = state.reader.productTotals();
  const totalsBefore = totalsUpTo(state, lastBefore(state, recentSeconds));
  for (const { members, ...family } of catalog.families) {
    const sum = (counts: typeof totals) =>
      members.reduce((all, { key }) => all + (counts.get(key)?.event_count ?? 0), 0);
    const recentEvents = sum(totals) - sum(totalsBefore);
    const inputs = {
      identity: digest([family.slug, family.name, family.brand.id, family.brand.name]),
      members: digest(members.map(({ id }) => [id, unitInputs(`product ${id}`)])),
      recent_events: recentEvents,
    };
    const memberKeys = members.map(({ key }) => key);
    const facts = { ...family, memberKeys, totals: memberKeys.map((key) => totals.get(key)), recentEvents };
    yield { name: `family ${family.id}`, inputs, facts, weight: 2 + members.length };
  }
}

/** Makes the document of a family, and the list of its members' changes. */
export function makeFamily(writer: DocumentWriter, { memberKeys, totals, recentEvents, ...family }: FamilyFacts): void {
  const { state } = writer;
  const { facts, changes } = writer.reading(() => {
    const facts = memberKeys.map((key, index): MemberFacts => {
      const product = state.product(key);
      return { product, summary: readAvailability(state, product).summary, totals: totals[index] };
    });
    const ids = facts.map(({ product }) => product.id);
    return { facts, changes: changesFor(state, writer.events, familyChangesPaths(family.id, ids), memberKeys) };
  });
  const retained = changes.feed.history(state.publication.sequence).retained_event_count;
  const counts = { retained_change_count: retained, recent_change_count_30d: Math.min(retained, recentEvents) };
  const members = facts.map(({ product }) => product);
  writer.write([familyDocument(state, { ...family, members }, facts, counts)]);
  writeChanges(writer, changes, familyWarnings(state, facts));
}

/** The inputs that all products share. */
function inputsOfAll({ publication, stores, generalWarnings }: State): string {
  const { policy_id, history_days } = publication;
  const known = stores.map(({ inScope, detail }) => [
    inScope,
    detail.id,
    detail.source_ids.inventory_store_code,
    detail.name,
    // A store that closes changes the classification of its rows, even if no product was retrieved again.
    detail.access_type,
    detail.operational_status.state,
  ]);
  return digest([known, policy_id, generalWarnings, history_days]);
}

/** A digest of the observations that are older than the last success, and of whether each one meets the policy. */
function olderObservations(state: State, key: Product['key']): string {
  const older = [...(state.older.get(key) ?? [])];
  return older.length === 0 ? '' : digest(older.map(([store, at]) => [store, at, state.meetsPolicy(at)]));
}

function totalsUpTo({ reader }: State, last: number): Map<number, ProductTotalsRow> {
  return last === 0 ? new Map() : reader.productTotals(last);
}
