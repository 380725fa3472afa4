import { checkValue } from '../contract/check.ts';
import { pathOf } from '../contract/paths.ts';
import { type ProductAvailability, storeAvailability } from '../contract/product.ts';
import type { Availability, Pair } from '../model/availability.ts';
import type { Product } from '../model/product.ts';
import type { State } from '../model/state.ts';
import { changing, type Document, warningList } from './document.ts';
import { identityOf, productWarnings } from './product.ts';

/** Stores that were never checked are most of all rows, and say the same in every document. */
const known = new WeakMap<Pair, string>();

/** `/products/{id}/availability`: every store of the summary's scope. Throws when a row is not as the contract says. */
export function availabilityDocument(state: State, product: Product, availability: Availability): Document {
  const path = pathOf('product_availability', { product_id: product.id });
  const data: ProductAvailability = { product: identityOf(product), summary: availability.summary, stores: [] };
  const meta = { warnings: warningList(productWarnings(state, product, availability)) };
  const rows: string[] = [];
  for (const pair of availability.pairs) if (pair.store.inScope) rows.push(rowJson(path, pair));
  return { ...changing(path, { data, meta }), rows: { key: 'stores', json: rows } };
}

function rowJson(path: string, pair: Pair): string {
  const made = known.get(pair);
  if (made !== undefined) return made;
  const { store, state, quantity, eligibility, retrievedAt, meetsPolicy } = pair;
  const row = {
    store_id: store.detail.id,
    inventory_store_code: store.detail.source_ids.inventory_store_code,
    name: store.detail.name,
    state,
    reported_quantity: quantity,
    purchase_eligibility: eligibility,
    retrieved_at: retrievedAt,
    meets_retrieval_policy: meetsPolicy,
  };
  checkValue(storeAvailability, () => path, row);
  const json = JSON.stringify(row);
  if (state === 'unchecked') known.set(pair, json);
  return json;
}
