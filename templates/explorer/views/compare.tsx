import { useMemo } from 'preact/hooks';
import type { StrategyName } from '../../../generator/contract/documents/comparison.ts';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { parsePlace, replaceQuery, type ViewProps } from '../app/router.ts';
import { type Loaded, useSession } from '../app/session.ts';
import { StopTable, StoreTable } from '../compare/comparison-tables.tsx';
import { strategyWords } from '../compare/comparison-words.ts';
import { Coverage } from '../compare/coverage.tsx';
import { comparisonPlaces, countsByStore, productName, stopRows } from '../compare/observations.ts';
import { OptionsForm } from '../compare/options-form.tsx';
import { PlaceForm } from '../compare/place-form.tsx';
import { ProductList } from '../compare/product-list.tsx';
import {
  comparisonQuestion,
  formatQuestion,
  parseQuestion,
  type Question,
  unusedPartsOf,
} from '../compare/question.ts';
import { Strategies } from '../compare/strategies.tsx';
import {
  type AskedProduct,
  type Compared,
  comparableSkus,
  useComparison,
  useProducts,
  useStores,
} from '../compare/use-comparison.ts';
import { Page } from '../components/page.tsx';
import { Failed, Loading, WhenLoaded } from '../components/states.tsx';
import { StoreMap } from '../components/store-map.tsx';
import { unusedCodes } from '../components/unused-part.ts';
import { UnusedParts } from '../components/unused-parts.tsx';

const strategyNames = Object.keys(strategyWords);

/** Products near a place: which stores reported them, and plans that cover them. The whole question is in the address. */
export function Compare({ query }: ViewProps) {
  const { site } = useSession();
  const question = parseQuestion(query);
  const stores = useStores();
  const products = useProducts(question.skus);
  const comparable = { ...question, skus: comparableSkus(question.skus, products.value ?? []) };
  const compared = useComparison(comparable);
  const asked = comparisonQuestion(comparable);
  // The address is ahead of what is drawn: two changes may come before the page is drawn again.
  const change = (changed: Partial<Question>) => {
    const { query } = parsePlace(location.hash);
    replaceQuery({ ...formatQuestion({ ...parseQuestion(query), ...changed }), plan: query.get('plan') });
  };
  const unused = [
    ...unusedPartsOf(query),
    ...unusedCodes('plan', query.get('plan') ?? '', strategyNames, `one of ${strategyNames.join(', ')}`),
  ];
  const sources =
    asked && compared?.value?.isFromHost
      ? [{ label: 'The comparison', url: site.addressOf('comparison', {}, asked) }]
      : [{ label: 'The stores of a comparison', url: site.addressOf('comparison_stores') }];
  return (
    <Page
      title="Compare stores"
      lead="Which stores reported several products, near a place. Reported quantities are observations of the time when the agency’s site was asked. They do not promise that a store has a product now."
      sources={sources}
    >
      <UnusedParts of={unused} />
      <div class="columns">
        <ProductList skus={question.skus} products={products.value ?? []} onChange={(skus) => change({ skus })} />
        <div>
          <PlaceForm place={question.place} onChange={(place) => change({ place })} />
          <OptionsForm question={question} onChange={change} />
        </div>
      </div>
      {products.state === 'failed' && <Failed error={products.error} />}
      <WhenLoaded loaded={stores} what="the stores">
        {(stores) => (
          <Answer
            question={question}
            stores={stores}
            products={products.value ?? []}
            compared={compared}
            plan={query.get('plan')}
            onPick={(place) => change({ place })}
            onPlan={(plan) => replaceQuery({ ...formatQuestion(question), plan })}
          />
        )}
      </WhenLoaded>
    </Page>
  );
}

function Answer({
  question: { skus, place, radius_m },
  stores,
  products,
  compared,
  plan: wanted,
  onPick,
  onPlan,
}: {
  readonly question: Question;
  readonly stores: readonly StoreSummary[];
  readonly products: readonly AskedProduct[];
  readonly compared: Loaded<Compared> | null;
  readonly plan: string | null;
  readonly onPick: (place: NonNullable<Question['place']>) => void;
  readonly onPlan: (plan: StrategyName) => void;
}) {
  const comparison = compared?.value?.comparison ?? null;
  const strategies = comparison?.data.strategies ?? [];
  const chosen =
    strategies.find(({ strategy }) => strategy === wanted) ??
    strategies.find(({ strategy, plan }) => strategy === 'best_partial_plan' && plan !== null) ??
    strategies[0];
  const counts = useMemo(() => countsByStore(stores, products), [stores, products]);
  const places = comparisonPlaces(counts, products.length, chosen?.plan ?? null);
  const names = new Map(comparison?.data.requested_products.map((product) => [product.id, productName(product)]));
  return (
    <>
      <h2>Map</h2>
      <p class="muted">
        {chosen?.plan
          ? `The numbers are the stops of the plan “${strategyWords[chosen.strategy].name}”, nearest first. Lines are straight, and no roads.`
          : 'Click on the map to choose a place. A mark shows the most that any of the products has in a store.'}
      </p>
      <StoreMap
        places={places}
        origin={place}
        radius_m={place && radius_m}
        onPick={onPick}
        label="stores and the plan"
      />
      <details>
        <summary>The stores of the map as a table</summary>
        <StoreTable rows={counts} />
      </details>
      <h2>Plans</h2>
      {skus.length === 0 && <p class="muted">Add a product to compare stores.</p>}
      {skus.length > 0 && place === null && <p class="muted">Choose a place to compare stores.</p>}
      {compared?.state === 'loading' && <Loading what="the comparison" />}
      {compared?.state === 'failed' && <Failed error={compared.error} />}
      {comparison && chosen && (
        <>
          <Strategies
            strategies={strategies}
            nameOf={(id) => names.get(id) ?? id}
            chosen={chosen.strategy}
            onChoose={onPlan}
          />
          <h2>What the stops reported</h2>
          <StopTable rows={stopRows(comparison, products)} />
          <h2>How certain this is</h2>
          <Coverage comparison={comparison} />
        </>
      )}
    </>
  );
}
