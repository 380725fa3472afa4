import { useMemo } from 'preact/hooks';
import { useHighlight } from '../parts/highlight.ts';
import { Share } from '../parts/share.tsx';
import { Failed, Loading, WhenLoaded } from '../parts/states.tsx';
import { type UnusedPart, UnusedParts, unusedCodes } from '../parts/unused-parts.tsx';
import { ViewFrame } from '../parts/view-frame.tsx';
import { isSameList, isTripKept, replaceTrip, useOwnTrip } from '../products/own-trip.ts';
import { useProductIndex } from '../products/product-index.ts';
import { fullUrl, hrefFor, parseHash, replaceQuery, type ViewProps } from '../site/router.ts';
import { useSession } from '../site/session.ts';
import { useStores } from '../site/stores-and-categories.ts';
import { type Place, pointText } from '../stores/gazetteer.ts';
import { PlaceField } from '../stores/place-field.tsx';
import { useNear } from '../stores/use-near.ts';
import { Coverage, MadeFrom } from '../trip/coverage.tsx';
import { LeftOut } from '../trip/left-out.tsx';
import { OptionsForm } from '../trip/options-form.tsx';
import { chosenStrategy, PlanMap, PlannedTrip } from '../trip/planned-trip.tsx';
import { strategyNames } from '../trip/plans.tsx';
import {
  comparisonQuestion,
  formatQuestion,
  parseQuestion,
  type Question,
  unusedQuestionParts,
} from '../trip/question.ts';
import { countsByStore } from '../trip/reports-by-store.ts';
import { StoreTable } from '../trip/store-table.tsx';
import { ProductList, SharedTrip, useOwnAddress } from '../trip/trip-products.tsx';
import { comparableSkus, useComparison, useProducts } from '../trip/use-comparison.ts';

const codes = Object.keys(strategyNames);
const revisionPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A trip: products and a place, which stores reported them, and plans that cover them. The whole question is in the
 * address.
 */
export function Trip({ query }: ViewProps) {
  const trip = useTrip(query);
  const { question, near, stores, products, comparison, counts, change } = trip;
  const highlight = useHighlight();
  const chosen = comparison?.value ? chosenStrategy(comparison.value, query) : undefined;
  return (
    <ViewFrame
      title="Trip"
      lead="Which stores near a place reported the products that you want. A report is an observation, not a promise that a store has a product now."
      sources={trip.sources}
    >
      <UnusedParts parts={unusedTripParts(query)} />
      <MadeFrom revision={linkRevision(query)} />
      <SharedTrip skus={question.skus} trip={trip.own} />
      {question.skus.length === 0 && <ExampleTrip city={near.gazetteer?.largestCity ?? null} />}
      <div class="trip">
        <div>
          {comparison?.state === 'loading' && <Loading what="the plan" />}
          {comparison?.state === 'failed' && <Failed error={comparison.error} />}
          {comparison?.value && near.place && (
            <PlannedTrip
              compared={comparison.value}
              query={query}
              question={question}
              products={products.value ?? []}
              place={near.place}
            >
              <LeftOut
                comparison={comparison.value.comparison}
                products={products.value ?? []}
                stores={stores.value ?? []}
                question={question}
                onChange={change}
              />
            </PlannedTrip>
          )}
          {question.skus.length > 0 && <ShareTrip question={question} query={query} />}
          <div class="on-screen">
            <ProductList skus={question.skus} products={products.value ?? []} onChange={trip.changeProducts} />
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
        {comparison?.value && (
          <>
            <h2>How certain this is</h2>
            <Coverage comparison={comparison.value.comparison} />
          </>
        )}
      </div>
    </ViewFrame>
  );
}

/**
 * The question in the address, or the reader's own trip if the address names no products, and all that is read to
 * answer it. `change` changes the question, and `changeProducts` its products.
 */
function useTrip(query: URLSearchParams) {
  const { site } = useSession();
  const own = useOwnTrip();
  const given = parseQuestion(query);
  useOwnAddress(given.skus, own);
  // The address is updated once this is drawn.
  const question = given.skus.length === 0 ? { ...given, skus: own } : given;
  const stores = useStores();
  const near = useNear(query, stores.value);
  const products = useProducts(question.skus);
  const comparable = { ...question, skus: comparableSkus(question.skus, products.value ?? []) };
  const comparison = useComparison(comparable, near.place);
  const asked = comparisonQuestion(comparable, near.place);
  const counts = useMemo(
    () => countsByStore(stores.value ?? [], products.value ?? [], near.place),
    [stores.value, products.value, near.place?.latitude, near.place?.longitude],
  );
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
    isSameList(question.skus, own) ? replaceTrip(skus) : change({ skus });
  const sources =
    asked && comparison?.value?.isFromHost
      ? [{ label: 'The comparison', url: site.addressOf('comparison', {}, asked) }]
      : [{ label: 'The stores of a comparison', url: site.addressOf('comparison_stores') }];
  return { own, question, stores, near, products, comparison, counts, sources, change, changeProducts };
}

/** A link that shows the same trip anywhere, and records the publication it was made from. */
function ShareTrip({ question, query }: { readonly question: Question; readonly query: URLSearchParams }) {
  const { revision } = useSession().metadata.data.publication;
  const link = hrefFor('compare', '', { ...formatQuestion(question), plan: query.get('plan'), revision });
  return (
    <section aria-labelledby="share-trip">
      <h2 id="share-trip" class="on-screen">
        Share
      </h2>
      <Share link={fullUrl(link)} />
      <p class="muted on-screen">The link includes the products, the place and the options.</p>
    </section>
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
