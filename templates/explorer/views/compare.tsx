import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { StoreSummary, StrategyName } from '../../../generator/contract/documents/store.ts';
import { parsePlace, placeOf, replaceQuery, type ViewProps } from '../app/router.ts';
import { useSession } from '../app/session.ts';
import { strategyNames } from '../compare/comparison-words.ts';
import { Coverage } from '../compare/coverage.tsx';
import { LeftOut } from '../compare/left-out.tsx';
import { comparisonPlaces, countsByStore } from '../compare/observations.ts';
import { OptionsForm } from '../compare/options-form.tsx';
import { Answer, Plans } from '../compare/plans.tsx';
import { ProductList } from '../compare/product-list.tsx';
import {
  comparisonQuestion,
  formatQuestion,
  parseQuestion,
  type Question,
  unusedPartsOf,
} from '../compare/question.ts';
import { StoreTable } from '../compare/store-table.tsx';
import {
  type AskedProduct,
  type Compared,
  comparableSkus,
  useComparison,
  useProducts,
  useStores,
} from '../compare/use-comparison.ts';
import { useHighlight } from '../components/highlight.ts';
import { Page } from '../components/page.tsx';
import { fullName, useProductIndex } from '../components/product-index.ts';
import { Failed, Loading, WhenLoaded } from '../components/states.tsx';
import { unusedCodes } from '../components/unused-part.ts';
import { UnusedParts } from '../components/unused-parts.tsx';
import type { GeoPoint } from '../map/projection.ts';
import { StoreMap } from '../map/store-map.tsx';
import { type Place, pointText } from '../place/gazetteer.ts';
import { PlaceField } from '../place/place-field.tsx';
import { useNear } from '../place/use-near.ts';

const codes = Object.keys(strategyNames);

/** Products near a place: which stores reported them, and plans that cover them. The whole question is in the address. */
export function Compare({ query }: ViewProps) {
  const { site } = useSession();
  const question = parseQuestion(query);
  const stores = useStores();
  const near = useNear(query, stores.value);
  const products = useProducts(question.skus);
  const comparable = { ...question, skus: comparableSkus(question.skus, products.value ?? []) };
  const compared = useComparison(comparable, near.place);
  const asked = comparisonQuestion(comparable, near.place);
  // The address is ahead of what is drawn: two changes may come before the page is drawn again.
  const change = (changed: Partial<Question>) => {
    const { query } = parsePlace(location.hash);
    replaceQuery({ ...formatQuestion({ ...parseQuestion(query), ...changed }), plan: query.get('plan') });
  };
  const unused = [
    ...unusedPartsOf(query),
    ...unusedCodes('plan', query.get('plan') ?? '', codes, `one of ${codes.join(', ')}`),
  ];
  const sources =
    asked && compared?.value?.isFromHost
      ? [{ label: 'The comparison', url: site.addressOf('comparison', {}, asked) }]
      : [{ label: 'The stores of a comparison', url: site.addressOf('comparison_stores') }];
  return (
    <Page
      title="Compare stores"
      lead="Which stores near a place reported several products. A report is an observation, and no promise that a store has a product now."
      sources={sources}
    >
      <UnusedParts of={unused} />
      {question.skus.length === 0 && <Example city={near.gazetteer?.largestCity ?? null} />}
      {compared?.state === 'loading' && <Loading what="the comparison" />}
      {compared?.state === 'failed' && <Failed error={compared.error} />}
      {compared?.value && (
        <Reply compared={compared.value} query={query} question={question}>
          <LeftOut
            comparison={compared.value.comparison}
            products={products.value ?? []}
            stores={stores.value ?? []}
            question={question}
            onChange={change}
          />
        </Reply>
      )}
      <div class="columns">
        <ProductList skus={question.skus} products={products.value ?? []} onChange={(skus) => change({ skus })} />
        <div>
          <h2>Place</h2>
          <PlaceField near={near} />
          <OptionsForm question={question} onChange={change} />
        </div>
      </div>
      {products.state === 'failed' && <Failed error={products.error} />}
      <WhenLoaded loaded={stores} what="the stores">
        {(stores) => (
          <Stores
            question={question}
            place={near.place}
            stores={stores}
            products={products.value ?? []}
            chosen={compared?.value ? chosenOf(compared.value, query) : undefined}
            onPick={(point) => near.choose(pointText(point))}
          />
        )}
      </WhenLoaded>
      {compared?.value && (
        <>
          <h2>How certain this is</h2>
          <Coverage comparison={compared.value.comparison} />
        </>
      )}
    </Page>
  );
}

