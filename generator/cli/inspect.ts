import type { Command } from 'commander';
import type { About } from '../../contract/schemas/metadata.ts';
import { shortened } from '../../contract/text.ts';
import { type WarningCode, warningKinds } from '../../contract/warnings.ts';
import type { QuarantinedRow } from '../database/publications.ts';
import { countOf, countText } from '../files/failure.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { publicationText, sizeText, tableLines } from '../terminal/texts.ts';
import { type AddressReport, firstDifferences, inspectAddress } from '../verify/inspect/address-report.ts';
import { type DatabaseReport, inspectDatabase, visitQuarantinedRows } from '../verify/inspect/database-report.ts';
import { holderKind } from '../verify/inspect/holder.ts';
import { inspectSite, type SiteReport } from '../verify/inspect/site-report.ts';

type Options = { quarantine: boolean; against?: string };

/** `inspect DB` and `inspect SITE` show the content, `inspect SITE ADDRESS` where an answer comes from. */
export function defineInspect(command: Command, output: Output): void {
  command
    .argument('<path>', 'publication database, or folder of a site or of a mirror')
    .argument(
      '[address]',
      'site only: an address such as /v1/metadata, to see which unit of the build made it, from what, and why',
    )
    .option('--against <folder>', 'with an address: show the first field that differs from this other site')
    .option('--quarantine', 'database only: print every row that was set aside, and nothing else', false)
    .option('--json', 'print one JSON object; with --quarantine, one per row', false)
    .action((path: string, address: string | undefined, options: Options) => {
      if (options.against !== undefined && address === undefined) command.error('error: --against needs an address');
      if (address !== undefined) inspectOneAddress(path, address, options, output);
      else if (holderKind(path) === 'database') inspectDatabaseFile(path, options, output);
      else if (options.quarantine) command.error('error: --quarantine needs a database: a site has no rows set aside');
      else {
        const report = inspectSite(path);
        output.result(report, siteLines(report));
      }
    });
  withExample(
    command,
    'shelfpress inspect publication.sqlite',
    'shelfpress inspect dist',
    'shelfpress inspect dist /v1/brands',
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

/** How many reasons for setting rows aside are shown. `--quarantine` lists every row. */
const shownReasons = 10;

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
  const { history_days, publication_days, retained_publications, next_to_expire } = retention;
  const { exports, events } = next_to_expire;
  const next = [
    exports && `the exports of publication ${exports.sequence}, at the first publication after ${exports.after}`,
    events && `the change events of publication ${events.sequence}, at the first publication after ${events.after}`,
  ].filter((text) => text !== null);
  return [
    `retention: change events ${countOf(history_days, 'day')}, exports ${countOf(publication_days, 'day')}; sites keep the exports of ${countOf(retained_publications, 'publication')}`,
    ...next.map((text) => `next to expire: ${text}`),
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

function quarantinedRowLines({ publication, file, line, reason, text }: QuarantinedRow): string[] {
  const place = line === null ? file : `${file}, line ${line}`;
  return [`publication ${publication}, ${place}: ${reason}`, `  ${text}`];
}

function siteLines(report: SiteReport): string[] {
  const { folder, mirror, publications, objects, answers, totals } = report;
  const current = publications.find((publication) => publication.current);
  return [
    `${folder}: ${mirror ? mirrorText(mirror) : 'a built site'} of ${current ? publicationText(current) : 'no publication'}`,
    ...currentLines(report),
    `documents: ${sequencesText(publications.filter(({ documents }) => documents))}`,
    `exports: ${sequencesText(publications.filter(({ exports }) => exports))}`,
    `objects: ${countText(objects.count)}, ${sizeText(objects.bytes)}; plus ${countText(objects.of_tables)} for route tables`,
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
  return `a ${only ? 'partial ' : ''}mirror of ${source}${part ?? ''}${unfinished ? ', last run unfinished,' : ''}`;
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

/** `of publications 12, 11 and 10`, newest first; a long list is shortened. */
function sequencesText(publications: SiteReport['publications']): string {
  const numbers = publications.map(({ sequence }) => String(sequence));
  if (numbers.length === 0) return 'of no publication';
  if (numbers.length === 1) return `of publication ${numbers[0]}`;
  if (numbers.length > 5) return `of ${numbers.length} publications, from ${numbers.at(-1)} to ${numbers[0]}`;
  return `of publications ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

function checkoutText({ checkout: { link, is_current } }: SiteReport): string {
  if (link === null) return 'none, so plain servers find no files';
  return is_current ? 'of the current publication' : `expected the one of the current publication, got ${link}`;
}

function signatureText({ signature: { keys, problem } }: SiteReport): string {
  if (problem !== null) return `faulty: ${problem}`;
  return keys.length === 0 ? 'none' : `by key ${keys.join(', ')}`;
}

function addressLines({ folder, route, unit }: AddressReport): string[] {
  const { path, size, sha256, last_modified, cache, last_sequence } = route;
  const answer = `${folder} ${path}: ${sizeText(size)}, SHA-256 ${sha256}, last modified ${last_modified}, ${cache}`;
  if (last_sequence !== undefined) {
    return [answer, `  kept for readers of publication ${last_sequence}, the last one with this address`];
  }
  if (unit === null) return [answer, '  no build ledger in this folder, so its unit is unknown'];
  const inputs = Object.entries(unit.inputs).map(([name, value]) => `${name}=${value}`);
  return [
    answer,
    `  made by the unit '${unit.name}' in publication ${unit.made}: ${unit.why}`,
    ...(unit.isKept ? ['  kept by the last build: the same inputs, and everything it wrote was still there'] : []),
    `  inputs: ${inputs.join(', ')}`,
  ];
}

function differenceLines({ input, field }: ReturnType<typeof firstDifferences>): string[] {
  return Object.entries({ input, field }).map(([what, found]) =>
    found
      ? `first ${what} that differs: ${found.field || 'the whole'}: ${found.values.map((value) => shortened(value, 200)).join(' and ')}`
      : `no ${what} differs`,
  );
}

function aboutLine(about: About | null): string {
  if (about === null) return 'about: nothing stated';
  const { title, agency, license } = about;
  const of = agency === null ? '' : `, as reported by ${agency}`;
  return `about: ${title ?? 'no title'}${of}; ${license === null ? 'no license' : `license ${license.name}`}`;
}

/** `fixture data, failed retrievals`, or `none`. */
function warningWords(codes: readonly WarningCode[]): string {
  return codes.length === 0 ? 'none' : codes.map((code) => warningKinds[code].short).join(', ');
}
