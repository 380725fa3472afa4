import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { requireS3Package } from '../copies/deploy/s3-package.ts';
import { sealLeftover } from '../database/database-file.ts';
import { makeFolder } from '../files/durable-files.ts';
import { Failure } from '../files/failure.ts';
import { FaultyInput } from '../files/faults.ts';
import { acquireLock } from '../files/file-lock.ts';
import { readPointer } from '../site/built-site.ts';
import { formatFault } from '../site/fault.ts';
import { Storage } from '../site/storage.ts';
import { openSnapshot } from '../snapshot/folder.ts';
import { readProof } from '../verify/proof.ts';
import {
  durationText,
  NegativeAnswer,
  type OtherCommands,
  type Output,
  stopwatch,
  withExample,
} from './command-line.ts';
import { type Day, dayEnd, dayLines, noticeLines, reasonLines, type StepFacts, siteSteps } from './day-report.ts';
import { type Delivery, deliveriesIn, type LeftAlone, visibleIn } from './deliveries.ts';
import { finishMoves, freePath, type Move, moveAll, withoutLinks } from './moves.ts';
import { parsePeriod, usualFullEvery } from './options.ts';
import { addCorrectionOptions, addGuardOptions, correctionIn, type GuardOptions } from './publish.ts';
import { besideSettings, findSettings, usualFile } from './settings.ts';
import { readSettings, type SettingsFile } from './settings-file.ts';

/** The folder for new deliveries, beside the settings. */
export const incomingFolder = 'incoming';

type Options = GuardOptions & {
  quarantine: boolean;
  corrects?: string[];
  reason?: string;
  quiet?: true;
  verbose?: true;
  json: boolean;
};

/** `update` does the work of a day, from what is new in `incoming` to the site. */
export function defineUpdate(command: Command, output: Output, others: OtherCommands): void {
  addGuardOptions(command);
  addCorrectionOptions(command);
  command
    .option('--quarantine', 'set faulty rows aside (at most 1 % of a file) instead of refusing a delivery', false)
    .option('--json', 'print the summary as one JSON object', false)
    .addHelpText(
      'after',
      `\n--accept, --corrects and --reason apply only to the oldest delivery that waits in incoming.\n${usualFile}, or the file named by --settings, says everything else.`,
    )
    .action(async (options: Options) => {
      correctionIn(command, [], options.corrects, options.reason);
      const elapsed = stopwatch();
      const file = findSettings(command.parent?.opts().settings);
      if (file === null)
        throw new Failure('settings_faults', `there is no ${usualFile} in this folder: shelfpress init writes it`);
      const from = readSettings(file);
      await others.check(siteSteps, from, output);
      if (from.settings.deploy) requireS3Package();
      const failures: Explained[] = [];
      const day = await inTurn(from, () => workDay(from, options, (one) => failures.push(one), output, others));
      const shown = failures.map(({ failure: { code, message, lines }, what, faults }) => {
        const all = [...faults, ...(lines.length === 0 ? [message] : lines)];
        return { failure: new Failure(code, message, { lines: reasonLines(all, day) }), what };
      });
      for (const { failure, what } of shown) output.explain(failure, what);
      const ok = day.refused === null && day.failed === null;
      const seconds = elapsed();
      const notices = options.quiet ? [] : noticeLines(day);
      for (const line of notices) output.error(line);
      const end = dayEnd(day, besideSettings(from, from.settings.site));
      const printed = notices.length + shown.reduce((sum, { failure }) => sum + failure.lines.length, 0);
      output.result({ ok, ...day, seconds }, dayLines(day, printed, `${end}; ${durationText(seconds)}`));
      if (!ok) throw new NegativeAnswer();
    });
  withExample(command, 'shelfpress update', 'shelfpress update --accept prices');
}

/**
 * The paths of a day's work. `list` has the moves under way, `drafts` the snapshots being imported, `copies` the copies
 * that replace links, and `gone` those links.
 */
function placesFor(from: SettingsFile) {
  const at = (path: string) => besideSettings(from, path);
  const { database, recipe } = from.settings;
  return {
    database: at(database),
    recipe: recipe === undefined ? undefined : at(recipe),
    usesFileTimes: from.settings.delivery_times === 'files',
    incoming: at(incomingFolder),
    published: at('published'),
    imported: at('imported'),
    redelivered: at('redelivered'),
    lock: at('.update/lock'),
    list: at('.update/moves.json'),
    drafts: at('.update/snapshots'),
    copies: at('.update/copies'),
    gone: at('.update/links'),
    proof: at('.update/proof.json'),
  };
}
type Places = ReturnType<typeof placesFor>;