/** A question to begin with: the three products that most stores report, near the city with the most stores. */
function Example({ city }: { readonly city: Place | null }) {
  const index = useProductIndex().value;
  if (index === null || city === null) return null;
  const products = [...index.byStores.slice(0, 3)];
  const example = formatQuestion({
    ...parseQuestion(new URLSearchParams()),
    skus: products.map((product) => index.sku(product)),
    near: city.name,
  });
  return (
    <p class="example">
      Add products and a place, or{' '}
      <a class="button" href={placeOf('compare', '', example)}>
        Try an example
      </a>{' '}
      <span class="muted">
        {products.map((product) => index.name(product)).join(', ')} near {city.name}
      </span>
    </p>
  );
}

/** The strategy that the address names, else the one that covers most. */
function chosenOf({ comparison: { data } }: Compared, query: URLSearchParams) {
  const { strategies } = data;
  return (
    strategies.find(({ strategy }) => strategy === query.get('plan')) ??
    strategies.find(({ strategy, plan }) => strategy === 'best_partial_plan' && plan !== null) ??
    strategies[0]
  );
}

function Reply({
  compared,
  query,
  question,
  children,
}: {
  readonly compared: Compared;
  readonly query: URLSearchParams;
  readonly question: Question;
  readonly children: ComponentChildren;
}) {
  const { strategies, requested_products } = compared.comparison.data;
  const names = new Map(requested_products.map((product) => [product.id, fullName(product)]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const chosen = chosenOf(compared, query);
  return (
    <>
      <Answer strategies={strategies} radius_m={question.radius_m} />
      {children}
      {chosen && (
        <Plans
          strategies={strategies}
          nameOf={nameOf}
          chosen={chosen.strategy}
          onChoose={(plan: StrategyName) => replaceQuery({ ...formatQuestion(question), plan })}
        />
      )}
    </>
  );
}

function Stores({
  question: { radius_m },
  place,
  stores,
  products,
  chosen,
  onPick,
}: {
  readonly question: Question;
  readonly place: Place | null;
  readonly stores: readonly StoreSummary[];
  readonly products: readonly AskedProduct[];
  readonly chosen: ReturnType<typeof chosenOf>;
  readonly onPick: (point: GeoPoint) => void;
}) {
  const counts = useMemo(
    () => countsByStore(stores, products, place),
    [stores, products, place?.latitude, place?.longitude],
  );
  const highlight = useHighlight();
  const places = comparisonPlaces(counts, products.length, chosen?.plan ?? null);
  return (
    <>
      <h2>Map</h2>
      <p class="muted">
        {chosen?.plan
          ? `The numbers are the stops of the plan “${strategyNames[chosen.strategy]}”, nearest first. Lines are straight, and no roads.`
          : 'Click on the map to choose a place. A mark shows the most that any of the products has in a store.'}
      </p>
      <StoreMap
        places={places}
        origin={place}
        radius_m={place && radius_m}
        onPick={onPick}
        label="stores and the plan"
        highlight={highlight}
      />
      {products.length > 0 && (
        <>
          <h2>What each store reported</h2>
          <StoreTable rows={counts} products={products} highlight={highlight} />
        </>
      )}
    </>
  );
}
