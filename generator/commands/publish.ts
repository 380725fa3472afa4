import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Connection } from '../database/connection.ts';
import { usePublicationDatabase } from '../database/database-file.ts';
import { publicationSummary } from '../database/publication-summary.ts';
import type { Publication } from '../database/publications.ts';
import { Failure } from '../failure.ts';
import { type CorrectionRequest, isCorrection, parseReason, unchangedParts } from '../publish/correction.ts';
import type { PublishProgress } from '../publish/draft.ts';
import { AlreadyPublished, publishSnapshot } from '../publish/publish.ts';
import { type Output, withExample } from './command-line.ts';
import { addGuardOptions, type GuardOptions, guardSettings } from './guard-options.ts';
import { collect, parsedArgument } from './options.ts';
import { setAsideLines, summaryLines } from './publication-lines.ts';

type Options = GuardOptions & {
  db: string;
  quarantine: boolean;
  skipPublished: boolean;
  checkDatabase: boolean;
  corrects?: string[];
  reason?: string;
  json: boolean;
};

/** `publish SNAPSHOT... --db FILE`: each snapshot folder becomes one publication, in the order given. */
export function definePublish(command: Command, output: Output): void {
  command
    .argument('<snapshot...>', 'snapshot folders, oldest first')
    .requiredOption('--db <file>', 'publication database; created if missing')
    .option('--quarantine', 'set faulty rows aside (at most 1 % of a file) instead of refusing the snapshot', false);
  addGuardOptions(command);
  command
    .option('--skip-published', 'pass over snapshots that were published before', false)
    .option(
      '--check-database',
      'before publishing, also check the references between the tables of the database',
      false,
    );
  addCorrectionOptions(command);
  command
    .option('--json', 'print one JSON object per publication', false)
    .action(
      async (folders: string[], { db, checkDatabase, skipPublished, corrects, reason, json, ...options }: Options) => {
        const correction = correctionIn(command, folders, corrects, reason);
        const settings = { quarantine: options.quarantine, correction, ...guardSettings(options) };
        output.progress('checking the database', 0, 1);
        await usePublicationDatabase(db, checkDatabase ? 'full' : 'usual', async (connection) => {
          for (const [index, folder] of folders.entries()) {
            const place = folders.length === 1 ? '' : ` (${index + 1} of ${folders.length})`;
            const progress: PublishProgress = (stage, done, total) =>
              output.progress(`${basename(folder)}${place}, ${stage}`, done, total);
            try {
              report(
                connection,
                folder,
                await publishSnapshot(connection, folder, { ...settings, progress }),
                correction,
                json,
                output,
              );
            } catch (error) {
              if (!skipPublished || !(error instanceof AlreadyPublished)) throw error;
              if (correction !== null && !isCorrection(connection, error.publication, correction)) {
                throw new Failure(`${error.message}, which is another correction or none: nothing was corrected`);
              }
              const { sequence, revision } = error.publication;
              if (json) output.json({ snapshot: folder, skipped: true, sequence, revision });
              else output.line(`skipped ${folder}, which is publication ${sequence}, revision ${revision}`);
            }
          }
        });
      },
    );
  withExample(command, 'shelfpress publish fixtures/*-*/ --db publication.sqlite');
}

export function addCorrectionOptions(command: Command): void {
  command
    .option(
      '--corrects <revision>',
      'say that the publication of this revision is wrong and that this one corrects it; repeatable',
      collect,
    )
    .option(
      '--reason <text>',
      'with --corrects: what was wrong, for readers; 1 to 1000 characters',
      parseReasonArgument,
    );
}

/** The correction that the options describe; null without any. A correction is of one snapshot and has a reason. */
export function correctionIn(
  command: Command,
  folders: readonly string[],
  revisions: readonly string[] | undefined,
  reason: string | undefined,
): CorrectionRequest | null {
  if (revisions === undefined && reason === undefined) return null;
  if (revisions === undefined) command.error('error: --reason is the reason of a correction: expected --corrects too');
  if (reason === undefined) command.error('error: --corrects needs a reason for readers: expected --reason too');
  if (folders.length > 1)
    command.error(`error: --corrects is of one snapshot: expected 1 folder, got ${folders.length}`);
  return { revisions, reason };
}

function parseReasonArgument(text: string): string {
  return parsedArgument(() => parseReason(text));
}

function report(
  connection: Connection,
  folder: string,
  publication: Publication,
  correction: CorrectionRequest | null,
  json: boolean,
  output: Output,
): void {
  const { sequence, revision, published_at, last_event, warnings } = publication;
  const summary = publicationSummary(connection, publication);
  for (const line of setAsideLines(summary.set_aside)) output.error(`${output.colour(folder, 'yellow')}: ${line}`);
  for (const part of correction === null ? [] : unchangedParts(connection, publication, correction)) {
    const text = `the ${part} of the corrected publication stay as they are, because the snapshot has no ${part}`;
    output.error(`${output.colour(folder, 'yellow')}: ${text}`);
  }
  if (json) {
    const corrects = correction?.revisions ?? [];
    output.json({ snapshot: folder, sequence, revision, published_at, last_event, warnings, corrects, ...summary });
    return;
  }
  output.line(`published ${folder} as publication ${sequence}, revision ${revision}, ${published_at}`);
  if (correction) output.line(`  corrects ${correction.revisions.join(', ')}: ${correction.reason}`);
  for (const line of summaryLines(summary, warnings)) output.line(`  ${line}`);
}
