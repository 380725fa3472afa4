import type { Command } from 'commander';
import type { About } from '../../contract/documents/metadata.ts';
import type { WarningCode } from '../../contract/primitives.ts';
import { shortened } from '../../contract/text.ts';
import type { QuarantinedRow } from '../database/publications.ts';
import { countOf, countText } from '../files/failure.ts';
import { type AddressReport, firstDifferences, inspectAddress } from '../verify/inspect/address-report.ts';
import { type DatabaseReport, inspectDatabase, visitQuarantinedRows } from '../verify/inspect/database-report.ts';
import { kindOfHolder } from '../verify/inspect/holder.ts';
import { inspectSite, type SiteReport } from '../verify/inspect/site-report.ts';
import { type Output, publicationText, sizeText, tableLines, withExample } from './command-line.ts';

type Options = { quarantine: boolean; against?: string };

/** `inspect DB` or `inspect SITE`: what a database or a site holds; `inspect SITE ADDRESS`: where an answer comes from. */
export function defineInspect(command: Command, output: Output): void {
  command
    .argument('<path>', 'publication database, or folder of a site or of a mirror')
    .argument(
      '[address]',
      'site only: an address, such as /v1/metadata: which unit of the build made it, of what, and why',
    )
    .option('--against <folder>', 'with an address: another site, for the first field that differs')
    .option('--quarantine', 'database only: print every row that was set aside, and nothing else', false)
    .option('--json', 'print one JSON object; with --quarantine, one per row', false)
    .action((path: string, address: string | undefined, options: Options) => {
      if (options.against !== undefined && address === undefined)
        command.error('error: --against goes with an address');
      if (address !== undefined) inspectOneAddress(path, address, options, output);
      else if (kindOfHolder(path) === 'database') inspectDatabaseFile(path, options, output);
      else if (options.quarantine) command.error('error: --quarantine is for a database: a site has no rows set aside');
      else {
        const report = inspectSite(path);
        output.result(report, siteLines(report));
      }
    });
  withExample(
    command,
    'shelfpress inspect publication.sqlite',
    'shelfpress inspect site',
    'shelfpress inspect site /v1/brands',
  );
}

function inspectDatabaseFile(file: string, { quarantine }: Options, output: Output): void {
  if (quarantine) {
    visitQuarantinedRows(file, (row) => output.result(row, quarantinedRowLines(row)));
    return;
  }
  const report = inspectDatabase(file);
  output.result(report, databaseLines(report));
}

function inspectOneAddress(folder: string, address: string, { against }: Options, output: Output): void {
  const report = inspectAddress(folder, address);
  const other = against === undefined ? null : inspectAddress(against, address);
  const differences = other && firstDifferences(report, other);
  output.result({ ...report, ...(other ? { against: other, first_differences: differences } : {}) }, [
    ...[report, ...(other ? [other] : [])].flatMap(addressLines),
    ...(differences ? differenceLines(differences) : []),
  ]);
}

/** Reasons for which rows were set aside that a report lists. `--quarantine` lists every row. */
const shownReasons = 10;

/** A database as `inspect` prints it for people. */
function databaseLines(report: DatabaseReport): string[] {
  const { file, bytes, schema_version, publications } = report;
  return [
    `${file}: ${countOf(publications.length, 'publication')}, ${sizeText(bytes)}, schema version ${schema_version}`,
    aboutLine(report.about),
    '',
    ...tableLines(publications, [
      ['publication', ({ sequence }) => String(sequence), 'right'],
      ['published at', ({ published_at }) => published_at],
      ['revision', ({ revision }) => revision],
      ['products', ({ products }) => countText(products), 'right'],
      ['stores', ({ stores }) => countText(stores), 'right'],
      ['pairs', ({ pairs }) => countText(pairs), 'right'],
      ['events', ({ events }) => countText(events), 'right'],
      ['warnings', ({ warnings }) => warningWords(warnings)],
    ]),
    '',
    ...retentionLines(report.retention),
    ...setAsideLines(report),
  ];
}

function retentionLines(retention: DatabaseReport['retention']): string[] {
  if (retention === null) return [];
  const { history_days, publication_days, retained_publications, leaves_next } = retention;
  const { exports, events } = leaves_next;
  const next = [
    exports && `the exports of publication ${exports.sequence}, with the first publication after ${exports.after}`,
    events && `the change events of publication ${events.sequence}, with the first publication after ${events.after}`,
  ].filter((text) => text !== null);
  return [
    `retention: change events ${countOf(history_days, 'day')}, exports ${countOf(publication_days, 'day')}; a site has the exports of ${countOf(retained_publications, 'publication')}`,
    ...next.map((text) => `next to leave: ${text}`),
  ];
}

