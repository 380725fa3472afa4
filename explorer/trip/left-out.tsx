import type { Product } from '../../contract/schemas/product.ts';
import type { Comparison, StoreSummary } from '../../contract/schemas/store.ts';
import { countNoun, countText } from '../parts/text.ts';
import { named, ProductLink } from '../products/product-link.tsx';
import { useSession } from '../site/session.ts';
import { distanceTo } from '../stores/gazetteer.ts';
import { checkedStores, reportText } from '../stores/report-words.tsx';
import type { Question } from './question.ts';
import { observationsByStore } from './reports-by-store.ts';
import type { SkuAvailability } from './use-comparison.ts';

/** Why no store near the place covers a product. `remedy`: the option to change so that one does. */
type LeftOutProduct = {
  readonly product: Product;
  readonly reason: string;
  readonly remedy: 'purchase_eligibility' | 'inventory_age' | null;
};

/** What every plan leaves out, with the reason for each product, and how to include it. */
export function LeftOut({
  comparison,
  products,
  stores,
  question,
  onChange,
}: {
  readonly comparison: Comparison;
  readonly products: readonly SkuAvailability[];
  readonly stores: readonly StoreSummary[];
  readonly question: Question;
  readonly onChange: (changed: Partial<Question>) => void;
}) {
  const { metadata } = useSession();
  const hours = Math.round(metadata.data.retrieval_policy.max_age_seconds / 3600);
  const { data, meta } = comparison;
  const { covered_product_ids: covered, purchase_eligible_product_ids: eligible } = meta.coverage;
  const gaps = findLeftOut(comparison, products, stores, hours);
  const limited = data.requested_products.filter(({ id }) => covered.includes(id) && !eligible.includes(id));
  const isRemedy = (remedy: LeftOutProduct['remedy']) => gaps.some((gap) => gap.remedy === remedy);
  const isAny = question.purchase_eligibility === 'any';
  const isAnyAge = question.inventory_age === 'any_age';
  return (
    <>
      {gaps.length > 0 && (
        <div class="note left-out">
          <p>Left out of every plan:</p>
          <ul>
            {gaps.map(({ product, reason }) => (
              <li key={product.id}>
                <ProductLink product={named(product)} />: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      {limited.length > 0 && (
        <div class="note left-out">
          <p>Included, although not everyone may buy it near here:</p>
          <ul>
            {limited.map((product) => (
              <li key={product.id}>
                <ProductLink product={named(product)} />: {product.status.label}
              </li>
            ))}
          </ul>
        </div>
      )}
      {(isAny || isRemedy('purchase_eligibility')) && (
        <label class="check">
          <input
            type="checkbox"
            checked={isAny}
            onChange={({ currentTarget }) =>
              onChange({ purchase_eligibility: currentTarget.checked ? 'any' : 'eligible' })
            }
          />
          Include what is restricted or for licensees only
        </label>
      )}
      {(isAnyAge || isRemedy('inventory_age')) && (
        <label class="check">
          <input
            type="checkbox"
            checked={isAnyAge}
            onChange={({ currentTarget }) =>
              onChange({ inventory_age: currentTarget.checked ? 'any_age' : 'within_policy' })
            }
          />
          Include older reports
        </label>
      )}
      <p class="muted">{uncheckedText(comparison, hours)}</p>
    </>
  );
}

/** How many pairs of a product and a store were not checked. */
function uncheckedText({ data: { scope }, meta: { coverage } }: Comparison, hours: number): string {
  const { unchecked_pair_count: unchecked, expected_pair_count: pairs } = coverage;
  const when = scope.inventory_age === 'any_age' ? 'so far' : `in the ${hours} hours before the publication`;
  const all = countNoun(pairs, 'pair');
  return unchecked === 0
    ? `All ${all} of a product and a store near here were checked ${when}.`
    : `${countText(unchecked)} of the ${all} of a product and a store near here were not checked ${when}, so there may be more.`;
}

function findLeftOut(
  { data, meta: { coverage } }: Comparison,
  products: readonly SkuAvailability[],
  stores: readonly StoreSummary[],
  hours: number,
): LeftOutProduct[] {
  const { origin, radius_m } = data.scope;
  const isNear = new Set(
    stores.filter((store) => (distanceTo(origin, store) ?? Infinity) <= radius_m).map(({ id }) => id),
  );
  const most = data.strategies.find(({ strategy }) => strategy === 'best_partial_plan')?.plan;
  const isLeftOut = ({ id }: Product) => most?.uncovered_product_ids.includes(id) ?? true;
  return data.requested_products
    .filter((product) => isLeftOut(product) || coverage.uncovered_product_ids.includes(product.id))
    .map((product): LeftOutProduct => {
      const { id } = product;
      if (coverage.covered_product_ids.includes(id)) {
        const stops = countNoun(data.scope.max_stops, 'stop');
        return {
          product,
          reason: `a store near here reports it, but ${stops} cannot cover all products.`,
          remedy: null,
        };
      }
      const availability = products.find((asked) => asked.availability?.product.id === id)?.availability ?? null;
      const summary = availability?.summary;
      const said = summary ? reportText(summary.reported_positive_store_count, checkedStores(summary)) : '';
      if (coverage.restricted_product_ids.includes(id))
        return {
          product,
          reason: `restricted (${product.status.label}), so plans leave it out. ${said}.`,
          remedy: 'purchase_eligibility',
        };
      if (coverage.reported_positive_product_ids.includes(id)) {
        const reason = `not everyone may buy it in the stores near here that report it, so plans leave it out. ${said}.`;
        return { product, reason, remedy: 'purchase_eligibility' };
      }
      const near = [...(availability ? observationsByStore(availability).values() : [])].filter(({ store_id }) =>
        isNear.has(store_id),
      );
      const isOld = near.some(
        ({ state, meets_retrieval_policy: isRecent }) => state === 'reported_positive' && !isRecent,
      );
      if (data.scope.inventory_age === 'within_policy' && isOld) {
        const reason = `its reports near here are more than ${hours} hours older than the publication, so they do not count.`;
        return { product, reason, remedy: 'inventory_age' };
      }
      const unchecked = near.filter(({ state }) => state === 'unchecked').length;
      if (unchecked > 0 && unchecked === near.length)
        return { product, reason: 'it was not checked in any store near here.', remedy: null };
      const others = unchecked > 0 ? `; ${countNoun(unchecked, 'store was', 'stores were')} not checked` : '';
      return { product, reason: `no store near here reports it${others}.`, remedy: null };
    });
}
