import { exportResource } from '../../contract/columns/export.ts';
import { atomMediaType, jsonMediaType, ndjsonMediaType } from '../../contract/headers.ts';
import { type Addresser, formatPath } from '../../contract/paths.ts';
import type { Correction } from '../../contract/schemas/change.ts';
import { type DataLicense, statedLicense } from '../../contract/schemas/data-package.ts';
import { serviceName, siteStatement } from '../../contract/schemas/metadata.ts';
import { warningKinds } from '../../contract/warnings.ts';
import type { Publication } from '../database/publications.ts';
import { atomFeed, author, feedId, link, text } from './atom.ts';
import { correctionStatement } from './corrections.ts';
import type { State } from './state.ts';

/**
 * The retained publications as an Atom feed (RFC 4287), newest first. The id of an entry is its revision. A correction
 * updates an entry. `chosenLicense`: null for the curation's license. Feed readers accept only links to HTML, so
 * entries link to the explorer if the site has one.
 */
export function publicationsFeed(
  state: State,
  retained: readonly Publication[],
  { address, hasExplorer }: { readonly address: Addresser; readonly hasExplorer: boolean },
  chosenLicense: DataLicense | null,
): Uint8Array {
  const about = state.aboutAt(state.publication.sequence);
  const license = chosenLicense ?? statedLicense(about);
  const page = hasExplorer ? address(formatPath('explorer')) : null;
  return atomFeed([
    text('id', feedId('publications', state)),
    text('title', `Publications of ${about?.title ?? `the ${serviceName}`}`),
    text('subtitle', siteStatement(state.profile)),
    text('updated', state.publication.published_at),
    author(about),
    ...(license ? [text('rights', license.path ? `${license.name}, ${license.path}` : license.name)] : []),
    link({ rel: 'self', type: atomMediaType, href: address(formatPath('publications_feed')) }),
    link({ rel: 'alternate', type: jsonMediaType, href: address(formatPath('publications')) }),
    ...(page === null ? [] : [link({ rel: 'alternate', type: 'text/html', href: page })]),
    ...retained.map((publication) => entry(state, publication, address, page && `${page}#/changes`)),
  ]);
}

function entry(state: State, publication: Publication, address: Addresser, page: string | null): string {
  const { revision, sequence, published_at } = publication;
  const correction = correctionStatement(publication, state);
  const lines = [
    '<entry>',
    text('id', `urn:uuid:${revision}`),
    text('title', `Publication ${sequence}`),
    text('updated', correction?.corrected_at ?? published_at),
    text('published', published_at),
    link({ rel: 'alternate', type: jsonMediaType, href: address(formatPath('export_package', { revision })) }),
    ...(page === null ? [] : [link({ rel: 'alternate', type: 'text/html', href: page })]),
    ...exportResource.options.map((resource) => {
      const href = address(formatPath('export', { revision, resource }));
      return link({ rel: 'enclosure', type: ndjsonMediaType, href, title: resource });
    }),
    text('content', entryContent(state, publication, correction), { type: 'text' }),
    '</entry>',
  ];
  return lines.join('\n');
}

function entryContent(state: State, publication: Publication, correction: Correction | null): string {
  const { sequence, product_count, store_count, inventory_pair_count, last_event, warnings } = publication;
  const before = sequence === 1 ? 0 : state.publicationAt(sequence - 1).last_event;
  const sentences = [
    `${counted(product_count, 'product')}, ${counted(store_count, 'store')}, ${counted(inventory_pair_count, 'observed pair')} of a product and a store.`,
    `${counted(last_event - before, 'new change event')}.`,
    ...warnings.map((code) => `${code}: ${warningKinds[code].meaning}.`),
    ...(correction
      ? [`Corrected by the publication of revision ${correction.corrected_by_revision}: ${correction.reason}`]
      : []),
  ];
  return sentences.join(' ');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