function setAsideLines({ set_aside }: DatabaseReport): string[] {
  if (set_aside.length === 0) return ['rows set aside by publish: none'];
  const total = set_aside.reduce((sum, { rows }) => sum + rows, 0);
  const shown = set_aside
    .slice(0, shownReasons)
    .map(
      ({ publication, file, rows, reason }) =>
        `  publication ${publication}, ${file}: ${countOf(rows, 'row')}: ${reason}`,
    );
  const rest = set_aside.length - shown.length;
  const more = rest > 0 ? [`  and ${countOf(rest, 'more reason')}; --quarantine prints every row`] : [];
  return [`rows set aside by publish: ${countText(total)}`, ...shown, ...more];
}

/** A row that was set aside, as `inspect --quarantine` prints it for people: its place and reason, then its text. */
function quarantinedRowLines({ publication, file, line, reason, text }: QuarantinedRow): string[] {
  const place = line === null ? file : `${file}, line ${line}`;
  return [`publication ${publication}, ${place}: ${reason}`, `  ${text}`];
}

/** A site's folder as `inspect` prints it for people. */
function siteLines(report: SiteReport): string[] {
  const { folder, mirror, publications, objects, answers, totals } = report;
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
    ...tableLines<Pick<SiteReport['answers'][number], 'path' | keyof SiteReport['totals']>>(
      [...answers, { path: 'all', ...totals }],
      [
        ['answers', ({ path }) => path],
        ['routes', ({ routes }) => countText(routes), 'right'],
        ['size', ({ bytes }) => sizeText(bytes), 'right'],
        ['compressed', ({ compressed_bytes: bytes }) => (bytes === null ? '' : sizeText(bytes)), 'right'],
      ],
    ),
  ];
}

function mirrorText({ source, only, routes, route_count, unfinished }: NonNullable<SiteReport['mirror']>): string {
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
function sequencesText(publications: SiteReport['publications']): string {
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

/** Where an answer of a site comes from, as `inspect` prints it for people. */
function addressLines({ folder, route, unit }: AddressReport): string[] {
  const { path, size, sha256, last_modified, cache, last_sequence } = route;
  const answer = `${folder} ${path}: ${sizeText(size)}, SHA-256 ${sha256}, last modified ${last_modified}, ${cache}`;
  if (last_sequence !== undefined) {
    return [answer, `  kept for readers of publication ${last_sequence}, the last one that had the address`];
  }
  if (unit === null) return [answer, '  nothing is known of how it was made: no ledger of its build is here'];
  const inputs = Object.entries(unit.inputs).map(([name, value]) => `${name}=${value}`);
  return [
    answer,
    `  made by the unit '${unit.name}' in publication ${unit.made}: ${unit.why}`,
    ...(unit.isKept ? ['  kept by the last build: its inputs are the same, and all that it wrote was there'] : []),
    `  inputs: ${inputs.join(', ')}`,
  ];
}

/** The first differences between an address of two sites. */
function differenceLines({ input, field }: ReturnType<typeof firstDifferences>): string[] {
  return Object.entries({ input, field }).map(([what, found]) =>
    found
      ? `first ${what} that differs: ${found.field || 'the whole'}: ${found.values.map((value) => shortened(value, 200)).join(' and ')}`
      : `no ${what} differs`,
  );
}

/** What the operator states of the data, as `inspect` prints it: the title, the agency and the license. */
function aboutLine(about: About | null): string {
  if (about === null) return 'about: nothing stated';
  const { title, agency, license } = about;
  const of = agency === null ? '' : `, reports of ${agency}`;
  return `about: ${title ?? 'no title'}${of}; ${license === null ? 'no license' : `license ${license.name}`}`;
}

const words: Readonly<Record<WarningCode, string>> = {
  FIXTURE_DATA: 'fixture data',
  INVENTORY_COVERAGE_PARTIAL: 'pairs never checked',
  SOURCE_REFRESH_DELAYED: 'inventory older than the policy allows',
  UPSTREAM_PRODUCT_UNAVAILABLE: 'failed retrievals',
  SOURCE_SCHEMA_QUARANTINED: 'rows set aside',
  CATALOG_BATCH_OLD: 'old catalog',
};

/** The warnings of a publication as people read them: `fixture data, failed retrievals`; `none` without any. */
function warningWords(codes: readonly WarningCode[]): string {
  return codes.length === 0 ? 'none' : codes.map((code) => words[code]).join(', ');
}