/** Runs `work` under a lock, after finishing what a killed run left unfinished. */
async function inTurn<Result>(from: SettingsFile, work: () => Promise<Result>): Promise<Result> {
  const { lock: file, list, ...places } = placesFor(from);
  const clear = () => {
    for (const place of [places.drafts, places.copies, places.gone]) rmSync(place, { recursive: true, force: true });
  };
  const lock = acquireLock(file);
  if (lock === null) throw new Failure('busy', `another update is running with ${from.file}: wait until it ends`);
  try {
    finishMoves(list);
    clear();
    return await work();
  } finally {
    clear();
    lock.release();
  }
}

/** Why something was not done. `what` begins the last line, `faults` are other reasons. */
type Explained = { readonly failure: Failure; readonly what: string; readonly faults: readonly string[] };
type Explain = (why: Explained) => void;

async function workDay(
  from: SettingsFile,
  options: Options,
  explain: Explain,
  output: Output,
  others: OtherCommands,
): Promise<Day> {
  const places = placesFor(from);
  const voice = [...(options.quiet ? ['--quiet'] : []), ...(options.verbose ? ['--verbose'] : [])];
  const run = (...args: string[]) => runStep([...args, ...voice, '--settings', from.file], output, others);
  const aside = options.quarantine ? ['--quarantine'] : [];
  if (existsSync(places.database)) sealLeftover(places.database);
  const news = await takeNews(places, { ofOldest: flagsFor(options), ofAll: aside }, run, explain);
  const site: Partial<Record<(typeof siteSteps)[number], StepFacts>> = {};
  const wanted = siteSteps.filter((step) => (step === 'hosts' || step === 'deploy' ? from.settings[step] : true));
  for (const step of existsSync(places.database) ? wanted : []) {
    const proved = step === 'verify' && site.build?.changed === false ? provedBefore(from, places.proof) : null;
    if (proved !== null) {
      site.verify = { ok: true, skipped: true, full_at: proved.full_at } as Partial<StepFacts> as StepFacts;
      continue;
    }
    const { facts, failure } = await run(step, '--json', ...(step === 'verify' ? ['--proof', places.proof] : []));
    if (failure !== null) {
      explain({ failure, what: `${step} failed: `, faults: (facts?.faults ?? []).map(formatFault) });
      return { ...news, site, failed: { step, message: failure.message } };
    }
    if (facts) site[step] = facts;
  }
  return { ...news, site, failed: null };
}

type Run = (...args: string[]) => ReturnType<typeof runStep>;

/** Runs a command as its user would. Its facts are the last object that it prints, or null without `--json`. */
async function runStep(args: readonly string[], output: Output, others: OtherCommands) {
  let printed = '';
  const notices: string[] = [];
  const inner = output.forStep(
    (text) => {
      printed += text;
    },
    (text) => notices.push(text),
  );
  const code = await others.run(args, inner);
  const last = args.includes('--json') ? printed.trimEnd().split('\n').at(-1) : undefined;
  const facts: StepFacts | null = last ? JSON.parse(last) : null;
  return {
    facts,
    notices,
    failure: code === 0 ? null : (inner.failed ?? new Failure('program', `shelfpress ${args[0]} did not run`)),
  };
}

/** Flags for the oldest delivery, and flags for all deliveries. */
type Flags = { readonly ofOldest: readonly string[]; readonly ofAll: readonly string[] };

/** Publishes the waiting deliveries, oldest first, up to the first one that is refused. */
async function takeNews(
  places: Places,
  flags: Flags,
  run: Run,
  explain: Explain,
): Promise<Omit<Day, 'site' | 'failed'>> {
  makeFolder(places.incoming);
  const { deliveries, leftAlone: unused } = await deliveriesIn(places.incoming, places);
  const [published, redelivered]: [Day['published'][number][], Day['redelivered'][number][]] = [[], []];
  const leftAlone: LeftAlone[] = [...unused, ...strangersIn(places.published)];
  const soFar = { published, redelivered, left_alone: leftAlone, waiting: [], refused: null };
  for (const [index, delivery] of deliveries.entries()) {
    const { path } = delivery;
    const { snapshot, facts, notices, failure } =
      delivery.fault === null
        ? await publishOne(delivery, places, { ...flags, ofOldest: index === 0 ? flags.ofOldest : [] }, run)
        : { snapshot: path, facts: null, notices: [], failure: delivery.fault };
    if (failure !== null || facts === null) {
      const reason = failure ?? new Failure('program', 'publish printed nothing');
      explain({ failure: reason, what: `refused ${path}: `, faults: [] });
      const refused = { ...reason.facts, snapshot: path, message: reason.message };
      return { ...soFar, refused, waiting: deliveries.slice(index + 1).map((one) => one.path) };
    }
    const { sequence } = facts;
    const { found, strangers } = await findPublished(places.published, snapshot, sequence);
    leftAlone.push(...strangers.map(stranger));
    const name = numbered(sequence, delivery.name);
    if (found === null) {
      const keptAs = freePath(places.published, name);
      const rest = delivery.files === null ? [] : movesFor(delivery, freePath(places.imported, name));
      moveAll(places.list, withoutLinks([[snapshot, keptAs], ...rest], places));
      published.push({ ...facts, snapshot: path, kept_as: keptAs, notices });
    } else {
      const movedTo = freePath(places.redelivered, name);
      moveAll(places.list, withoutLinks(movesFor(delivery, movedTo), places));
      redelivered.push({ snapshot: path, sequence, moved_to: movedTo });
    }
  }
  return soFar;
}

