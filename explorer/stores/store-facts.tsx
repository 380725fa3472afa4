import type { StoreDetail } from '../../contract/schemas/store.ts';
import { dateText, instantText, words } from '../parts/text.ts';
import { accessText, addressLines, presenceWords, servicesText } from './store-words.ts';

/** What a visitor wants to know about a store: address, hours and services. */
export function StoreFacts({ store }: { readonly store: StoreDetail }) {
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
export function StoreRecord({ store }: { readonly store: StoreDetail }) {
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
