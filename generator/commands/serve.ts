import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CursorSecrets } from '../../shim/lists/cursor-signing.ts';
import { type ClientAddress, clientAddress } from '../../shim/node/client-address.ts';
import { defaultLimits, type LogLevel, logLevels, type ServeOptions } from '../../shim/node/options.ts';
import { StopSignals } from '../../shim/node/server-process.ts';
import { addresser, pointerFile } from '../contract/paths.ts';
import { explainFile, Failure } from '../failure.ts';
import { type Output, withExample } from './command-line.ts';
import { wholeNumber } from './options.ts';

/** What fills the default folder when it has no publication. */
type Filling = (dist: string) => Promise<void>;

/**
 * `serve`: a built site over HTTP, with the whole API. The signals are handled as soon as the command is defined, because
 * the modules of the server are loaded later.
 */
export function defineServe(command: Command, _output: Output, fill: Filling | null = null): void {
  const signals = new StopSignals();
  addServeOptions(command);
  command
    .showHelpAfterError(false)
    .addHelpText(
      'after',
      `
An option overrides its environment variable. The secret that signs cursors comes from the environment only:
CURSOR_SECRET, at least 16 characters, and CURSOR_SECRET_PREVIOUS, the secret before it.`,
    )
    .action(async () => {
      const { isDefaultDist, ...options } = serveOptionsOf(command);
      const { cursorSecrets } = await import('../../shim/lists/cursor-signing.ts');
      const secrets = readSecrets(command, cursorSecrets);
      refuseFile(options.dist);
      if (fill && isDefaultDist && !existsSync(join(options.dist, pointerFile))) await fill(options.dist);
      const { serve } = await import('../../shim/node/service.ts');
      await explainListening(serve(options, secrets, signals));
    });
  withExample(command, 'shelfpress serve --dist dist --port 8080\n  curl http://127.0.0.1:8080/v1');
}

/** A folder that is not there yet may come. What is no folder will never be one. */
function refuseFile(dist: string): void {
  const stats = explainFile(dist, 'the folder of a site', () => statSync(dist, { throwIfNoEntry: false }));
  if (stats?.isDirectory() === false)
    throw new Failure('site_missing', `${dist}: expected the folder of a site, got a file`);
}

/** The secrets of the environment. A secret that cannot be used is wrong usage. */
function readSecrets(command: Command, read: (environment: NodeJS.ProcessEnv) => CursorSecrets): CursorSecrets {
  try {
    return read(process.env);
  } catch (error) {
    return command.error(`error: ${(error as Error).message}`);
  }
}

/** The system calls that fail when an address cannot be listened on. */
const listening = ['listen', 'bind', 'getaddrinfo'];

async function explainListening(served: Promise<void>): Promise<void> {
  try {
    await served;
  } catch (error) {
    const { syscall = '', message } = error as NodeJS.ErrnoException;
    throw listening.includes(syscall) ? new Failure('cannot_listen', `cannot serve: ${message}`) : error;
  }
}

/** The options as commander names them. */
type Parsed = Omit<ServeOptions, 'ratePerMinute' | 'clientAddress'> & {
  readonly rateLimit: number;
  readonly trustProxy: ClientAddress;
};

const parsePort = wholeNumber(0, 65_535);

/** Each option of `serve`, with the environment variable that it overrides. */
const options: readonly Option[] = [
  new Option('--dist <dir>', 'folder of the site').env('DIST').default('dist'),
  new Option('--host <address>', 'address to listen on').env('HOST').default('127.0.0.1'),
  new Option('--port <port>', 'port to listen on, 0 for any free port').env('PORT').default(8080).argParser(parsePort),
  new Option('--base-url <url>', 'public URL of the site, for the links to problem descriptions')
    .default(null, 'none, absolute paths')
    .argParser(parseBaseUrl),
  new Option(
    '--rate-limit <count>',
    'comparisons, searches and selections per client and minute, 0 for no limit; an expensive request counts as several',
  )
    .env('RATE_LIMIT_PER_MINUTE')
    .default(120)
    .argParser(wholeNumber(0, 1_000_000)),
  new Option(
    '--trust-proxy <list>',
    'proxies that may set X-Forwarded-For: addresses, subnets, loopback, linklocal, uniquelocal, comma-separated',
  )
    .env('TRUST_PROXY')
    .default(clientAddress([]), 'none, the header is ignored')
    .argParser(parseProxies),
  new Option('--max-connections <count>', 'maximum number of open connections')
    .env('MAX_CONNECTIONS')
    .default(defaultLimits.maxConnections)
    .argParser(wholeNumber(1, 1_000_000)),
  new Option('--metrics-port <port>', 'serve Prometheus metrics at /metrics on this port, 0 for any free port')
    .env('METRICS_PORT')
    .default(null, 'no metrics')
    .argParser(parsePort),
  new Option('--metrics-host <address>', 'address to serve /metrics on, independent of --host')
    .env('METRICS_HOST')
    .default('127.0.0.1'),
  new Option('--log-level <level>', `${logLevels.slice(0, -1).join(', ')} or silent`)
    .env('LOG_LEVEL')
    .default('info')
    .argParser(parseLevel),
];

/** Gives a command the options of `serve`. */
function addServeOptions(command: Command): void {
  for (const option of options) {
    // An empty variable counts as unset.
    if (option.envVar && process.env[option.envVar] === '') delete process.env[option.envVar];
    command.addOption(option);
  }
}

/** The options of a parsed command line. `isDefaultDist`: the user did not choose the folder. */
function serveOptionsOf(command: Command): ServeOptions & { readonly isDefaultDist: boolean } {
  const { rateLimit, trustProxy, ...rest } = command.opts<Parsed>();
  const isDefaultDist = command.getOptionValueSource('dist') === 'default';
  return { ...rest, isDefaultDist, ratePerMinute: rateLimit, clientAddress: trustProxy };
}

function parseBaseUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(addresser(text)('/'))) return text;
  throw new InvalidArgumentError(`the base URL starts with http:// or https://, got '${text}'`);
}

function parseProxies(text: string): ClientAddress {
  try {
    return clientAddress(text.split(',').map((entry) => entry.trim()));
  } catch (error) {
    throw new InvalidArgumentError(`the proxies to trust: ${(error as Error).message}`);
  }
}

function parseLevel(text: string): LogLevel {
  const level = logLevels.find((candidate) => candidate === text);
  if (!level) throw new InvalidArgumentError(`the log level is one of ${logLevels.join(', ')}, got '${text}'`);
  return level;
}
