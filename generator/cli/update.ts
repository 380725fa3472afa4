import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, OptionValues } from 'commander';
import { requireS3Package } from '../copies/deploy/s3-package.ts';
import { sealLeftover, usePublicationDatabase } from '../database/database-file.ts';
import { makeFolder } from '../files/durable-files.ts';
import { Failure } from '../files/failure.ts';
import { FaultyInput } from '../files/faults.ts';
import { acquireLock } from '../files/file-lock.ts';
import type { CorrectionRequest } from '../publish/correction.ts';
import type { PublishProgress } from '../publish/next-publication.ts';
import { readPointer } from '../site/built-site.ts';
import { formatFault } from '../site/fault.ts';
import { Storage } from '../site/storage.ts';
import { openSnapshot } from '../snapshot/folder.ts';
import { failureFrom, NegativeAnswer, type Output, withExample } from '../terminal/output.ts';
import { durationText, stopwatch } from '../terminal/texts.ts';
import { readProof } from '../verify/proof.ts';
import { type BuildOptions, buildAs } from './build.ts';
import type { OtherCommands } from './commands.ts';
import { type Day, dayEnd, dayLines, noticeLines, reasonLines, type siteSteps } from './day-report.ts';
import { type Delivery, deliveriesIn, type LeftAlone, visibleIn } from './deliveries.ts';
import { type DeployCommandOptions, deployTo } from './deploy.ts';
import { type HostsOptions, hostsFor } from './hosts.ts';
import { importAs, importNotices } from './import.ts';
import { finishMoves, freePath, type Move, moveAll, withoutLinks } from './moves.ts';
import { parsePeriod, usualFullEvery } from './options.ts';
import {
  addCorrectionOptions,
  addGuardOptions,
  correctionIn,
  type GuardOptions,
  guardSettings,
  publishFolder,
} from './publish.ts';
import { besideSettings, findSettings, usualFile } from './settings.ts';
import { readSettings, type SettingsFile } from './settings-file.ts';
import { type VerifyOptions, verifyAs } from './verify.ts';

export const incomingFolder = 'incoming';

type Options = GuardOptions & {
  quarantine: boolean;
  corrects?: string[];
  reason?: string;
  quiet?: true;
  json: boolean;
};

