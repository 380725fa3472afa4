import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Command } from 'commander';
import type { WarningCode } from '../../contract/primitives.ts';
import { requireS3Package } from '../copies/deploy/s3-package.ts';
import type { PublicationSummary } from '../database/publication-summary.ts';
import { copyWithoutLinks, isThere, makeFolder, moveFile, removeFile, replaceFile } from '../files/durable-files.ts';
import { countOf, Failure } from '../files/failure.ts';
import { FaultyInput } from '../files/faults.ts';
import { acquireLock } from '../files/file-lock.ts';
import { type Fault, formatFault } from '../site/fault.ts';
import { openSnapshot } from '../snapshot/folder.ts';
import {
  durationText,
  NegativeAnswer,
  type OtherCommands,
  type Output,
  publicationText,
  stopwatch,
  withExample,
} from './command-line.ts';
import { type Delivery, deliveriesIn, type LeftAlone, visibleIn } from './deliveries.ts';
import { addCorrectionOptions, addGuardOptions, correctionIn, type GuardOptions, summaryLines } from './publish.ts';
import { besideSettings, findSettings, usualFile } from './settings.ts';
import { readSettings, type SettingsFile } from './settings-file.ts';

/** The folder for what is new, beside the settings. */
export const incomingFolder = 'incoming';

/** The commands that read what the settings say, when it is published. */
export const siteSteps = ['build', 'verify', 'hosts', 'deploy'] as const;

type Options = GuardOptions & {
  quarantine: boolean;
  corrects?: string[];
  reason?: string;
  quiet?: true;
  verbose?: true;
  json: boolean;
};

/** What a command printed as JSON, of which `update` uses this. */
type Facts = {
  readonly sequence: number;
  readonly revision: string;
  readonly published_at: string;
  readonly skipped?: true;
  readonly warnings: readonly WarningCode[];
  readonly faults?: readonly Fault[];
  readonly changed?: boolean;
} & PublicationSummary;

/** What was done, and what was not. */
type Day = {
  readonly published: (Facts & { readonly snapshot: string; readonly kept_as: string })[];
  readonly redelivered: { readonly snapshot: string; readonly sequence: number; readonly moved_to: string }[];
  readonly refused: { readonly snapshot: string; readonly message: string; readonly [fact: string]: unknown } | null;
  readonly waiting: readonly string[];
  readonly left_alone: readonly LeftAlone[];
  readonly site: Readonly<Partial<Record<(typeof siteSteps)[number], Facts>>>;
  readonly failed: { readonly step: string; readonly message: string } | null;
};

/** `update`: the work of a day, from what is new in `incoming` to the site. */
export function defineUpdate(command: Command, output: Output, others: OtherCommands): void {
  addGuardOptions(command);
  addCorrectionOptions(command);
  command
    .option('--quarantine', 'set faulty rows aside (at most 1 % of a file) instead of refusing a delivery', false)
    .option('--json', 'print the summary as one JSON object', false)
    .addHelpText(
      'after',
      `\n--accept, --corrects and --reason are for the oldest of what waits in incoming.\n${usualFile}, or the file of --settings, says everything else.`,
    )
    .action(async (options: Options) => {
      correctionIn(command, [], options.corrects, options.reason);
      const elapsed = stopwatch();
      const file = findSettings(command.parent?.opts().settings);
      if (file === null)
        throw new Failure(
          'settings_faults',
          `expected ${usualFile} in this folder, got none: shelfpress init writes it`,
        );
      const from = readSettings(file);
      await others.check(siteSteps, from, output);
      if (from.settings.deploy) requireS3Package();
      const day = await inTurn(from, () => workDay(from, options, output, others));
      const ok = day.refused === null && day.failed === null;
      const seconds = elapsed();
      output.result({ ok, ...day, seconds }, [...linesOf(day), `${endOf(day, from)}; ${durationText(seconds)}`]);
      if (!ok) throw new NegativeAnswer();
    });
  withExample(command, 'shelfpress update', 'shelfpress update --accept prices');
}

