import { atomMediaType, jsonMediaType } from '../../contract/headers.ts';
import { compareInstants } from '../../contract/instant.ts';
import { type Addresser, formatPath } from '../../contract/paths.ts';
import { siteStatement } from '../../contract/schemas/metadata.ts';
import type { NewsRow } from '../database/news.ts';
import { atomFeed, author, feedId, link, text } from './atom.ts';
import { correctionStatement } from './corrections.ts';
import { newsText } from './news-text.ts';
import type { State } from './state.ts';

/** `name` is unique among all feeds. `view`: the view in the explorer. `document`: the path of the JSON document. */
export type NewsSubject = {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly view: string;
  readonly document: string;
};

/** Entries link to the explorer if the site has one. */
export type NewsAddresses = { readonly address: Addresser; readonly hasExplorer: boolean };

/**
 * The news of a product, or of the products of a brand or category, as an Atom feed (RFC 4287). The id of an entry is
 * the id of its event. A correction of its publication updates an entry. `rows`: newest first.
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
    text('subtitle', siteStatement(state.profile)),
    // A feed stays for its subscribers when all its events have expired.
    text('updated', updated.at(-1) ?? state.tracking_started_at),
    author(state.aboutAt(state.publication.sequence)),
    link({ rel: 'self', type: atomMediaType, href: addresses.address(subject.path) }),
    alternate(subject, addresses),
    ...news.map(({ row, updated, note }) => entry(row, updated, note, addresses)),
  ]);
}

/** When an event was published or last corrected, and a note about the correction. */
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
  const sentence = newsText(row);
  const name = productTitle({ brand: row.brand_name, name: row.product_name, size: row.package_display });
  return [
    '<entry>',
    text('id', `urn:uuid:${id}`),
    text('title', `${name}: ${sentence}`),
    text('updated', updated),
    alternate(productPlaces(row.product_id, sku), addresses),
    text('content', `${capital(sentence)}. SKU ${sku}, retrieved ${retrieved_at}.${note}`, { type: 'text' }),
    '</entry>',
  ].join('\n');
}

export function productPlaces(id: string, sku: string): Pick<NewsSubject, 'view' | 'document'> {
  return { view: `#/product/${sku}`, document: formatPath('product', { product_id: id }) };
}

/** A product in the title of an entry, such as `Old Mill Gin, 750 mL`. */
export function productTitle(product: {
  readonly brand: string | null;
  readonly name: string;
  readonly size: string | null;
}): string {
  const { brand, name, size } = product;
  const full = brand === null || name.toLowerCase().startsWith(brand.toLowerCase()) ? name : `${brand} ${name}`;
  return size === null ? full : `${full}, ${size}`;
}

function alternate(
  { view, document }: Pick<NewsSubject, 'view' | 'document'>,
  { address, hasExplorer }: NewsAddresses,
) {
  return hasExplorer
    ? link({ rel: 'alternate', type: 'text/html', href: `${address(formatPath('explorer'))}${view}` })
    : link({ rel: 'alternate', type: jsonMediaType, href: address(document) });
}

function capital(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}
