import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { changeType } from '../../contract/schemas/change.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import { Failure } from '../files/failure.ts';
import { acquireLock } from '../files/file-lock.ts';
import { HttpClient } from '../http/http-client.ts';
import { RemoteSite } from '../site/remote-site.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { sizeText } from '../terminal/texts.ts';
import { readPublicKey } from '../trust/keys.ts';
import { continueFrom } from '../trust/pointer-trust.ts';
import { type EventSink, fileSink, isStream, regularFile, streamSink } from './follow/event-sinks.ts';
import { feedReader } from './follow/feed-reader.ts';
import { type Following, writeNewEvents } from './follow/follow.ts';
import {
  beginning,
  comparePositions,
  type Position,
  readPosition,
  savePosition,
  WriteFailure,
} from './follow/position.ts';
import { headersFor, headersOption, parseSiteUrl, redirectOption, wholeNumber } from './options.ts';

type Options = {
  state?: string;
  output?: string;
  types?: ReadonlySet<ChangeType>;
  once?: true;
  restart: boolean;
  interval: number;
  allowRedirectsTo?: readonly string[];
  key?: string;
  headers?: string;
};

/** Prints the change events after a saved position as NDJSON, oldest first, each of them once. */
export function defineFollow(command: Command, output: Output): void {
  command
    .argument('<url>', 'public root of the site, with or without /v1', parseSiteUrl)
    .option('--state <file>', 'save the position in this file; without it, start with the oldest retained event')
    .option(
      '--output <file>',
      'append to this file instead of printing; events that it already has are not written again',
    )
    .option('--types <list>', 'only events of these types, comma-separated', parseTypes)
    .option(
      '--key <file>',
      'with --state: public key that must have signed the pointer; refuse an older or a different history',
    )
    .option('--restart', 'forget the saved position and start again with the oldest retained event', false)
    .addOption(new Option('--once', 'print the existing events, then exit').conflicts('interval'))
    .addOption(
      new Option('--interval <seconds>', 'seconds between checks for new events, 1 to 86400')
        .default(60)
        .argParser(wholeNumber(1, 86_400)),
    )
    .addOption(redirectOption())
    .addOption(headersOption())
    .action((url: string, options: Options) => {
      if (options.key !== undefined && options.state === undefined) command.error('error: --key needs --state');
      return follow(url, options, output);
    });
  withExample(command, 'shelfpress follow http://127.0.0.1:8080 --state position.json --once');
}

async function follow(root: string, options: Options, output: Output): Promise<void> {
  const state = options.state === undefined ? null : regularFile(options.state, 'a file to keep the position in');
  const file =
    options.output === undefined || isStream(options.output)
      ? null
      : regularFile(options.output, 'a file to append to');
  if (state !== null && state === file)
    throw new Failure('wrong_value', `${state}: expected different files for --state and --output, got the same`);
  const closing: (() => void)[] = [];
  try {
    for (const path of [state, file]) if (path !== null) closing.push(lock(path));
    if (options.restart && file !== null) requireEmpty(file);
    const sink = file === null ? streamSink(options.output ?? null) : fileSink(file);
    closing.push(() => sink.close());
    const trust = trustIn(root, options, state);
    closing.push(() => trust.stop());
    await followInto(sink, root, { ...options, state, trust: trust.look }, output);
  } finally {
    for (const close of closing.reverse()) close();
  }
}

/** Checks the pointer with `--key`, and remembers what was seen in a file beside the position. */
function trustIn(root: string, { key: keyFile, headers, allowRedirectsTo }: Options, state: string | null) {
  if (keyFile === undefined || state === null) return { look: async () => undefined, stop: () => undefined };
  const seen = `${state}.checkpoint`;
  const client = new HttpClient({ redirectsTo: allowRedirectsTo, siteHeaders: headersFor(root, headers) });
  const remote = new RemoteSite(root, client, readPublicKey(keyFile));
  const look = async () => {
    const { signed } = await remote.current();
    if (signed === null) throw new Error('a pointer without a signature passed for one with a signature');
    await continueFrom(seen, root, signed, Date.now());
  };
  return { look, stop: () => client.stop() };
}

/** A file has one history, so `--restart` needs a file without events. */
function requireEmpty(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  throw new Failure('already_there', `${file}: --restart needs a new file, got one of ${sizeText(size)}; name another`);
}

/**
 * Two runs would both write every event. The lock is a separate file, because the file itself is replaced, or read by
 * others. Returns a function that releases the lock.
 */
function lock(file: string): () => void {
  const held = acquireLock(`${file}.lock`);
  if (held === null) throw new Failure('busy', `another follow is writing to ${file}: wait until it ends`);
  return () => held.release();
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** The options that are in force. `trust` throws a Failure if the pointer cannot be trusted. */
type Settings = Omit<Options, 'state'> & { readonly state: string | null; readonly trust: () => Promise<void> };

async function followInto(sink: EventSink, root: string, settings: Settings, output: Output): Promise<void> {
  const { state, types = null } = settings;
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of signals) process.once(signal, onSignal);
  const notice = (text: string) => output.error(`shelfpress: ${root}: ${text}`);
  const noticed = new Set<string>();
  const following: Following = {
    reader: feedReader(root, {
      redirectsTo: settings.allowRedirectsTo,
      siteHeaders: headersFor(root, settings.headers),
    }),
    sink,
    types,
    save: (position) => state !== null && savePosition(state, position),
    notice,
    noticeOnce: (text) => {
      if (!noticed.has(text)) notice(text);
      noticed.add(text);
    },
    // Events printed at the terminal show the progress themselves.
    progress: (event, newest) => settings.output !== undefined && output.progress('events', event, newest),
    isStopped: () => stop.signal.aborted,
  };
  try {
    const saved = state === null || settings.restart ? beginning : readPosition(state);
    await followOn(following, [saved, sink.reached], settings, stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

/** The first poll must succeed. A later one that fails, for instance while the site is down, is repeated. */
async function followOn(
  following: Following,
  reached: readonly Position[],
  { once, interval, trust }: Settings,
  signal: AbortSignal,
): Promise<void> {
  const [earlier = beginning, start = beginning] = [...reached].sort(comparePositions);
  let position = start;
  const save = (next: Position) => {
    following.save(next);
    position = next;
  };
  await trust();
  await writeNewEvents({ ...following, save }, position, earlier);
  // An interrupted run may have written events but not their position.
  if (position === start && earlier !== start && comparePositions(earlier, start) < 0) save(start);
  while (!once && !signal.aborted) {
    await sleep(interval * 1000, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return;
    try {
      await trust();
      await writeNewEvents({ ...following, save }, position);
    } catch (error) {
      if (!(error instanceof Failure) || error instanceof WriteFailure) throw error;
      following.notice(`${error.message}; trying again in ${interval} s`);
    }
  }
}

function parseTypes(text: string): ReadonlySet<ChangeType> {
  const types = text.split(',').map((name) => changeType.safeParse(name));
  const wrong = types.findIndex(({ success }) => !success);
  if (wrong >= 0) {
    throw new InvalidArgumentError(`expected types of ${changeType.options.join(', ')}, got ${text.split(',')[wrong]}`);
  }
  return new Set(types.flatMap(({ data }) => data ?? []));
}