/**
 * The places of a day's work. `list` has moves that are being made, `drafts` snapshots that are being imported, `copies` what
 * takes the place of links, and `gone` the links.
 */
function placesOf(from: SettingsFile) {
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
  };
}
type Places = ReturnType<typeof placesOf>;

/** Works alone, after it has ended what a killed run began. */
async function inTurn<Result>(from: SettingsFile, work: () => Promise<Result>): Promise<Result> {
  const { lock: file, list, ...places } = placesOf(from);
  const clear = () => {
    for (const place of [places.drafts, places.copies, places.gone]) rmSync(place, { recursive: true, force: true });
  };
  const lock = acquireLock(file);
  if (lock === null) throw new Failure('busy', `another update is at work with ${from.file}: wait until it ends`);
  try {
    finishMoves(list);
    clear();
    return await work();
  } finally {
    clear();
    lock.release();
  }
}

async function workDay(from: SettingsFile, options: Options, output: Output, others: OtherCommands): Promise<Day> {
  const places = placesOf(from);
  const voice = [...(options.quiet ? ['--quiet'] : []), ...(options.verbose ? ['--verbose'] : [])];
  const run = (...args: string[]) => runStep([...args, ...voice, '--settings', from.file], output, others);
  const aside = options.quarantine ? ['--quarantine'] : [];
  const news = await takeNews(places, { ofOldest: flagsOf(options), ofAll: aside }, run, output);
  const site: Partial<Record<(typeof siteSteps)[number], Facts>> = {};
  const wanted = siteSteps.filter((step) => (step === 'hosts' || step === 'deploy' ? from.settings[step] : true));
  for (const step of existsSync(places.database) ? wanted : []) {
    const { facts, failure } = await run(step, '--json');
    for (const fault of facts?.faults ?? []) output.error(formatFault(fault));
    if (failure !== null) {
      output.explain(failure, `${step} failed: `);
      return { ...news, site, failed: { step, message: failure.message } };
    }
    if (facts) site[step] = facts;
  }
  return { ...news, site, failed: null };
}

type Run = (...args: string[]) => ReturnType<typeof runStep>;

/** Runs a command as its user would. Its facts are the last object that it prints; null without `--json`. */
async function runStep(args: readonly string[], output: Output, others: OtherCommands) {
  let printed = '';
  const inner = output.forStep((text) => {
    printed += text;
  });
  const code = await others.run(args, inner);
  const last = args.includes('--json') ? printed.trimEnd().split('\n').at(-1) : undefined;
  const facts: Facts | null = last ? JSON.parse(last) : null;
  return {
    facts,
    failure: code === 0 ? null : (inner.failed ?? new Failure('program', `shelfpress ${args[0]} did not run`)),
  };
}

/** Flags for the oldest delivery, and for all of them. */
type Flags = { readonly ofOldest: readonly string[]; readonly ofAll: readonly string[] };

/** Publishes what waits, oldest first, up to the first that is refused. */
async function takeNews(places: Places, flags: Flags, run: Run, output: Output): Promise<Omit<Day, 'site' | 'failed'>> {
  makeFolder(places.incoming);
  const { deliveries, leftAlone: unused } = await deliveriesIn(places.incoming, places);
  const [published, redelivered]: [Day['published'], Day['redelivered']] = [[], []];
  const leftAlone: LeftAlone[] = [...unused, ...strangersIn(places.published)];
  const soFar = { published, redelivered, left_alone: leftAlone, waiting: [], refused: null };
  for (const [index, delivery] of deliveries.entries()) {
    const { path } = delivery;
    const { snapshot, facts, failure } =
      delivery.fault === null
        ? await publishOne(delivery, places, { ...flags, ofOldest: index === 0 ? flags.ofOldest : [] }, run)
        : { snapshot: path, facts: null, failure: delivery.fault };
    if (failure !== null || facts === null) {
      const reason = failure ?? new Failure('program', 'publish printed nothing');
      output.explain(reason, `refused ${path}: `);
      const refused = { ...reason.facts, snapshot: path, message: reason.message };
      return { ...soFar, refused, waiting: deliveries.slice(index + 1).map((one) => one.path) };
    }
    const { sequence } = facts;
    const { found, strangers } = await findPublished(places.published, snapshot, sequence);
    leftAlone.push(...strangers.map(stranger));
    const name = numbered(sequence, delivery.name);
    if (found === null) {
      const keptAs = freePath(places.published, name);
      const rest = delivery.files === null ? [] : movesOf(delivery, freePath(places.imported, name));
      moveAll(places.list, withoutLinks([[snapshot, keptAs], ...rest], places));
      published.push({ ...facts, snapshot: path, kept_as: keptAs });
    } else {
      const movedTo = freePath(places.redelivered, name);
      moveAll(places.list, withoutLinks(movesOf(delivery, movedTo), places));
      redelivered.push({ snapshot: path, sequence, moved_to: movedTo });
    }
  }
  return soFar;
}

