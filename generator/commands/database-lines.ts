import { countOf, countText } from '../contract/counts.ts';
import type { QuarantinedRow } from '../database/publications.ts';
import { printable } from '../failure.ts';
import type { DatabaseReport, RetentionReport } from '../inspect/database-report.ts';
import { aboutLine } from './about-line.ts';
import { tableLines } from './table.ts';
import { sizeText } from './units.ts';
import { warningWords } from './warning-words.ts';

/** Reasons for which rows were set aside that a report lists. `--quarantine` lists every row. */
const shownReasons = 10;

/** A database as `inspect` prints it for people. */
export function databaseLines(report: DatabaseReport): string[] {
  const { file, bytes, schema_version, publications } = report;
  const summary = `${file}: ${countOf(publications.length, 'publication')}, ${sizeText(bytes)}, schema version ${schema_version}`;
  const about = aboutLine(report.about);
  return [
    summary,
    about,
    '',
    ...publicationTable(report),
    '',
    ...retentionLines(report.retention),
    ...setAsideLines(report),
  ];
}

function publicationTable({ publications }: DatabaseReport): string[] {
  const columns = [
    { title: 'publication', align: 'right' },
    { title: 'published at' },
    { title: 'revision' },
    { title: 'products', align: 'right' },
    { title: 'stores', align: 'right' },
    { title: 'pairs', align: 'right' },
    { title: 'events', align: 'right' },
    { title: 'warnings' },
  ] as const;
  const rows = publications.map(({ sequence, published_at, revision, products, stores, pairs, events, warnings }) => [
    String(sequence),
    published_at,
    revision,
    countText(products),
    countText(stores),
    countText(pairs),
    countText(events),
    warningWords(warnings),
  ]);
  return tableLines(columns, rows);
}

function retentionLines(retention: RetentionReport | null): string[] {
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
        `  publication ${publication}, ${file}: ${countOf(rows, 'row')}: ${printable(reason)}`,
    );
  const left = set_aside.length - shown.length;
  const more = left > 0 ? [`  and ${countOf(left, 'more reason')}; --quarantine prints every row`] : [];
  return [`rows set aside by publish: ${countText(total)}`, ...shown, ...more];
}

/** A row that was set aside, as `inspect --quarantine` prints it for people: its place and reason, then its text. */
export function quarantinedRowLines({ publication, file, line, reason, text }: QuarantinedRow): string[] {
  const place = line === null ? file : `${file}, line ${line}`;
  return [`publication ${publication}, ${place}: ${printable(reason)}`, `  ${printable(text)}`];
}
