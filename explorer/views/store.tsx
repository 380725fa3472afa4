import { useMemo } from 'preact/hooks';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { Warning } from '../../contract/schemas/primitives.ts';
import type { StoreDetail, StoreStock, StoreSummary } from '../../contract/schemas/store.ts';
import { AsOfNotice, useAsOf } from '../changes/as-of.tsx';
import { ChangeTable } from '../changes/change-table.tsx';
import { EarlierStock } from '../changes/earlier-stock.tsx';
import { StoreMap } from '../map/store-map.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { dateText, instantText, words } from '../parts/text.ts';
import { ViewFrame } from '../parts/view-frame.tsx';
import { WarningList } from '../parts/warning-list.tsx';
import { ReportedProducts, StockCount } from '../products/reported-products.tsx';
import { hrefFor, type ViewProps } from '../site/router.ts';
import { type Loaded, useLoaded, useSession } from '../site/session.ts';
import { agencyLanguage, isAgencyCode } from '../site/site-profile.ts';
import { readStores } from '../site/stores-and-categories.ts';
import { storeLimit } from '../stores/purchase.ts';
import { accessText, addressLines, presenceWords, servicesText, storePlace } from '../stores/store-words.ts';

const mostStoreEvents = 50;
const isId = /^[0-9a-f-]{36}$/;

type Found = {
  readonly store: StoreDetail;
  readonly stock: StoreStock;
  /** The warnings about what the store reports. */
  readonly warnings: readonly Warning[];
  readonly stores: readonly StoreSummary[];
};

/** A store. `argument`: its id or code. */
export function Store({ argument, query }: ViewProps) {
  const found = useLoaded(`store ${argument}`, async (site, signal): Promise<Found> => {
    const isCode = isAgencyCode('store_code', argument);
    const found = isCode ? site.store.byCode(argument, { signal }) : site.store.byId(argument, { signal });
    // If the id is known, stock is requested together with the store.
    const id = isCode ? found.then(({ data }) => data.id) : argument;
    const [{ data: store }, stores, { data: stock, meta }] = await Promise.all([
      found,
      readStores(site),
      site.store.availability(await id, { signal }),
    ]);
    return { store, stock, warnings: meta.warnings, stores };
  });
  const id = isId.test(argument) ? argument : found.value?.store.id;
  // A single answer of the API, however long the store's history is.
  const events = useLoaded(id ? `changes of store ${id}` : null, async (site, signal) => {
    if (id === undefined) return [];
    for await (const { data } of site.changes({ store_id: id, limit: mostStoreEvents }, { signal }).pages())
      return data;
    return [];
  });
  if (found.state !== 'loaded') {
    return (
      <ViewFrame title="Store">
        <WhenLoaded
          loaded={found}
          what="the store"
          missing={
            <p>
              There is no store with this code or id. <a href={hrefFor('stores')}>All stores</a>
            </p>
          }
        >
          {() => null}
        </WhenLoaded>
      </ViewFrame>
    );
  }
  return <FoundStore {...found.value} events={events} query={query} />;
}

function FoundStore({
  store,
  stock,
  warnings,
  stores,
  events,
  query,
}: Found & { readonly events: Loaded<readonly ChangeEvent[]>; readonly query: URLSearchParams }) {
  const { site } = useSession();
  const { id, name, address } = store;
  const asOf = useAsOf(query);
  const limit = storeLimit(store);
  const places = useMemo(
    () =>
      stores
        .filter(({ location }) => location !== null)
        .map((other) =>
          other.id === id
            ? storePlace(other, 'here')
            : storePlace(other, 'store', { note: other.address.city, href: hrefFor('store', other.id) }),
        ),
    [stores, id],
  );
  return (
    <ViewFrame
      title={name}
      language={agencyLanguage()}
      lead={`${address.city}, ${accessText(store.access_type)}`}
      sources={[
        { label: 'The store', url: site.addressOf('store', { store_id: id }) },
        { label: 'What it reports', url: site.addressOf('store_availability', { store_id: id }) },
      ]}
    >
      <div class="store">
        <StoreFacts store={store} />
        <section>
          <h2>What it reports</h2>
          {limit !== null && <p class="note">Not everyone may buy here: {limit}.</p>}
          <AsOfNotice asOf={asOf} />
          {asOf.publication && <EarlierStock store={store} publication={asOf.publication} day={asOf.day} />}
          {asOf.state === 'newest' && <NewestProducts store={store} stock={stock} warnings={warnings} />}
        </section>
        {store.location ? (
          <StoreMap places={places} label={`${name} and the stores around it`} />
        ) : (
          <p class="muted">This store has no published location, so there is no map.</p>
        )}
      </div>
      {asOf.state === 'newest' && <StoreChanges store={store} events={events} />}
      <h2>About this store</h2>
      <StoreRecord store={store} />
      <p>
        <a href={hrefFor('stores')}>All stores as a table</a>
      </p>
    </ViewFrame>
  );
}

