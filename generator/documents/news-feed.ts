import { statementOf } from '../../contract/documents/metadata.ts';
import { atomMediaType, jsonMediaType } from '../../contract/headers.ts';
import { compareInstants } from '../../contract/instant.ts';
import { type Addresser, pathOf } from '../../contract/paths.ts';
import type { NewsRow } from '../database/news.ts';
import { atomFeed, author, feedId, link, text } from './atom.ts';
import { correctionStatement } from './corrections.ts';
import { newsText } from './news-text.ts';
import type { State } from './state.ts';

/**
 * What a feed is about. `name`: a name of its own among all feeds. `view`: its place in the page for people. `document`: the path
 * of its JSON.
 */
export type NewsSubject = {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly view: string;
  readonly document: string;
};

/** How feeds print addresses. `hasPage`: whether the site has a page for people, to which entries then lead. */
export type NewsAddresses = { readonly address: Addresser; readonly hasPage: boolean };

/**
 * The news of a product, or of the products of a brand or category, as an Atom feed (RFC 4287). The id of an entry is that of its
 * event. An entry is updated when the publication that brought it is corrected. `rows`: newest first.
 */
export function newsFeed(
  state: State,
  subject: NewsSubject,
  rows: readonly NewsRow[],
  addresses: NewsAddresses,
): Uint8Array {
  const news = rows.map((row) => ({ row, ...newsTimes(state, row) }));
  const updated = news.map(({ updated }) => updated).toSorted(compareInstants);
  return atomFeed([
    text('id', feedId(subject.name, state)),
    text('title', subject.title),
    text('subtitle', statementOf(state.profile)),
    // A feed whose events have all expired stays for its subscribers.
    text('updated', updated.at(-1) ?? state.tracking_started_at),
    author(state.aboutAt(state.publication.sequence)),
    link({ rel: 'self', type: atomMediaType, href: addresses.address(subject.path) }),
    alternate(subject, addresses),
    ...news.map(({ row, updated, note }) => entry(row, updated, note, addresses)),
  ]);
}

/** When an event was published or, if that is later, corrected, and what the correction says. */
function newsTimes(state: State, { publication }: NewsRow): { readonly updated: string; readonly note: string } {
  const brought = state.publicationAt(publication);
  const correction = correctionStatement(brought, state);
  if (correction === null) return { updated: brought.published_at, note: '' };
  return {
    updated: correction.corrected_at,
    note: ` A later publication corrects the one that reported this: ${correction.reason}`,
  };
}

function entry(row: NewsRow, updated: string, note: string, addresses: NewsAddresses): string {
  const { id, sku, retrieved_at } = row;
  const said = newsText(row);
  const name = productTitle({ brand: row.brand_name, name: row.product_name, size: row.package_display });
  return [
    '<entry>',
    text('id', `urn:uuid:${id}`),
    text('title', `${name}: ${said}`),
    text('updated', updated),
    alternate(productPlaces(row.product_id, sku), addresses),
    text('content', `${capital(said)}. SKU ${sku}, retrieved ${retrieved_at}.${note}`, { type: 'text' }),
    '</entry>',
  ].join('\n');
}

/** Where a product is shown, and its document. */
export function productPlaces(id: string, sku: string): Pick<NewsSubject, 'view' | 'document'> {
  return { view: `#/product/${sku}`, document: pathOf('product', { product_id: id }) };
}

/** A product as people call it: `Old Mill Gin, 750 mL`. */
export function productTitle(product: {
  readonly brand: string | null;
  readonly name: string;
  readonly size: string | null;
}): string {
  const { brand, name, size } = product;
  const full = brand === null || name.toLowerCase().startsWith(brand.toLowerCase()) ? name : `${brand} ${name}`;
  return size === null ? full : `${full}, ${size}`;
}

function alternate({ view, document }: Pick<NewsSubject, 'view' | 'document'>, { address, hasPage }: NewsAddresses) {
  return hasPage
    ? link({ rel: 'alternate', type: 'text/html', href: `${address(pathOf('explorer'))}${view}` })
    : link({ rel: 'alternate', type: jsonMediaType, href: address(document) });
}

function capital(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}
