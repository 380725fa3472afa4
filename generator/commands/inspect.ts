import type { Command } from 'commander';
import { firstDifferences, inspectAddress } from '../inspect/address-report.ts';
import { inspectDatabase, visitQuarantinedRows } from '../inspect/database-report.ts';
import { kindOfHolder } from '../inspect/holder.ts';
import { inspectSite } from '../inspect/site-report.ts';
import { addressLines, differenceLines } from './address-lines.ts';
import { type Output, withExample } from './command-line.ts';
import { databaseLines, quarantinedRowLines } from './database-lines.ts';
import { siteLines } from './site-lines.ts';

type Options = { quarantine: boolean; json: boolean; against?: string };

/** `inspect DB` or `inspect DIST`: what a database or a site holds; `inspect DIST ADDRESS`: where an answer comes from. */
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
      else inspectSiteFolder(path, options, output);
    });
  withExample(
    command,
    'shelfpress inspect publication.sqlite\n  shelfpress inspect dist\n  shelfpress inspect dist /v1/brands',
  );
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

function inspectOneAddress(folder: string, address: string, { json, against }: Options, output: Output): void {
  const report = inspectAddress(folder, address);
  const other = against === undefined ? null : inspectAddress(against, address);
  const differences = other && firstDifferences(report, other);
  if (json) output.json({ ...report, ...(other ? { against: other, first_differences: differences } : {}) });
  else {
    for (const line of [report, ...(other ? [other] : [])].flatMap(addressLines)) output.line(line);
    for (const line of differences ? differenceLines(differences) : []) output.line(line);
  }
}