/** What a store reports in the newest publication. */
function NewestProducts({ store, stock, warnings }: Omit<Found, 'stores'>) {
  const { metadata } = useSession();
  const hours = Math.round(metadata.data.retrieval_policy.max_age_seconds / 3600);
  return (
    <>
      <StockCount stock={stock} />
      {stock.products.length > 0 && (
        <p class="muted">
          A quantity is what the agency’s site reported when it was checked, not a promise. Recent: retrieved within{' '}
          {hours} hours of the publication.
        </p>
      )}
      <WarningList warnings={warnings} />
      {stock.products.length > 0 && <ReportedProducts stock={stock} store={store} />}
    </>
  );
}

function StoreChanges({
  store,
  events,
}: {
  readonly store: StoreDetail;
  readonly events: Loaded<readonly ChangeEvent[]>;
}) {
  return (
    <>
      <h2>Latest changes</h2>
      <p class="muted">
        A change is a difference between two observations, and does not say why.{' '}
        <a href={hrefFor('changes', '', { store: store.id })}>All changes of this store</a>
      </p>
      <WhenLoaded loaded={events} what="the changes">
        {(rows) =>
          rows.length === 0 ? (
            <p>No changes are kept for this store.</p>
          ) : (
            <ChangeTable events={rows} file="store-changes" />
          )
        }
      </WhenLoaded>
    </>
  );
}

/** What a visitor wants to know about a store: address, hours and services. */
function StoreFacts({ store }: { readonly store: StoreDetail }) {
  const { phone, contact_links, operational_status: status } = store;
  const { telephone_uri, geo_uri } = contact_links;
  return (
    <dl class="facts">
      <dt>Address</dt>
      <dd>
        {addressLines(store).map((line) => (
          <div key={line}>{line}</div>
        ))}
        {geo_uri?.startsWith('geo:') && <a href={geo_uri}>Open in a map app</a>}
      </dd>
      <dt>Hours</dt>
      <dd class="lines">{store.regular_hours ?? 'not published'}</dd>
      <dt>Phone</dt>
      <dd>
        {telephone_uri?.startsWith('tel:') ? (
          <a href={telephone_uri}>{phone ?? telephone_uri.slice(4)}</a>
        ) : (
          (phone ?? 'not published')
        )}
      </dd>
      <dt>Status</dt>
      <dd>
        {words(status.state)}
        {status.source === 'reviewed_editorial' && ', as reviewed by the publisher'}
        {status.note && <div class="note">{status.note}</div>}
      </dd>
      <dt>Services</dt>
      <dd>{servicesText(store) || 'none listed'}</dd>
    </dl>
  );
}

/** The store's record: its kind, codes and location, and when the agency's directory was read. */
function StoreRecord({ store }: { readonly store: StoreDetail }) {
  const { source_ids, directory_presence: presence } = store;
  return (
    <dl class="facts">
      <dt>Kind</dt>
      <dd>{accessText(store.access_type)}</dd>
      <dt>Location</dt>
      <dd>{store.location ? `${store.location.latitude}, ${store.location.longitude}` : 'not published'}</dd>
      <dt>Store code</dt>
      <dd>{source_ids.inventory_store_code ?? 'none, so its inventory is not checked'}</dd>
      <dt>Directory</dt>
      <dd>
        {presence === null ? 'not listed' : presenceWords[presence.state]}
        {presence?.last_seen_at && `, last seen ${dateText(presence.last_seen_at)}`}
      </dd>
      <dt>Retrieved</dt>
      <dd>{instantText(store.details_times.retrieved_at)}</dd>
    </dl>
  );
}
