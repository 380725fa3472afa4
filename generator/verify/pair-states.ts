import type { ProductAvailability } from '../contract/documents/product.ts';
import { pathOf } from '../contract/paths.ts';
import { type FaultList, shown } from '../site/fault.ts';
import type { ProductVisit } from './product-documents.ts';

type Row = ProductAvailability['stores'][number];

/** Checks that each row of an availability says what its state says (contract.md 2). Reports the first that does not. */
export function checkPairStates(faults: FaultList, { id, availability }: ProductVisit): void {
  for (const row of availability?.stores ?? []) {
    const { store_id, state, reported_quantity, purchase_eligibility, retrieved_at, meets_retrieval_policy } = row;
    if (fits(row)) continue;
    const got = { state, reported_quantity, purchase_eligibility, retrieved_at, meets_retrieval_policy };
    const path = pathOf('product_availability', { product_id: id });
    faults.add('pair_state', path, `for store ${store_id} ${saidOf[state]}`, shown(got));
    return;
  }
}

const saidOf: Readonly<Record<Row['state'], string>> = {
  reported_positive: 'a quantity above 0, its classification and its retrieval',
  reported_zero: 'the quantity 0, no classification and its retrieval',
  row_absent: 'no quantity, no classification and its retrieval',
  unchecked: 'no quantity, no classification and no retrieval',
};

function fits({ state, reported_quantity, purchase_eligibility, retrieved_at, meets_retrieval_policy }: Row): boolean {
  if ((purchase_eligibility !== null) !== (state === 'reported_positive')) return false;
  if ((retrieved_at === null) !== (state === 'unchecked')) return false;
  if (state === 'unchecked' && meets_retrieval_policy) return false;
  if (state === 'reported_positive') return reported_quantity !== null && reported_quantity > 0;
  return reported_quantity === (state === 'reported_zero' ? 0 : null);
}
