import { basename } from 'node:path';
import type { Command } from 'commander';
import { displayPrice } from '../../contract/profile.ts';
import { type WarningCode, warningKinds } from '../../contract/warnings.ts';
import type { Connection } from '../database/connection.ts';
import { usePublicationDatabase } from '../database/database-file.ts';
import {
  type NamedProduct,
  type PublicationDetails,
  type PublicationSummary,
  publicationDetails,
  publicationSummary,
  type SetAsideRows,
} from '../database/publication-summary.ts';
import type { Publication } from '../database/publications.ts';
import { countOf, countText, Failure } from '../files/failure.ts';
import { expandedPaths } from '../files/path-patterns.ts';
import { type CorrectionRequest, isCorrection, parseReason, unchangedParts } from '../publish/correction.ts';
import { type GuardName, guardNames } from '../publish/guards/guards.ts';
import type { PublishProgress } from '../publish/next-publication.ts';
import { AlreadyPublished, type PublishOptions, publishSnapshot } from '../publish/publish.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { collect, collectOneOf, parsedArgument, requireOption } from './options.ts';

type Options = GuardOptions & {
  db: string;
  quarantine: boolean;
  skipPublished: boolean;
  checkDatabase: boolean;
  corrects?: string[];
  reason?: string;
};

/** Makes one publication from each snapshot folder, in the order given. */
export function definePublish(command: Command, output: Output): void {
  command
    .argument('<snapshot...>', 'snapshot folders, oldest first')
    .option('--quarantine', 'set faulty rows aside (at most 1 % of a file) instead of refusing the snapshot', false);
  requireOption(command, '--db <file>', 'publication database; created if it does not exist', 'publication.sqlite');
  addGuardOptions(command);
  command
    .option('--skip-published', 'skip snapshots that are already published', false)
    .option(
      '--check-database',
      'before publishing, also check the references between the tables of the database',
      false,
    );
  addCorrectionOptions(command);
  command
    .option('--json', 'print one JSON object per publication', false)
    .action(async (paths: string[], { db, checkDatabase, skipPublished, corrects, reason, ...options }: Options) => {
      const folders = expandedPaths(paths);
      const correction = correctionIn(command, folders, corrects, reason);
      const settings = { quarantine: options.quarantine, correction, ...guardSettings(options) };
      output.progress('checking the database', 0, 1);
      const warned = folders.length === 1 ? null : new Map<WarningCode, number[]>();
      await usePublicationDatabase(db, checkDatabase ? 'full' : 'usual', async (connection) => {
        for (const [index, folder] of folders.entries()) {
          const place = folders.length === 1 ? '' : ` (${index + 1} of ${folders.length})`;
          const progress: PublishProgress = (stage, done, total) =>
            output.progress(`${basename(folder)}${place}, ${stage}`, done, total);
          const facts = await publishFolder(connection, folder, { ...settings, skipPublished, progress }, output);
          if ('skipped' in facts) output.result(facts, [skippedLine(facts)]);
          else output.result(facts, publishedLines(facts, correction, warned === null, output.isQuiet));
          if (warned === null || 'skipped' in facts) continue;
          for (const code of facts.warnings) warned.set(code, [...(warned.get(code) ?? []), facts.sequence]);
        }
      });
      if (warned !== null && !output.isJson) for (const line of warnedLines(warned)) output.line(line);
    });
  withExample(command, 'shelfpress publish fixtures/*-*/ --db publication.sqlite');
}

export function addCorrectionOptions(command: Command): void {
  command
    .option(
      '--corrects <revision>',
      'mark the publication with this revision as wrong, and corrected by the new one; repeatable',
      collect,
    )
    .option(
      '--reason <text>',
      'with --corrects: what was wrong, for readers; 1 to 1000 characters',
      parseReasonArgument,
    );
}

/** A correction consists of one snapshot and a reason. Null without these options. */
export function correctionIn(
  command: Command,
  folders: readonly string[],
  revisions: readonly string[] | undefined,
  reason: string | undefined,
): CorrectionRequest | null {
  if (revisions === undefined && reason === undefined) return null;
  if (revisions === undefined)
    command.error('error: --reason says why a publication is corrected: expected --corrects too');
  if (reason === undefined) command.error('error: --corrects needs a reason for readers: expected --reason too');
  if (folders.length > 1)
    command.error(`error: --corrects needs a single snapshot: expected 1 folder, got ${folders.length}`);
  return { revisions, reason };
}