/** Does the work of a day, from new files in `incoming` to the site. */
export function defineUpdate(command: Command, output: Output, others: OtherCommands): void {
  addGuardOptions(command);
  addCorrectionOptions(command);
  command
    .option('--quarantine', 'set faulty rows aside (at most 1 % of a file) instead of refusing a delivery', false)
    .option('--json', 'print the summary as one JSON object', false)
    .addHelpText(
      'after',
      `\n--accept, --corrects and --reason apply only to the oldest delivery that waits in incoming.\nEverything else comes from ${usualFile}, or the file named by --settings.`,
    )
    .action(async (options: Options) => {
      const { quarantine, corrects, reason, ...guards } = options;
      const correction = correctionIn(command, [], corrects, reason);
      const elapsed = stopwatch();
      const file = findSettings(command.parent?.opts().settings);
      if (file === null)
        throw new Failure('settings_faults', `there is no ${usualFile} in this folder: shelfpress init writes it`);
      const from = readSettings(file);
      const steps = await stepsFor(from, output, others);
      if (from.settings.deploy) requireS3Package();
      const failures: Explained[] = [];
      const day = await underLock(from, () =>
        workDay(from, { quarantine, forOldest: { ...guards, correction } }, steps, (one) => failures.push(one), output),
      );
      const shown = failures.map(({ failure: { code, message, lines }, what }) => ({
        failure: new Failure(code, message, { lines: reasonLines(lines, day) }),
        what,
      }));
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
 * `list`: moves under way. `drafts`: snapshots being imported. `copies`: copies that replace links. `gone`: the links
 * that they replace.
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

/** First finishes what a killed run left. */
async function underLock<Result>(from: SettingsFile, work: () => Promise<Result>): Promise<Result> {
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

type Explained = { readonly failure: Failure; readonly what: string };
type Explain = (why: Explained) => void;

async function workDay(
  from: SettingsFile,
  options: TakeOptions,
  steps: readonly Step[],
  explain: Explain,
  output: Output,
): Promise<Day> {
  const places = placesFor(from);
  if (existsSync(places.database)) sealLeftover(places.database);
  const news = await publishWaiting(places, options, explain, output);
  let site: Day['site'] = {};
  for (const { name, run } of existsSync(places.database) ? steps : []) {
    const { done, failure } = await attempt(output, (inner) => run(site, inner));
    if (failure !== null) {
      explain({ failure, what: `${name} failed: ` });
      return { ...news, site, failed: { step: name, message: failure.message } };
    }
    site = { ...site, ...done };
  }
  return { ...news, site, failed: null };
}

type Step = {
  readonly name: (typeof siteSteps)[number];
  readonly run: (before: Day['site'], output: Output) => Promise<Day['site']>;
};

/** Reads the options of all steps, so that a mistake stops the work before it begins. */
async function stepsFor(from: SettingsFile, output: Output, others: OtherCommands): Promise<readonly Step[]> {
  const optionsOf = async <Options extends OptionValues>(name: Step['name']) => {
    const command = await others.configured(name, from, output);
    return {
      options: command.opts<Options>(),
      given: command.registeredArguments.map(({ defaultValue }) => defaultValue),
    };
  };
  const build = await optionsOf<BuildOptions>('build');
  if (build.options.validFor !== undefined && build.options.sign === undefined)
    throw new Failure('settings_faults', `${from.file} signature_valid_hours: expected signing_key too, got none`);
  const verify = await optionsOf<VerifyOptions>('verify');
  const hosts = await optionsOf<HostsOptions>('hosts');
  const deploy = await optionsOf<DeployCommandOptions>('deploy');
  const { proof } = placesFor(from);
  const steps: readonly Step[] = [
    { name: 'build', run: async (_, inner) => ({ build: (await buildAs(build.options, inner)).facts }) },
    {
      name: 'verify',
      run: async ({ build: built }, inner) => {
        const proved = built?.changed === false ? provedBefore(from, proof) : null;
        if (proved !== null) return { verify: { ok: true, skipped: true, full_at: proved.full_at } };
        const { facts, failure } = await verifyAs(verify.given[0], { ...verify.options, proof }, inner);
        if (failure === null) return { verify: facts };
        const lines = [...facts.faults.map(formatFault), failure.message];
        throw new Failure(failure.code, failure.message, { lines });
      },
    },
    { name: 'hosts', run: async () => ({ hosts: hostsFor(hosts.given[0], hosts.options).facts }) },
    {
      name: 'deploy',
      run: async (_, inner) => ({
        deploy: (await deployTo(deploy.given[0], deploy.given[1], deploy.options, inner)).facts,
      }),
    },
  ];
  return steps.filter(({ name }) => (name === 'hosts' || name === 'deploy' ? from.settings[name] : true));
}

async function attempt<Done>(output: Output, work: (output: Output) => Promise<Done>) {
  const notices: string[] = [];
  const inner = output.forStep((text) => notices.push(text));
  try {
    return { done: await work(inner), notices, failure: null };
  } catch (error) {
    output.trace(error);
    return { done: null, notices, failure: failureFrom(error) };
  }
}

type TakeOptions = {
  readonly quarantine: boolean;
  readonly forOldest: GuardOptions & { readonly correction: CorrectionRequest | null };
};
const forLater: TakeOptions['forOldest'] = { acceptShrink: false, acceptFuture: false, correction: null };

/** Publishes deliveries, oldest first, up to the first that is refused. */
async function publishWaiting(
  places: Places,
  { quarantine, forOldest }: TakeOptions,
  explain: Explain,
  output: Output,
): Promise<Omit<Day, 'site' | 'failed'>> {
  makeFolder(places.incoming);
  const { deliveries, leftAlone: unused } = await deliveriesIn(places.incoming, places);
  const [published, redelivered]: [Day['published'][number][], Day['redelivered'][number][]] = [[], []];
  const leftAlone: LeftAlone[] = [...unused, ...foreignFilesIn(places.published)];
  const soFar = { published, redelivered, left_alone: leftAlone, waiting: [], refused: null };
  for (const [index, delivery] of deliveries.entries()) {
    const { path } = delivery;
    const how = { quarantine, ...(index === 0 ? forOldest : forLater) };
    const { done, notices, failure } = await attempt(output, (inner) => publishOne(delivery, places, how, inner));
    if (failure !== null) {
      explain({ failure, what: `refused ${path}: ` });
      const refused = { ...failure.facts, snapshot: path, message: failure.message };
      return { ...soFar, refused, waiting: deliveries.slice(index + 1).map((one) => one.path) };
    }
    const { sequence, snapshot } = done;
    const { found, foreign } = await findPublished(places.published, snapshot, sequence);
    leftAlone.push(...foreign.map(foreignFile));
    const name = numbered(sequence, delivery.name);
    if (found === null) {
      const keptAs = freePath(places.published, name);
      const rest = delivery.files === null ? [] : movesFor(delivery, freePath(places.imported, name));
      moveAll(places.list, withoutLinks([[snapshot, keptAs], ...rest], places));
      published.push({ ...done, snapshot: path, kept_as: keptAs, notices });
    } else {
      const movedTo = freePath(places.redelivered, name);
      moveAll(places.list, withoutLinks(movesFor(delivery, movedTo), places));
      redelivered.push({ snapshot: path, sequence, moved_to: movedTo });
    }
  }
  return soFar;
}

/** Publishes one delivery. An agency's files are imported first. */
async function publishOne(
  { path, name, time, files, fault }: Delivery,
  places: Places,
  { quarantine, correction, ...guards }: Omit<TakeOptions, 'forOldest'> & TakeOptions['forOldest'],
  output: Output,
) {
  if (fault !== null) throw fault;
  let snapshot = path;
  const { recipe } = places;
  if (files !== null && recipe !== undefined && time !== null) {
    snapshot = join(places.drafts, name);
    makeFolder(places.drafts);
    const times = { publishedAt: time, retrievedAt: time };
    const summary = await importAs({ recipe, files, out: snapshot, quarantine, ...times }, output);
    for (const notice of importNotices(summary)) output.notice(notice);
  }
  const progress: PublishProgress = (stage, done, total) => output.progress(`${name}, ${stage}`, done, total);
  const options = { quarantine, correction, progress, skipPublished: true, ...guardSettings(guards) };
  output.progress('checking the database', 0, 1);
  return usePublicationDatabase(places.database, 'usual', (connection) =>
    publishFolder(connection, snapshot, options, output),
  );
}

function movesFor({ path, files, hasFolder }: Delivery, to: string): Move[] {
  if (hasFolder || files === null) return [[path, to]];
  return files.map((file) => [file, join(to, file.slice(path.length + 1))]);
}

function foreignFile(path: string): LeftAlone {
  return { path, reason: 'update did not put it there' };
}

/** Files in the folder of published snapshots that are not named like snapshots. */
function foreignFilesIn(published: string): LeftAlone[] {
  const names = existsSync(published) ? visibleIn(published) : [];
  return names.filter((name) => !/^\d{6,}-/.test(name)).map((name) => foreignFile(join(published, name)));
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
 * Finds the published folder with a publication's number and the content of `snapshot`. `foreign` folders have the
 * number but different content, or are not snapshots.
 */
export async function findPublished(published: string, snapshot: string, sequence: number) {
  const names = existsSync(published) ? readdirSync(published).sort() : [];
  const [content, foreign] = [await contentHash(snapshot), [] as string[]];
  for (const name of names.filter((one) => one.startsWith(numbered(sequence, '')))) {
    const path = join(published, name);
    if ((await contentHash(path)) === content) return { found: path, foreign };
    foreign.push(path);
  }
  return { found: null, foreign };
}

/** The hash of a snapshot's content; null if the folder is not a snapshot. */
async function contentHash(folder: string): Promise<string | null> {
  try {
    return (await openSnapshot(folder)).contentHash;
  } catch (error) {
    if (error instanceof FaultyInput) return null;
    throw error;
  }
}
