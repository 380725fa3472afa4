import { Fragment } from 'preact';
import type { ComparisonStrategy, NoSolutionReason } from '../../contract/schemas/store.ts';
import type { StrategyName } from '../../contract/vocabulary.ts';
import { countNoun, distanceText } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';

type Plan = NonNullable<ComparisonStrategy['plan']>;
type NameOf = (productId: string) => string;

/** The answer in a sentence or two: the best single store, and how many stores all products take. */
export function TripAnswer({
  strategies,
  radius_m,
}: {
  readonly strategies: readonly ComparisonStrategy[];
  readonly radius_m: number;
}) {
  const planFor = (name: StrategyName) => strategies.find(({ strategy }) => strategy === name)?.plan ?? null;
  const [best, whole, partial] = [
    planFor('best_single_store'),
    planFor('fewest_stores_complete'),
    planFor('best_partial_plan'),
  ];
  const circle = `within ${distanceText(radius_m)}`;
  if (best === null) return <p class="answer">No store {circle} covers any of the products.</p>;
  const { covered_product_count: covered, requested_product_count: asked } = best;
  const rest = whole ?? partial;
  return (
    <p class="answer">
      <b>
        <StopLinks plan={best} />
      </b>{' '}
      {covered === asked ? (asked === 1 ? 'reports it' : `reports all ${asked}`) : `reports ${covered} of ${asked}`}.{' '}
      {covered < asked && rest && rest.stop_count > 1 && (
        <>
          {rest.covered_product_count === asked ? 'All' : rest.covered_product_count} of them are reported by{' '}
          {countNoun(rest.stop_count, 'store')} together: <StopLinks plan={rest} />.{' '}
        </>
      )}
    </p>
  );
}

/** The stores of a plan with their distances, nearest first. */
function StopLinks({ plan }: { readonly plan: Plan }) {
  return (
    <>
      {plan.stores.map(({ store }, index) => (
        <Fragment key={store.id}>
          {index > 0 && '; '}
          <a href={hrefFor('store', store.id)}>{store.name}</a>, {distanceText(store.distance_m ?? 0)}
        </Fragment>
      ))}
    </>
  );
}

type Row = { readonly names: readonly StrategyName[]; readonly of: ComparisonStrategy };

/** The strategies as a table. Those with the same stores share a row. The chosen one is on the map. */
export function Plans({
  strategies,
  nameOf,
  chosen,
  onChoose,
}: {
  readonly strategies: readonly ComparisonStrategy[];
  readonly nameOf: NameOf;
  readonly chosen: StrategyName;
  readonly onChoose: (strategy: StrategyName) => void;
}) {
  const rows = new Map<string, Row>();
  for (const of of strategies) {
    const key = of.plan?.stores.map(({ store }) => store.id).join() ?? `none: ${of.no_solution_reason}`;
    rows.set(key, { of, names: [...(rows.get(key)?.names ?? []), of.strategy] });
  }
  return (
    <section class="scrolled" aria-label="Plans" tabIndex={0}>
      <table class="strategies">
        <caption>Plans</caption>
        <thead>
          <tr>
            {['Plan', 'Covers', 'Stops, nearest first', 'Left out', 'Map'].map((label) => (
              <th key={label} scope="col">
                <span>{label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows.values()].map(({ names, of: { plan, no_solution_reason: reason } }) => (
            <tr key={names[0]} aria-current={names.includes(chosen) ? 'true' : undefined}>
              <td>
                {names.length === strategies.length
                  ? 'All plans'
                  : names.map((name) => <div key={name}>{strategyNames[name]}</div>)}
              </td>
              {plan === null ? (
                <td colSpan={4}>{reason && reasonWords[reason]}</td>
              ) : (
                <>
                  <td>
                    {plan.covered_product_count} of {plan.requested_product_count}
                  </td>
                  <td>
                    <ol class="stops">
                      {plan.stores.map(({ store, assigned_product_ids: assigned, eligible_product_ids: eligible }) => (
                        <li key={store.id}>
                          <a href={hrefFor('store', store.id)}>{store.name}</a>, {distanceText(store.distance_m ?? 0)}
                          {plan.stop_count > 1 && (
                            <div class="muted">
                              {assigned
                                .map((id) =>
                                  eligible.includes(id) ? nameOf(id) : `${nameOf(id)} (not sold to everyone)`,
                                )
                                .join('; ') || 'nothing more'}
                            </div>
                          )}
                        </li>
                      ))}
                    </ol>
                  </td>
                  <td>{plan.uncovered_product_ids.map(nameOf).join('; ') || '–'}</td>
                  <td>
                    <button
                      type="button"
                      class="small"
                      aria-pressed={names.includes(chosen)}
                      onClick={() => names[0] && onChoose(names[0])}
                    >
                      {names.includes(chosen) ? 'Shown' : 'Show'}
                      <span class="visually-hidden">
                        {' '}
                        on the map: {names.map((name) => strategyNames[name]).join()}
                      </span>
                    </button>
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export const strategyNames: Readonly<Record<StrategyName, string>> = {
  best_single_store: 'Single store that covers the most',
  closest_store_with_any: 'Nearest store that covers any',
  closest_complete_store: 'Nearest store that covers all',
  fewest_stores_complete: 'Fewest stores that cover all',
  best_partial_plan: 'Most products within the stop limit',
};

export const reasonWords: Readonly<Record<NoSolutionReason, string>> = {
  NO_REPORTED_MATCH: 'No store within the radius covers any of the products.',
  NO_SINGLE_STORE_COVERS_ALL_PRODUCTS: 'No single store within the radius covers all of the products.',
  NO_COMPLETE_PLAN_IN_SCOPE: 'No plan covers all of the products. See above for what is left out, and why.',
  COMPLETE_PLAN_EXCEEDS_MAX_STOPS: 'Covering all of the products takes more stops than allowed.',
};