function parseReasonArgument(text: string): string {
  return parsedArgument(() => parseReason(text));
}

type SkippedFacts = {
  readonly snapshot: string;
  readonly skipped: true;
  readonly sequence: number;
  readonly revision: string;
};

export type PublishedFacts = {
  readonly snapshot: string;
  readonly corrects: readonly string[];
} & Pick<Publication, 'sequence' | 'revision' | 'published_at' | 'last_event' | 'warnings'> &
  PublicationSummary &
  PublicationDetails;

/** `skipPublished`: a published snapshot is not a failure. */
export async function publishFolder(
  connection: Connection,
  folder: string,
  { skipPublished, ...options }: PublishOptions & { readonly skipPublished: boolean },
  output: Output,
): Promise<PublishedFacts | SkippedFacts> {
  const { correction = null } = options;
  try {
    const publication = await publishSnapshot(connection, folder, options);
    return publishedFacts(connection, folder, publication, correction, output);
  } catch (error) {
    if (!skipPublished || !(error instanceof AlreadyPublished)) throw error;
    if (correction !== null && !isCorrection(connection, error.publication, correction)) {
      throw new Failure('correction', `${error.message}, with a different correction or none: nothing was corrected`);
    }
    const { sequence, revision } = error.publication;
    return { snapshot: folder, skipped: true, sequence, revision };
  }
}

function publishedFacts(
  connection: Connection,
  folder: string,
  publication: Publication,
  correction: CorrectionRequest | null,
  output: Output,
): PublishedFacts {
  const { sequence, revision, published_at, last_event, warnings } = publication;
  const summary = publicationSummary(connection, publication);
  const head = { text: `${folder}:`, style: 'yellow' } as const;
  for (const line of setAsideLines(summary.set_aside)) output.error(line, head);
  for (const part of correction === null ? [] : unchangedParts(connection, publication, correction)) {
    output.error(
      `the ${part} of the corrected publication stay as they are, because the snapshot has no ${part}`,
      head,
    );
  }
  const corrects = correction?.revisions ?? [];
  const details = publicationDetails(connection, publication);
  const ids = { snapshot: folder, sequence, revision, published_at, last_event, warnings, corrects };
  return { ...ids, ...summary, ...details };
}

function skippedLine({ snapshot, sequence, revision }: SkippedFacts): string {
  return `skipped ${snapshot}, which is publication ${sequence}, revision ${revision}`;
}

function publishedLines(
  facts: PublishedFacts,
  correction: CorrectionRequest | null,
  withWarnings: boolean,
  isQuiet: boolean,
): string[] {
  const { snapshot, sequence, revision, published_at, corrects } = facts;
  const changes = isQuiet ? [] : [...summaryLines(facts, withWarnings ? facts.warnings : []), ...moveLines(facts)];
  return [
    `published ${snapshot} as publication ${sequence}, revision ${revision}, ${published_at}`,
    ...(correction ? [`  corrects ${corrects.join(', ')}: ${correction.reason}`] : []),
    ...changes.map((line) => `  ${line}`),
  ];
}

function warnedLines(warned: ReadonlyMap<WarningCode, readonly number[]>): string[] {
  return [...warned].map(([code, sequences]) => {
    const which = `${sequences.length === 1 ? 'publication' : 'publications'} ${sequences.join(', ')}`;
    return `warning ${code}: ${warningKinds[code].publishing}; ${which}`;
  });
}

export type GuardOptions = {
  readonly accept?: readonly (GuardName | 'all')[];
  readonly acceptShrink: boolean;
  readonly acceptFuture: boolean;
};

export function addGuardOptions(command: Command): void {
  const guards = [...guardNames, 'all'] as const;
  command
    .option(
      '--accept <guard>',
      'publish even though this guard (or with "all", any guard) would stop it; repeatable; shelfpress help guards lists them',
      collectOneOf(guards),
    )
    .option('--accept-shrink', 'short for --accept catalog --accept inventory', false)
    .option('--accept-future', 'short for --accept future', false);
}

