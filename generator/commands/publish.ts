import type { Command } from 'commander';
import { usePublicationDatabase } from '../database/database-file.ts';
import { type CorrectionRequest, parseReason } from '../publish/correction.ts';
import { publishSnapshot } from '../publish/publish.ts';
import { collect, type Output, parsedArgument, withExample } from './command-line.ts';

type Options = {
  db: string;
  quarantine: boolean;
  acceptShrink: boolean;
  acceptFuture: boolean;
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
    .option('--quarantine', 'set faulty rows aside (at most 1 % of a file) instead of refusing the snapshot', false)
    .option('--accept-shrink', 'publish even if the catalog or inventory shrank implausibly', false)
    .option('--accept-future', 'publish even if published_at is more than a day ahead of the clock', false)
    .option(
      '--check-database',
      'before publishing, also check the references between the tables of the database',
      false,
    )
    .option(
      '--corrects <revision>',
      'say that the publication of this revision is wrong and that this one corrects it; repeatable',
      collect,
    )
    .option(
      '--reason <text>',
      'with --corrects: what was wrong, for readers; 1 to 1000 characters',
      parseReasonArgument,
    )
    .option('--json', 'print one JSON object per publication', false)
    .action(
      async (folders: string[], { db, acceptFuture, checkDatabase, corrects, reason, json, ...options }: Options) => {
        const notAfter = acceptFuture ? null : aDayFromNow();
        const correction = correctionIn(command, folders, corrects, reason);
        await usePublicationDatabase(db, checkDatabase ? 'full' : 'usual', async (connection) => {
          for (const [index, folder] of folders.entries()) {
            output.progress(`publishing ${folder}`, index, folders.length);
            const publication = await publishSnapshot(connection, folder, { ...options, notAfter, correction });
            const { sequence, revision, published_at, last_event, warnings } = publication;
            if (json) {
              const facts = { snapshot: folder, sequence, revision, published_at, last_event, warnings };
              output.json({ ...facts, corrects: correction?.revisions ?? [] });
            } else {
              output.line(`published ${folder} as publication ${sequence}, revision ${revision}, ${published_at}`);
              if (correction) output.line(`it corrects ${correction.revisions.join(', ')}: ${correction.reason}`);
            }
          }
        });
      },
    );
  withExample(command, 'shelfpress publish fixtures/*-*/ --db publication.sqlite');
}

/** The correction that the options describe; null without any. A correction is of one snapshot and has a reason. */
function correctionIn(
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

/**
 * The latest time that a publication may have. A collector's clock may be wrong by hours, or by a time zone; a time
 * further ahead is a mistake.
 */
function aDayFromNow(): string {
  return `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;
}
