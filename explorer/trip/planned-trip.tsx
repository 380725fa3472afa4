import type { ComponentChildren } from 'preact';
import type { StrategyName } from '../../contract/vocabulary.ts';
import type { GeoPoint } from '../map/projection.ts';
import { StoreMap } from '../map/store-map.tsx';
import type { Highlight } from '../parts/highlight.ts';
import { fullName } from '../products/product-index.ts';
import { replaceQuery } from '../site/router.ts';
import type { Place } from '../stores/gazetteer.ts';
import { Plans, strategyNames, TripAnswer } from './plans.tsx';
import { formatQuestion, type Question } from './question.ts';
import { comparisonPlaces, type StoreCounts } from './reports-by-store.ts';
import { Stops } from './stops.tsx';
import type { Compared, SkuAvailability } from './use-comparison.ts';

/** The strategy named in the address, or else the one that covers the most. */
export function chosenStrategy({ comparison: { data } }: Compared, query: URLSearchParams) {
  const { strategies } = data;
  return (
    strategies.find(({ strategy }) => strategy === query.get('plan')) ??
    strategies.find(({ strategy, plan }) => strategy === 'best_partial_plan' && plan !== null) ??
    strategies[0]
  );
}

/** The stops of the chosen plan, and the plans to choose from. */
export function PlannedTrip({
  compared,
  query,
  question,
  products,
  place,
  children,
}: {
  readonly compared: Compared;
  readonly query: URLSearchParams;
  readonly question: Question;
  readonly products: readonly SkuAvailability[];
  readonly place: Place;
  readonly children: ComponentChildren;
}) {
  const { strategies, requested_products } = compared.comparison.data;
  const names = new Map(requested_products.map((product) => [product.id, fullName(product)]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const chosen = chosenStrategy(compared, query);
  return (
    <>
      <TripAnswer strategies={strategies} radius_m={question.radius_m} />
      {chosen?.plan && <Stops plan={chosen.plan} requested={requested_products} products={products} place={place} />}
      {children}
      {chosen && (
        <div class="on-screen">
          <Plans
            strategies={strategies}
            nameOf={nameOf}
            chosen={chosen.strategy}
            onChoose={(plan: StrategyName) =>
              replaceQuery({ ...formatQuestion(question), plan, revision: query.get('revision') })
            }
          />
        </div>
      )}
    </>
  );
}

/** The stores with what they reported, and the stops of the chosen plan. */
export function PlanMap({
  place,
  radius_m,
  counts,
  asked,
  chosen,
  onPick,
  highlight,
}: {
  readonly place: Place | null;
  readonly radius_m: number;
  readonly counts: readonly StoreCounts[];
  readonly asked: number;
  readonly chosen: ReturnType<typeof chosenStrategy>;
  readonly onPick: (point: GeoPoint) => void;
  readonly highlight: Highlight;
}) {
  return (
    <>
      <p class="muted">
        {chosen?.plan
          ? `The numbers are the stops of the plan “${strategyNames[chosen.strategy]}”, nearest first. Lines are straight, not roads.`
          : 'Click on the map to choose a place. A mark shows the best report of any of the products in a store.'}
      </p>
      <StoreMap
        places={comparisonPlaces(counts, asked, chosen?.plan ?? null)}
        origin={place}
        radius_m={place && radius_m}
        onPick={onPick}
        label="stores and the plan"
        highlight={highlight}
      />
    </>
  );
}
