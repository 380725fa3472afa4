import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ClientAddress, clientAddress } from '../../shim/node/client-address.ts';
import { defaultLimits, type LogLevel, logLevels, type ServeOptions } from '../../shim/node/options.ts';
import { addresser } from '../contract/paths.ts';

/** The options as commander names them. */
type Parsed = {
  readonly dist: string;
  readonly host: string;
  readonly port: number;
  readonly baseUrl?: string;
  readonly rateLimit: number;
  readonly trustProxy?: ClientAddress;
  readonly maxConnections: number;
  readonly metricsPort?: number;
  readonly metricsHost: string;
  readonly logLevel: LogLevel;
};

/** Each option of `serve`, with the environment variable that it overrides. */
const options: readonly Option[] = [
  new Option('--dist <dir>', 'folder of the site').env('DIST').default('dist'),
  new Option('--host <address>', 'address to listen on').env('HOST').default('127.0.0.1'),
  new Option('--port <port>', 'port to listen on, 0 for any free port')
    .env('PORT')
    .default(8080)
    .argParser((text) => parsePort('port', text)),
  new Option(
    '--base-url <url>',
    'public URL of the site, for the links to problem descriptions (default: none, absolute paths)',
  ).argParser(parseBaseUrl),
  new Option(
    '--rate-limit <count>',
    'comparisons, searches and selections per client and minute, 0 for no limit; an expensive request counts as several',
  )
    .env('RATE_LIMIT_PER_MINUTE')
    .default(120)
    .argParser((text) => parseNumber('rate limit', text, 0, 1_000_000)),
  new Option(
    '--trust-proxy <list>',
    'proxies that may set X-Forwarded-For: addresses, subnets, loopback, linklocal, uniquelocal, comma-separated (default: none, the header is ignored)',
  )
    .env('TRUST_PROXY')
    .argParser(parseProxies),
  new Option('--max-connections <count>', 'maximum number of open connections')
    .env('MAX_CONNECTIONS')
    .default(defaultLimits.maxConnections)
    .argParser((text) => parseNumber('number of connections', text, 1, 1_000_000)),
  new Option(
    '--metrics-port <port>',
    'serve Prometheus metrics at /metrics on this port, 0 for any free port (default: none)',
  )
    .env('METRICS_PORT')
    .argParser((text) => parsePort('metrics port', text)),
  new Option('--metrics-host <address>', 'address to serve /metrics on, independent of --host')
    .env('METRICS_HOST')
    .default('127.0.0.1'),
  new Option('--log-level <level>', `${logLevels.slice(0, -1).join(', ')} or silent`)
    .env('LOG_LEVEL')
    .default('info')
    .argParser(parseLevel),
];

/** Gives a command the options of `serve`. */
export function addServeOptions(command: Command): void {
  for (const option of options) {
    // An empty variable counts as unset.
    if (option.envVar && process.env[option.envVar] === '') delete process.env[option.envVar];
    command.addOption(option);
  }
}

/** The options of a parsed command line. `isDefaultDist`: the user did not choose the folder. */
export function serveOptionsOf(command: Command): ServeOptions & { readonly isDefaultDist: boolean } {
  const { rateLimit, trustProxy, baseUrl, metricsPort, ...rest } = command.opts<Parsed>();
  return {
    ...rest,
    isDefaultDist: command.getOptionValueSource('dist') === 'default',
    baseUrl: baseUrl ?? null,
    ratePerMinute: rateLimit,
    clientAddress: trustProxy ?? clientAddress([]),
    metricsPort: metricsPort ?? null,
  };
}

function parsePort(name: string, text: string): number {
  return parseNumber(name, text, 0, 65_535);
}

function parseNumber(name: string, text: string, minimum: number, maximum: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new InvalidArgumentError(`the ${name} is a number from ${minimum} to ${maximum}, got '${text}'`);
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
