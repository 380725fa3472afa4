import type { ComparisonStrategy, StrategyName } from '../../../generator/contract/documents/comparison.ts';
import { placeOf } from '../app/router.ts';
import { countOf } from '../components/text.ts';
import { distanceText, reasonWords, resultWords, strategyWords } from './comparison-words.ts';

/** The strategies side by side. The chosen one is on the map. */
export function Strategies({
  strategies,
  nameOf,
  chosen,
  onChoose,
}: {
  readonly strategies: readonly ComparisonStrategy[];
  readonly nameOf: (productId: string) => string;
  readonly chosen: StrategyName;
  readonly onChoose: (strategy: StrategyName) => void;
}) {
  return (
    <ul class="strategies">
      {strategies.map((strategy) => (
        <Strategy
          key={strategy.strategy}
          strategy={strategy}
          nameOf={nameOf}
          isChosen={strategy.strategy === chosen}
          onChoose={() => onChoose(strategy.strategy)}
        />
      ))}
    </ul>
  );
}

function Strategy({
  strategy: { strategy, result_state, no_solution_reason, plan },
  nameOf,
  isChosen,
  onChoose,
}: {
  readonly strategy: ComparisonStrategy;
  readonly nameOf: (productId: string) => string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { name, rule } = strategyWords[strategy];
  return (
    <li class={isChosen ? 'card chosen-strategy' : 'card'}>
      <h3>{name}</h3>
      <p class="muted">{rule}</p>
      <p>
        <span class={`tag ${result_state}`}>{resultWords[result_state]}</span>{' '}
        {plan && `${plan.covered_product_count} of ${countOf(plan.requested_product_count, 'product')}`}
      </p>
      {no_solution_reason && <p>{reasonWords[no_solution_reason]}</p>}
      {plan && (
        <>
          <ol class="stops">
            {plan.stores.map(({ store, covered_product_ids, assigned_product_ids }) => (
              <li key={store.id}>
                <a href={placeOf('store', store.id)}>{store.name}</a>, {distanceText(store.distance_m ?? 0)}
                <ul>
                  {covered_product_ids.map((id) => (
                    <li key={id}>
                      {nameOf(id)}
                      {!assigned_product_ids.includes(id) && <span class="muted"> (also at a nearer stop)</span>}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
          {plan.uncovered_product_ids.length > 0 && (
            <p class="muted">Not covered: {plan.uncovered_product_ids.map(nameOf).join('; ')}.</p>
          )}
          {plan.stop_count > 1 && (
            <p class="muted">
              Farthest stop {distanceText(plan.farthest_store_distance_m)}; all distances together{' '}
              {distanceText(plan.total_origin_distance_m)}.
            </p>
          )}
          <button type="button" class="small" aria-pressed={isChosen} onClick={onChoose}>
            {isChosen ? 'On the map' : 'Show on the map'}
            <span class="visually-hidden">: {name}</span>
          </button>
        </>
      )}
    </li>
  );
}
