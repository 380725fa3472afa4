import type { Command } from 'commander';
import { usePublicationDatabase } from '../database/database-file.ts';
import { publishSnapshot } from '../publish/publish.ts';
import { type Output, withExample } from './command-line.ts';

type Options = {
  db: string;
  quarantine: boolean;
  acceptShrink: boolean;
  acceptFuture: boolean;
  checkDatabase: boolean;
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
    .option('--json', 'print one JSON object per publication', false)
    .action(async (folders: string[], { db, acceptFuture, checkDatabase, json, ...options }: Options) => {
      const notAfter = acceptFuture ? null : aDayFromNow();
      await usePublicationDatabase(db, checkDatabase ? 'full' : 'usual', async (connection) => {
        for (const [index, folder] of folders.entries()) {
          output.progress(`publishing ${folder}`, index, folders.length);
          const publication = await publishSnapshot(connection, folder, { ...options, notAfter });
          const { sequence, revision, published_at, last_event, warnings } = publication;
          if (json) output.json({ snapshot: folder, sequence, revision, published_at, last_event, warnings });
          else output.line(`published ${folder} as publication ${sequence}, revision ${revision}, ${published_at}`);
        }
      });
    });
  withExample(command, 'shelfpress publish fixtures/*-*/ --db publication.sqlite');
}

/**
 * The latest time that a publication may have. A collector's clock may be wrong by hours, or by a time zone; a time
 * further ahead is a mistake.
 */
function aDayFromNow(): string {
  return `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;
}