/** Publishes a delivery, which is imported first if it is files of the agency. */
async function publishOne({ path, name, time, files }: Delivery, places: Places, { ofOldest, ofAll }: Flags, run: Run) {
  let snapshot = path;
  const { recipe } = places;
  if (files !== null && recipe !== undefined && time !== null) {
    snapshot = join(places.drafts, name);
    makeFolder(places.drafts);
    const times = ['--published-at', time, '--retrieved-at', time];
    const { failure } = await run('import', recipe, ...files, '--out', snapshot, ...times, ...ofAll);
    if (failure !== null) return { snapshot, facts: null, failure };
  }
  return { snapshot, ...(await run('publish', snapshot, '--skip-published', '--json', ...ofOldest, ...ofAll)) };
}

/** Moves a delivery: its folder, or its files into a new one. */
function movesOf({ path, files, hasFolder }: Delivery, to: string): [from: string, to: string][] {
  if (hasFolder || files === null) return [[path, to]];
  return files.map((file) => [file, join(to, file.slice(path.length + 1))]);
}

/**
 * Moves that keep what was delivered: where a delivery is or has a symbolic link, a copy of what it leads to is kept, because
 * that may vanish. The link goes.
 */
function withoutLinks(moves: readonly Move[], { copies, gone }: Places): Move[] {
  return moves.flatMap(([from, to], index): Move[] => {
    if (!hasLink(from)) return [[from, to]];
    const [copy, link] = [join(copies, String(index)), join(gone, String(index))];
    removeFile(link);
    copyWithoutLinks(from, copy);
    return [
      [copy, to],
      [from, link],
    ];
  });
}

function hasLink(path: string): boolean {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.isSymbolicLink();
  return readdirSync(path).some((name) => hasLink(join(path, name)));
}

function stranger(path: string): LeftAlone {
  return { path, reason: 'update did not put it there' };
}

/** What is in the folder of published snapshots and cannot be one by its name. */
function strangersIn(published: string): LeftAlone[] {
  const names = existsSync(published) ? visibleIn(published) : [];
  return names.filter((name) => !/^\d{6,}-/.test(name)).map((name) => stranger(join(published, name)));
}

function flagsOf({ accept = [], acceptShrink, acceptFuture, corrects = [], reason }: Options): string[] {
  return [
    ...accept.flatMap((guard) => ['--accept', guard]),
    ...(acceptShrink ? ['--accept-shrink'] : []),
    ...(acceptFuture ? ['--accept-future'] : []),
    ...corrects.flatMap((revision) => ['--corrects', revision]),
    ...(reason === undefined ? [] : ['--reason', reason]),
  ];
}

/** How a day ended, and where its result is. Reasons are on standard error. */
function endOf({ refused, waiting, site, failed }: Day, from: SettingsFile): string {
  const folder = besideSettings(from, from.settings.site);
  const state = site.build ? `${folder} has publication ${site.build.sequence}` : `${folder} is as it was`;
  if (failed !== null) return `not done: ${failed.step} failed; readers see what they saw before`;
  if (refused === null) return site.build ? `done: ${state}; shelfpress serve shows it` : 'done';
  const rest =
    waiting.length === 0 ? '' : `, and ${countOf(waiting.length, 'later delivery', 'later deliveries')} wait`;
  return `not done: ${refused.snapshot} was refused${rest}; ${state}`;
}