/** The accepted guards, and the latest time that does not count as the future. */
export function guardSettings({
  accept = [],
  acceptShrink,
  acceptFuture,
}: GuardOptions): Pick<Required<PublishOptions>, 'accept' | 'notAfter'> {
  const shrink: readonly GuardName[] = acceptShrink ? ['catalog', 'inventory'] : [];
  const future: readonly GuardName[] = acceptFuture ? ['future'] : [];
  const accepted = accept.includes('all') ? guardNames : guardNames.filter((name) => accept.includes(name));
  return { accept: [...accepted, ...shrink, ...future], notAfter: aDayFromNow() };
}

/** A collector's clock can be wrong by hours, or by a time zone; anything further ahead is a mistake. */
function aDayFromNow(): string {
  return `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;
}

export function summaryLines(summary: PublicationSummary, warnings: readonly WarningCode[]): string[] {
  const { products, stores, categories, retrievals, unchanged_parts: unchanged } = summary;
  const asked = retrievals.succeeded + retrievals.failed;
  const checked = countOf(summary.pairs_checked, 'pair');
  return [
    `products: ${countsText(products) || 'none changed'}`,
    ...Object.entries({ stores, categories }).flatMap(([what, counts]) => {
      const text = countsText(counts);
      return text === '' ? [] : [`${what}: ${text}`];
    }),
    ...(asked === 0
      ? []
      : [`inventory: ${countOf(asked, 'product')} requested, ${retrievals.failed} failed; ${checked} checked`]),
    eventsLine(summary.events),
    ...(unchanged.length === 0 ? [] : [`delivered again without any change: ${unchanged.join(', ')}`]),
    ...warnings.map((code) => `warning ${code}: ${warningKinds[code].publishing}`),
  ];
}

/** `3 new, 1 gone, 12 repriced`, or nothing. */
function countsText(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([what, count]) => `${countText(count)} ${what.replace('_', ' ')}`).join(', ');
}

function eventsLine(events: PublicationSummary['events']): string {
  const counts = Object.entries(events);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return 'events: none';
  return `events: ${countText(total)} (${counts.map(([type, count]) => `${type} ${countText(count)}`).join(', ')})`;
}

/** A line for each file of a snapshot that has rows set aside. */
export function setAsideLines(files: readonly SetAsideRows[]): string[] {
  return files.map(({ file, rows, line, reason }) => {
    const place = line === null ? '' : ` (line ${line})`;
    return `${file}: ${countOf(rows, 'row')} set aside; the first${place}: ${reason}`;
  });
}

export function detailLines(details: PublicationDetails, { products }: PublicationSummary): string[] {
  const { new_products: added, gone_products: gone } = details;
  return [
    ...block('new', added.map(productName), products.new),
    ...block('gone', gone.map(productName), products.gone),
    ...moveTexts(details).flatMap(({ title, texts }) => block(title, texts)),
  ];
}

/** A line for each thing that is gone and each largest move. A misread unit shows there first. */
export function moveLines(details: PublicationDetails): string[] {
  const kinds = [
    { title: 'gone', texts: details.gone_products.map(productName) },
    {
      title: 'emptied',
      texts: details.emptied_stores.map(
        ({ store, before, now }) => `store ${store} has ${countText(now)} of ${countText(before)} rows`,
      ),
    },
    ...moveTexts(details),
  ];
  return kinds.flatMap(({ title, texts }) => (texts.length === 0 ? [] : [`${title}: ${texts.slice(0, 3).join('; ')}`]));
}

function moveTexts({ currency, price_moves: prices, quantity_moves: quantities }: PublicationDetails) {
  const price = (amount: number | null) => (amount === null ? 'no price' : displayPrice(amount, currency));
  const quantity = (count: number | null) => (count === null ? 'no row' : countText(count));
  return [
    {
      title: 'largest price moves',
      texts: prices.map(({ before, now, ...product }) => `${productName(product)}: ${price(before)} to ${price(now)}`),
    },
    {
      title: 'largest quantity moves',
      texts: quantities.map(
        ({ store, before, now, ...product }) =>
          `${productName(product)} in ${store}: ${quantity(before)} to ${quantity(now)}`,
      ),
    },
  ];
}

function productName({ sku, name }: NamedProduct): string {
  return `${sku} ${name}`;
}

/** Lines below a title. If `lines` are only the first of more, the title says how many there are in all. */
function block(title: string, lines: readonly string[], total = lines.length): string[] {
  const share = total > lines.length ? ` (the first ${lines.length} of ${countText(total)})` : '';
  return lines.length === 0 ? [] : [`${title}${share}:`, ...lines.map((line) => `  ${line}`)];
}
