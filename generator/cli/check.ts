import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Connection } from '../database/connection.ts';
import { useCopyOfDatabase } from '../database/database-file.ts';
import { publicationDetails, publicationSummary } from '../database/publication-summary.ts';
import type { Publication } from '../database/publications.ts';
import { countOf, Failure } from '../files/failure.ts';
import { Faults, FaultyInput } from '../files/faults.ts';
import { faultsOfFolder } from '../publish/checked-snapshot.ts';
import type { TrippedGuard } from '../publish/guards.ts';
import { type PublishOptions, publishSnapshot, refuseOutOfOrder } from '../publish/publish.ts';
import { openSnapshot } from '../snapshot/folder.ts';
import { type Output, withExample } from './command-line.ts';
import { expandedPaths } from './paths.ts';
import {
  addGuardOptions,
  detailLines,
  type GuardOptions,
  guardSettings,
  setAsideLines,
  summaryLines,
} from './publish.ts';

type Options = GuardOptions & { db?: string; quarantine: boolean; json: boolean };

/** What is said of a snapshot: lines for people, the first of them as a heading, and facts for programs. */
type Report = { readonly ok: boolean; readonly lines: readonly string[]; readonly facts: object };

/** `check SNAPSHOT... [--db FILE]`: what `publish` would find and do. Writes nothing, and fails if it finds anything. */
export function defineCheck(command: Command, output: Output): void {
  command
    .argument('<snapshot...>', 'snapshot folders, oldest first')
    .option('--db <file>', 'publication database; publishes into a copy of it that is thrown away')
    .option('--quarantine', 'set faulty rows aside as publish --quarantine would', false);
  addGuardOptions(command);
  command
    .option('--json', 'print one JSON object per snapshot', false)
    .action(async (paths: string[], { db, ...options }: Options) => {
      const folders = expandedPaths(paths);
      const { quarantine, json } = options;
      const checkAll = async (check: (folder: string, isFirst: boolean) => Promise<Report>) => {
        let faulty = 0;
        for (const [index, folder] of folders.entries()) {
          output.progress(`checking ${folder}`, index, folders.length);
          const { ok, lines, facts } = await check(folder, index === 0);
          if (!ok) faulty += 1;
          if (json) output.json({ snapshot: folder, ok, ...facts });
          else
            for (const line of [`${folder}: ${lines[0]}`, ...lines.slice(1).map((line) => `  ${line}`)])
              output.line(line);
        }
        return faulty;
      };
      if (db !== undefined && !existsSync(db)) output.notice(`there is no database ${db}: checking for a new one`);
      const settings = { quarantine, ...guardSettings(options) };
      const faulty =
        db === undefined
          ? await checkAll((folder, isFirst) => ofFolder(folder, isFirst, quarantine))
          : await useCopyOfDatabase(db, (copy) => checkAll((folder) => ofPublishing(copy, folder, settings)));
      if (faulty > 0)
        throw new Failure(
          'snapshot_faults',
          `${faulty} of ${countOf(folders.length, 'snapshot')} would not be published`,
        );
    });
  withExample(command, 'shelfpress check fixtures/*-*/', 'shelfpress check fixtures/*-*/ --db publication.sqlite');
}

async function ofFolder(folder: string, isFirst: boolean, quarantine: boolean): Promise<Report> {
  const faults = await faultsOfFolder(folder, null, quarantine);
  if (faults.total > 0) return { ok: false, lines: [faults.summary, ...faults.lines], facts: faults.facts };
  const refusal = isFirst ? await refusalOfFirst(folder) : null;
  const lines = refusal === null ? [] : [`a new database refuses it: ${refusal}`];
  return { ok: true, lines: ['no faults', ...lines], facts: faults.facts };
}

/** Why `publish` refuses a sound snapshot as the first of a database. Null if it does not. */
async function refusalOfFirst(folder: string): Promise<string | null> {
  const snapshot = await openSnapshot(folder);
  return useCopyOfDatabase('', async (empty) => {
    try {
      refuseOutOfOrder(empty, snapshot, null);
      return null;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const way = snapshot.parts.stores === null ? '; a profile with inventory statewide or none needs no stores' : '';
      return error.message + way;
    }
  });
}

/** Publishes a snapshot into a copy of the database, past any guards, and says all that this finds and brings. */
async function ofPublishing(
  copy: Connection,
  folder: string,
  options: Omit<PublishOptions, 'onGuards'>,
): Promise<Report> {
  let guards: readonly TrippedGuard[] = [];
  const onGuards = (tripped: readonly TrippedGuard[]) => {
    guards = tripped;
  };
  try {
    return ofPublished(copy, await publishSnapshot(copy, folder, { ...options, onGuards }), guards);
  } catch (error) {
    if (error instanceof FaultyInput) return ofRefused(error.faults, null);
    if (!(error instanceof Failure)) throw error;
    // A snapshot in the wrong place is refused before its rows are read.
    return ofRefused(await faultsOfFolder(folder, copy, options.quarantine), error.message);
  }
}

/** `refusal`: why the snapshot is refused whatever is in its files, such as being older than the last publication. */
function ofRefused(faults: Faults, refusal: string | null): Report {
  const found = faults.total > 0 ? [faults.summary] : [];
  const heading = [...(refusal === null ? [] : [refusal]), ...found].join('; ');
  const facts = { ...faults.facts, refusal, guards: [], publication: null };
  return { ok: false, lines: [heading, ...faults.lines], facts };
}

function ofPublished(copy: Connection, publication: Publication, guards: readonly TrippedGuard[]): Report {
  const facts = { ...new Faults().facts, refusal: null, guards };
  const stops = guards.map(({ guard, option, message }) => `guard ${guard}: ${message}; ${option} accepts it`);
  const { sequence, warnings } = publication;
  const summary = publicationSummary(copy, publication);
  const details = publicationDetails(copy, publication);
  const heading = guards.length === 0 ? 'no faults' : `${countOf(guards.length, 'guard')} would stop it`;
  return {
    ok: guards.length === 0,
    lines: [
      `${heading}; as publication ${sequence} it would bring`,
      ...stops,
      ...setAsideLines(summary.set_aside),
      ...summaryLines(summary, warnings),
      ...detailLines(details, summary),
    ],
    facts: { ...facts, publication: { sequence, warnings, ...summary, ...details } },
  };
}
