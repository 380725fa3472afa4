import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { StrategyName } from '../../contract/vocabulary.ts';
import type { GeoPoint } from '../map/projection.ts';
import { StoreMap } from '../map/store-map.tsx';
import { type Highlight, useHighlight } from '../parts/highlight.ts';
import { Share } from '../parts/share.tsx';
import { Failed, Loading, WhenLoaded } from '../parts/states.tsx';
import { type UnusedPart, UnusedParts, unusedCodes } from '../parts/unused-parts.tsx';
import { ViewFrame } from '../parts/view-frame.tsx';
import { isSameList, isTripKept, replaceTrip, useOwnTrip } from '../products/own-trip.ts';
import { fullName, useProductIndex } from '../products/product-index.ts';
import { useStores } from '../site/directories.ts';
import { fullUrl, hrefFor, parseHash, replaceQuery, type ViewProps } from '../site/router.ts';
import { useSession } from '../site/session.ts';
import { type Place, pointText } from '../stores/gazetteer.ts';
import { PlaceField } from '../stores/place-field.tsx';
import { useNear } from '../stores/use-near.ts';
import { Coverage, MadeFrom } from '../trip/coverage.tsx';
import { LeftOut } from '../trip/left-out.tsx';
import { OptionsForm } from '../trip/options-form.tsx';
import { Plans, strategyNames, TripAnswer } from '../trip/plans.tsx';
import {
  comparisonQuestion,
  formatQuestion,
  parseQuestion,
  type Question,
  unusedQuestionParts,
} from '../trip/question.ts';
import { comparisonPlaces, countsByStore, type StoreCounts } from '../trip/reports-by-store.ts';
import { Stops } from '../trip/stops.tsx';
import { StoreTable } from '../trip/store-table.tsx';
import { ProductList, SharedTrip, useOwnAddress } from '../trip/trip-products.tsx';
import {
  type Compared,
  comparableSkus,
  type SkuAvailability,
  useComparison,
  useProducts,
} from '../trip/use-comparison.ts';

const codes = Object.keys(strategyNames);
const revisionPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A trip: products and a place, which stores reported them, and plans that cover them. The whole question is in the
 * address.
 */
export function Trip({ query }: ViewProps) {
  const { site, metadata } = useSession();
  const trip = useOwnTrip();
  const given = parseQuestion(query);
  useOwnAddress(given.skus, trip);
  // The address is updated once this is drawn.
  const question = given.skus.length === 0 ? { ...given, skus: trip } : given;
  const revision = linkRevision(query);
  const highlight = useHighlight();
  const stores = useStores();
  const near = useNear(query, stores.value);
  const products = useProducts(question.skus);
  const comparable = { ...question, skus: comparableSkus(question.skus, products.value ?? []) };
  const compared = useComparison(comparable, near.place);
  const asked = comparisonQuestion(comparable, near.place);
  // The address is ahead of what is drawn: two changes may come before the view is drawn again.
  const change = (changed: Partial<Question>) => {
    const { query } = parseHash(location.hash);
    replaceQuery({
      ...formatQuestion({ ...parseQuestion(query), ...changed }),
      plan: query.get('plan'),
      revision: query.get('revision'),
    });
  };
  // The address follows the reader's own trip automatically.
  const changeProducts = (skus: readonly string[]) =>
    isSameList(question.skus, trip) ? replaceTrip(skus) : change({ skus });
  const unused = unusedTripParts(query);
  const chosen = compared?.value ? chosenStrategy(compared.value, query) : undefined;
  const counts = useMemo(
    () => countsByStore(stores.value ?? [], products.value ?? [], near.place),
    [stores.value, products.value, near.place?.latitude, near.place?.longitude],
  );
  const sources =
    asked && compared?.value?.isFromHost
      ? [{ label: 'The comparison', url: site.addressOf('comparison', {}, asked) }]
      : [{ label: 'The stores of a comparison', url: site.addressOf('comparison_stores') }];
  return (
    <ViewFrame
      title="Trip"
      lead="Which stores near a place reported the products that you want. A report is an observation, not a promise that a store has a product now."
      sources={sources}
    >
      <UnusedParts parts={unused} />
      <MadeFrom revision={revision} />
      <SharedTrip skus={question.skus} trip={trip} />
      {question.skus.length === 0 && <ExampleTrip city={near.gazetteer?.largestCity ?? null} />}
      <div class="trip">
        <div>
          {compared?.state === 'loading' && <Loading what="the plan" />}
          {compared?.state === 'failed' && <Failed error={compared.error} />}
          {compared?.value && near.place && (
            <PlannedTrip
              compared={compared.value}
              query={query}
              question={question}
              products={products.value ?? []}
              place={near.place}
            >
              <LeftOut
                comparison={compared.value.comparison}
                products={products.value ?? []}
                stores={stores.value ?? []}
                question={question}
                onChange={change}
              />
            </PlannedTrip>
          )}
          {question.skus.length > 0 && (
            <section aria-labelledby="share-trip">
              <h2 id="share-trip" class="on-screen">
                Share
              </h2>
              <Share link={tripLink(question, query, metadata.data.publication.revision)} />
              <p class="muted on-screen">The link includes the products, the place and the options.</p>
            </section>
          )}
          <div class="on-screen">
            <ProductList skus={question.skus} products={products.value ?? []} onChange={changeProducts} />
            {!isTripKept() && (
              <p class="muted">
                This browser keeps nothing for this site, so your trip is lost when you close this tab.
              </p>
            )}
            <h2>Place</h2>
            <PlaceField near={near} />
            <OptionsForm question={question} onChange={change} />
          </div>
          {products.state === 'failed' && <Failed error={products.error} />}
        </div>
        <section class="trip-map on-screen" aria-labelledby="trip-map">
          <h2 id="trip-map">Map</h2>
          <WhenLoaded loaded={stores} what="the stores">
            {() => (
              <PlanMap
                place={near.place}
                radius_m={question.radius_m}
                counts={counts}
                asked={products.value?.length ?? 0}
                chosen={chosen}
                onPick={(point) => near.choose(pointText(point))}
                highlight={highlight}
              />
            )}
          </WhenLoaded>
        </section>
      </div>
      <div class="on-screen">
        {stores.value && (products.value?.length ?? 0) > 0 && (
          <>
            <h2>What each store reported</h2>
            <StoreTable rows={counts} products={products.value ?? []} highlight={highlight} />
          </>
        )}
        {compared?.value && (
          <>
            <h2>How certain this is</h2>
            <Coverage comparison={compared.value.comparison} />
          </>
        )}
      </div>
    </ViewFrame>
  );
}

