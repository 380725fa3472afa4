import type { Command } from 'commander';
import { migrateDatabase } from '../database/migrate.ts';
import { type Output, withExample } from './command-line.ts';

type Options = { db: string; backup: boolean; json: boolean };

/** `migrate --db FILE`: a database of an older schema version becomes one of this version. */
export function defineMigrate(command: Command, output: Output): void {
  command
    .requiredOption('--db <file>', 'publication database')
    .option('--no-backup', 'do not copy the database first, to a file beside it such as FILE.v1.bak')
    .option('--json', 'print the result as one JSON object', false)
    .action(({ db, backup: withBackup, json }: Options) => {
      output.progress(`migrating ${db}`);
      const { from, to, backup } = migrateDatabase(db, { backup: withBackup });
      if (json) output.json({ from, to, backup });
      else if (from === to) output.line(`nothing to migrate: ${db} has schema version ${to}`);
      else {
        output.line(`migrated ${db} from schema version ${from} to ${to}`);
        if (backup !== null) output.line(`the database as it was: ${backup}`);
      }
    });
  withExample(command, 'shelfpress migrate --db publication.sqlite');
}
