import type { Command } from 'commander';
import { inspectDatabase, visitQuarantinedRows } from '../inspect/database-report.ts';
import { kindOfHolder } from '../inspect/holder.ts';
import { inspectSite } from '../inspect/site-report.ts';
import { type Output, withExample } from './command-line.ts';
import { databaseLines, quarantinedRowLines } from './database-lines.ts';
import { siteLines } from './site-lines.ts';

type Options = { quarantine: boolean; json: boolean };

/** `inspect DB` or `inspect DIST`: what a database or a site holds. */
export function defineInspect(command: Command, output: Output): void {
  command
    .argument('<path>', 'publication database, or folder of a site or of a mirror')
    .option('--quarantine', 'database only: print every row that was set aside, and nothing else', false)
    .option('--json', 'print one JSON object; with --quarantine, one per row', false)
    .action((path: string, options: Options) => {
      if (kindOfHolder(path) === 'database') inspectDatabaseFile(path, options, output);
      else if (options.quarantine) command.error('error: --quarantine is for a database: a site has no rows set aside');
      else inspectSiteFolder(path, options, output);
    });
  withExample(command, 'shelfpress inspect publication.sqlite\n  shelfpress inspect dist');
}

function inspectDatabaseFile(file: string, { quarantine, json }: Options, output: Output): void {
  if (quarantine) {
    visitQuarantinedRows(file, (row) => {
      if (json) output.json(row);
      else for (const line of quarantinedRowLines(row)) output.line(line);
    });
    return;
  }
  const report = inspectDatabase(file);
  if (json) output.json(report);
  else for (const line of databaseLines(report)) output.line(line);
}

function inspectSiteFolder(folder: string, { json }: Options, output: Output): void {
  const report = inspectSite(folder);
  if (json) output.json(report);
  else for (const line of siteLines(report)) output.line(line);
}
