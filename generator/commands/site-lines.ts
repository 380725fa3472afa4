import { countOf, countText } from '../contract/counts.ts';
import type { MirrorReport, SitePublication, SiteReport } from '../inspect/site-report.ts';
import { aboutLine } from './about-line.ts';
import { publicationText } from './command-line.ts';
import { tableLines } from './table.ts';
import { sizeText } from './units.ts';
import { warningWords } from './warning-words.ts';

/** A site's folder as `inspect` prints it for people. */
export function siteLines(report: SiteReport): string[] {
  const { folder, mirror, publications, objects } = report;
  const current = publications.find((publication) => publication.current);
  return [
    `${folder}: ${mirror ? mirrorText(mirror) : 'a built site'} of ${current ? publicationText(current) : 'no publication'}`,
    ...currentLines(report),
    `documents: ${sequencesText(publications.filter(({ documents }) => documents))}`,
    `exports: ${sequencesText(publications.filter(({ exports }) => exports))}`,
    `objects: ${countText(objects.count)}, ${sizeText(objects.bytes)}; and ${countText(objects.of_tables)} of route tables`,
    `checkout: ${checkoutText(report)}`,
    `signature: ${signatureText(report)}`,
    '',
    ...answerTable(report),
  ];
}

function mirrorText({ source, only, routes, route_count, unfinished }: MirrorReport): string {
  const part = only && `, only ${only.join(' ')} (${countText(routes)} of ${countText(route_count)} resources)`;
  return `a ${only ? 'partial ' : ''}mirror of ${source}${part ?? ''}${unfinished ? ', whose last run did not finish,' : ''}`;
}

function currentLines({ current }: SiteReport): string[] {
  if (current === null) return [];
  const { about, counts, retention, warnings } = current;
  const things = [
    `${countOf(counts.products, 'product')} (${countText(counts.listed_products)} listed)`,
    countOf(counts.stores, 'store'),
    countOf(counts.inventory_pairs, 'pair'),
    countOf(counts.change_events, 'change event'),
  ];
  return [
    aboutLine(about),
    things.join(', '),
    `warnings: ${warningWords(warnings)}`,
    `retention: change events ${countOf(retention.history_days, 'day')}, exports ${countOf(retention.publication_days, 'day')}`,
  ];
}

/** `publications 12, 11 and 10`, newest first; a long list is cut. */
function sequencesText(publications: readonly SitePublication[]): string {
  const numbers = publications.map(({ sequence }) => String(sequence));
  if (numbers.length === 0) return 'of no publication';
  if (numbers.length === 1) return `of publication ${numbers[0]}`;
  if (numbers.length > 5) return `of ${numbers.length} publications, from ${numbers.at(-1)} to ${numbers[0]}`;
  return `of publications ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

function checkoutText({ checkout: { link, is_current } }: SiteReport): string {
  if (link === null) return 'none; plain servers find no files';
  return is_current ? 'of the current publication' : `expected that of the current publication, got ${link}`;
}

function signatureText({ signature: { keys, problem } }: SiteReport): string {
  if (problem !== null) return `does not fit: ${problem}`;
  return keys.length === 0 ? 'none' : `by key ${keys.join(', ')}`;
}

function answerTable({ answers, totals }: SiteReport): string[] {
  const columns = [
    { title: 'answers' },
    { title: 'routes', align: 'right' },
    { title: 'size', align: 'right' },
    { title: 'compressed', align: 'right' },
  ] as const;
  const rows = [...answers, { path: 'all', ...totals }].map(({ path, routes, bytes, compressed_bytes }) => [
    path,
    countText(routes),
    sizeText(bytes),
    compressed_bytes === null ? '' : sizeText(compressed_bytes),
  ]);
  return tableLines(columns, rows);
}
