import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Connection } from '../database/connection.ts';
import { useCopyOfDatabase } from '../database/database-file.ts';
import { publicationDetails, publicationSummary } from '../database/publication-summary.ts';
import type { Publication } from '../database/publications.ts';
import { countOf, Failure } from '../files/failure.ts';
import { Faults, FaultyInput } from '../files/faults.ts';
import { expandedPaths } from '../files/path-patterns.ts';
import { faultsOfFolder } from '../publish/checked-snapshot.ts';
import type { TrippedGuard } from '../publish/guards/guards.ts';
import { type PublishOptions, publishSnapshot, refuseOutOfOrder } from '../publish/publish.ts';
import { openSnapshot } from '../snapshot/folder.ts';
import { type Output, withExample } from '../terminal/output.ts';
import {
  addGuardOptions,
  detailLines,
  type GuardOptions,
  guardSettings,
  setAsideLines,
  summaryLines,
} from './publish.ts';

type Options = GuardOptions & { db?: string; quarantine: boolean; json: boolean };

/** `lines` are for people and begin with a heading; `facts` are for programs. */
type Report = { readonly ok: boolean; readonly lines: readonly string[]; readonly facts: object };

/** Reports what `publish` would find and do. Writes nothing, and fails on any fault. */
export function defineCheck(command: Command, output: Output): void {
  command
    .argument('<snapshot...>', 'snapshot folders, oldest first')
    .option('--db <file>', 'publication database; check publishes into a temporary copy of it')
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
      if (db !== undefined && !existsSync(db))
        output.notice(`there is no database ${db}: checking as if for a new one`);
      const settings = { quarantine, ...guardSettings(options) };
      const faulty =
        db === undefined
          ? await checkAll((folder, isFirst) => checkFolder(folder, isFirst, quarantine))
          : await useCopyOfDatabase(db, (copy) => checkAll((folder) => publishIntoCopy(copy, folder, settings)));
      if (faulty > 0)
        throw new Failure(
          'snapshot_faults',
          `${faulty} of ${countOf(folders.length, 'snapshot')} would not be published`,
        );
    });
  withExample(command, 'shelfpress check fixtures/*-*/', 'shelfpress check fixtures/*-*/ --db publication.sqlite');
}

async function checkFolder(folder: string, isFirst: boolean, quarantine: boolean): Promise<Report> {
  const faults = await faultsOfFolder(folder, null, quarantine);
  if (faults.total > 0) return { ok: false, lines: [faults.summary, ...faults.lines], facts: faults.facts };
  const refusal = isFirst ? await refusalAsFirst(folder) : null;
  const lines = refusal === null ? [] : [`a new database refuses it: ${refusal}`];
  return { ok: true, lines: ['no faults', ...lines], facts: faults.facts };
}

/** Every fault of a snapshot folder, with what stops it from being the first in a database. */
export async function faultsAsFirst(folder: string): Promise<Faults> {
  const faults = await faultsOfFolder(folder, null, false);
  const refusal = faults.total > 0 ? null : await refusalAsFirst(folder);
  if (refusal !== null)
    faults.add({
      file: 'the files',
      line: null,
      field: null,
      expected: 'all that a first publication needs',
      got: refusal.replace(/^.*got no/s, 'no'),
    });
  return faults;
}

/** Why `publish` would refuse a sound snapshot as the first in a database; null if it would accept it. */
async function refusalAsFirst(folder: string): Promise<string | null> {
  const snapshot = await openSnapshot(folder);
  return useCopyOfDatabase('', async (empty) => {
    try {
      refuseOutOfOrder(empty, snapshot, null);
      return null;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const way =
        snapshot.parts.stores === null
          ? '; stores are not needed if the profile says that inventory is statewide or none'
          : '';
      return error.message + way;
    }
  });
}

/** Publishes a snapshot into a copy of the database, past any guards, and reports faults and changes. */
async function publishIntoCopy(
  copy: Connection,
  folder: string,
  options: Omit<PublishOptions, 'onGuards'>,
): Promise<Report> {
  let guards: readonly TrippedGuard[] = [];
  const onGuards = (tripped: readonly TrippedGuard[]) => {
    guards = tripped;
  };
  try {
    return publishedReport(copy, await publishSnapshot(copy, folder, { ...options, onGuards }), guards);
  } catch (error) {
    if (error instanceof FaultyInput) return refusedReport(error.faults, null);
    if (!(error instanceof Failure)) throw error;
    // Publishing refuses a snapshot that is out of order before it reads the rows.
    return refusedReport(await faultsOfFolder(folder, copy, options.quarantine), error.message);
  }
}

/** `refusal`: a reason beyond the snapshot's files, such as that the snapshot is older than the last publication. */
function refusedReport(faults: Faults, refusal: string | null): Report {
  const found = faults.total > 0 ? [faults.summary] : [];
  const heading = [...(refusal === null ? [] : [refusal]), ...found].join('; ');
  const facts = { ...faults.facts, refusal, guards: [], publication: null };
  return { ok: false, lines: [heading, ...faults.lines], facts };
}

function publishedReport(copy: Connection, publication: Publication, guards: readonly TrippedGuard[]): Report {
  const facts = { ...new Faults().facts, refusal: null, guards };
  const stops = guards.map(({ guard, option, message }) => `guard ${guard}: ${message}; pass ${option} to accept it`);
  const { sequence, warnings } = publication;
  const summary = publicationSummary(copy, publication);
  const details = publicationDetails(copy, publication);
  const heading = guards.length === 0 ? 'no faults' : `${countOf(guards.length, 'guard')} would stop it`;
  return {
    ok: guards.length === 0,
    lines: [
      `${heading}; as publication ${sequence} it would make these changes:`,
      ...stops,
      ...setAsideLines(summary.set_aside),
      ...summaryLines(summary, warnings),
      ...detailLines(details, summary),
    ],
    facts: { ...facts, publication: { sequence, warnings, ...summary, ...details } },
  };
}