function linesOf({ published, redelivered, refused, waiting, left_alone: leftAlone, site }: Day): string[] {
  const { build, verify, hosts, deploy } = site;
  const news = published.flatMap(({ snapshot, ...facts }) => [
    ...(facts.skipped
      ? [`${snapshot} was published before, as publication ${facts.sequence}; kept as ${facts.kept_as}`]
      : [
          `published ${snapshot} as ${publicationText(facts)}; kept as ${facts.kept_as}`,
          ...summaryLines(facts, facts.warnings).map((line) => `  ${line}`),
        ]),
  ]);
  const again = redelivered.map(
    ({ snapshot, sequence, moved_to: to }) => `${snapshot} is publication ${sequence} again: moved to ${to}`,
  );
  const isQuiet = news.length === 0 && again.length === 0 && refused === null;
  return [
    ...(isQuiet ? ['nothing new'] : [...news, ...again]),
    ...waiting.map((path) => `waiting: ${path}`),
    ...leftAlone.map(({ path, reason }) => `left alone: ${path}: ${reason}`),
    ...(build ? [`built ${publicationText(build)}`] : []),
    ...(verify ? ['verified the site'] : []),
    ...(hosts ? ['wrote the files of hosts: reload the hosts that read them'] : []),
    ...(deploy ? [deploy.changed ? 'deployed it' : 'the bucket has it'] : []),
  ];
}

/** A number that names begin with, so that `publish published/*` + `/` takes the folders in their order. */
export function numbered(sequence: number, name: string): string {
  return `${String(sequence).padStart(6, '0')}-${name}`;
}

/**
 * Looks in a folder of published snapshots for one with this content among those with the number of its publication.
 * `strangers` have the number and another content, or none.
 */
export async function findPublished(published: string, snapshot: string, sequence: number) {
  const names = existsSync(published) ? readdirSync(published).sort() : [];
  const [content, strangers] = [await contentOf(snapshot), [] as string[]];
  for (const name of names.filter((one) => one.startsWith(numbered(sequence, '')))) {
    const path = join(published, name);
    if ((await contentOf(path)) === content) return { found: path, strangers };
    strangers.push(path);
  }
  return { found: null, strangers };
}

/** The hash of a snapshot's content; null for what is no snapshot. */
async function contentOf(folder: string): Promise<string | null> {
  try {
    return (await openSnapshot(folder)).contentHash;
  } catch (error) {
    if (error instanceof FaultyInput) return null;
    throw error;
  }
}

/** A path with this name, or with a number behind it if there is something of that name. */
export function freePath(folder: string, name: string): string {
  for (let count = 1; ; count += 1) {
    const path = join(folder, count === 1 ? name : `${name}-${count}`);
    if (!isThere(path)) return path;
  }
}

type Move = readonly [from: string, to: string];

/** Makes moves that belong together. A run that is killed meanwhile leaves their list, and the next one goes on with it. */
export function moveAll(list: string, moves: readonly Move[]): void {
  // The next run may know the same folder by another path.
  const named = moves.map((paths) => paths.map((path) => relative(dirname(list), path)));
  replaceFile(list, (append) => append(JSON.stringify(named)));
  finishMoves(list);
}

/** Makes the moves of a list that were not made. What came later under a name that was moved stays. */
export function finishMoves(list: string): void {
  if (!existsSync(list)) return;
  const moves: Move[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const [from, to] of moves.map(
    ([one, other]) => [join(dirname(list), one), join(dirname(list), other)] as const,
  )) {
    if (!isThere(from) || isThere(to)) continue;
    makeFolder(dirname(to));
    moveFile(from, to);
  }
  removeFile(list);
}