/** The revision that a link was made from; empty if missing or invalid. */
function linkRevision(query: URLSearchParams): string {
  const revision = (query.get('revision') ?? '').toLowerCase();
  return revisionPattern.test(revision) ? revision : '';
}

/** The parts of a query that the view ignores. */
function unusedTripParts(query: URLSearchParams): UnusedPart[] {
  const revision = query.get('revision') ?? '';
  return [
    ...unusedQuestionParts(query),
    ...unusedCodes('plan', query.get('plan') ?? '', codes, `one of ${codes.join(', ')}`),
    ...(revision === '' || linkRevision(query) !== ''
      ? []
      : [{ name: 'revision', value: revision, expected: 'the UUID of a publication' }]),
  ];
}

/** A link that shows the same trip anywhere, and records the publication it was made from. */
function tripLink(question: Question, query: URLSearchParams, revision: string): string {
  return fullUrl(hrefFor('compare', '', { ...formatQuestion(question), plan: query.get('plan'), revision }));
}

/** An example: the three products reported by the most stores, near the city with the most stores. */
function ExampleTrip({ city }: { readonly city: Place | null }) {
  const index = useProductIndex().value;
  if (index === null || city === null) return null;
  const products = [...index.byStores.slice(0, 3)];
  const example = formatQuestion({
    ...parseQuestion(new URLSearchParams()),
    skus: products.map((product) => index.sku(product)),
    near: city.name,
  });
  return (
    <p class="example on-screen">
      Add products and a place, or{' '}
      <a class="button" href={hrefFor('compare', '', example)}>
        Try an example
      </a>{' '}
      <span class="muted">
        {products.map((product) => index.name(product)).join(', ')} near {city.name}
      </span>
    </p>
  );
}

/** The strategy named in the address, or else the one that covers the most. */
function chosenStrategy({ comparison: { data } }: Compared, query: URLSearchParams) {
  const { strategies } = data;
  return (
    strategies.find(({ strategy }) => strategy === query.get('plan')) ??
    strategies.find(({ strategy, plan }) => strategy === 'best_partial_plan' && plan !== null) ??
    strategies[0]
  );
}

function PlannedTrip({
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

function PlanMap({
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