/** Publishes a delivery. If it consists of the agency's files, they are imported first. */
async function publishOne({ path, name, time, files }: Delivery, places: Places, { ofOldest, ofAll }: Flags, run: Run) {
  let snapshot = path;
  const said: string[] = [];
  const { recipe } = places;
  if (files !== null && recipe !== undefined && time !== null) {
    snapshot = join(places.drafts, name);
    makeFolder(places.drafts);
    const times = ['--published-at', time, '--retrieved-at', time];
    const { failure, notices } = await run('import', recipe, ...files, '--out', snapshot, ...times, ...ofAll);
    if (failure !== null) return { snapshot, facts: null, notices, failure };
    said.push(...notices);
  }
  const done = await run('publish', snapshot, '--skip-published', '--json', ...ofOldest, ...ofAll);
  return { ...done, snapshot, notices: [...said, ...done.notices] };
}

/** The moves for a delivery: its folder, or its files into a new folder. */
function movesFor({ path, files, hasFolder }: Delivery, to: string): Move[] {
  if (hasFolder || files === null) return [[path, to]];
  return files.map((file) => [file, join(to, file.slice(path.length + 1))]);
}

function stranger(path: string): LeftAlone {
  return { path, reason: 'update did not put it there' };
}

/** What is in the folder of published snapshots but, by its name, is not one. */
function strangersIn(published: string): LeftAlone[] {
  const names = existsSync(published) ? visibleIn(published) : [];
  return names.filter((name) => !/^\d{6,}-/.test(name)).map((name) => stranger(join(published, name)));
}

function flagsFor({ accept = [], acceptShrink, acceptFuture, corrects = [], reason }: Options): string[] {
  return [
    ...accept.flatMap((guard) => ['--accept', guard]),
    ...(acceptShrink ? ['--accept-shrink'] : []),
    ...(acceptFuture ? ['--accept-future'] : []),
    ...corrects.flatMap((revision) => ['--corrects', revision]),
    ...(reason === undefined ? [] : ['--reason', reason]),
  ];
}

/** The proof of the last verification, if the site has not changed since and no full verification is due. */
function provedBefore({ file, settings }: SettingsFile, proofFile: string) {
  const fullEvery = settings.verify?.full_every;
  const period = fullEvery === undefined ? usualFullEvery : parsePeriod(fullEvery);
  const { proof } = readProof(proofFile, period, Date.now());
  const pointer = proof && readPointer(new Storage(besideSettings({ file }, settings.site)));
  return proof && pointer?.routes.sha256 === proof.table ? proof : null;
}

/** A name that begins with a number, so that `publish published/*` + `/` takes the folders in order. */
export function numbered(sequence: number, name: string): string {
  return `${String(sequence).padStart(6, '0')}-${name}`;
}

/**
 * Looks in the folder of published snapshots, among those with the number of a publication, for one with the content of
 * `snapshot`. `strangers` have the number but different content, or are not snapshots.
 */
export async function findPublished(published: string, snapshot: string, sequence: number) {
  const names = existsSync(published) ? readdirSync(published).sort() : [];
  const [content, strangers] = [await contentHash(snapshot), [] as string[]];
  for (const name of names.filter((one) => one.startsWith(numbered(sequence, '')))) {
    const path = join(published, name);
    if ((await contentHash(path)) === content) return { found: path, strangers };
    strangers.push(path);
  }
  return { found: null, strangers };
}

/** The hash of a snapshot's content. Null if the folder is not a snapshot. */
async function contentHash(folder: string): Promise<string | null> {
  try {
    return (await openSnapshot(folder)).contentHash;
  } catch (error) {
    if (error instanceof FaultyInput) return null;
    throw error;
  }
}
