import { parseArgs } from 'node:util';
import { addresser } from '../../generator/contract/paths.ts';
import { type CursorSecrets, cursorSecrets } from '../lists/cursor-signing.ts';
import { type ClientAddress, clientAddress } from './client-address.ts';
import { type LogLevel, logLevels } from './log.ts';
import { defaultLimits } from './server.ts';

export const help = `Serves a built site over HTTP, read-only.

Usage: npx tsx serve.ts [options]

  --dist DIR            folder of the site (DIST; default: dist; serve.ts builds the fixtures there if it is empty)
  --host ADDRESS        address to listen on (HOST; default: 127.0.0.1)
  --port PORT           port to listen on, 0 for any free port (PORT; default: 8080)
  --base-url URL        public URL of the site, for the links to problem descriptions (default: none, absolute paths)
  --rate-limit N        comparisons, searches and selections per client and minute, 0 for no limit; an expensive
                        request counts as several (RATE_LIMIT_PER_MINUTE; default: 120)
  --trust-proxy LIST    proxies that may set X-Forwarded-For: addresses, subnets, loopback, linklocal, uniquelocal,
                        comma-separated (TRUST_PROXY; default: none, the header is ignored)
  --max-connections N   maximum number of open connections (MAX_CONNECTIONS; default: ${defaultLimits.maxConnections})
  --metrics-port PORT   serve Prometheus metrics at /metrics on this port, 0 for any free port (METRICS_PORT;
                        default: none)
  --metrics-host ADDRESS
                        address to serve /metrics on, independent of --host (METRICS_HOST; default: 127.0.0.1)
  --log-level LEVEL     ${logLevels.slice(0, -1).join(', ')} or silent (LOG_LEVEL; default: info)
  --help                print this text

An option overrides its environment variable, which stands in parentheses. The secret that signs cursors comes from the
environment only: CURSOR_SECRET, at least 16 characters, and CURSOR_SECRET_PREVIOUS, the secret before it.

Example: npx tsx serve.ts --dist dist --port 8080
         curl http://127.0.0.1:8080/v1
`;

export type ServeOptions = {
  readonly dist: string;
  /** The user did not choose `dist`, so it may be filled with the fixtures. */
  readonly isDefaultDist: boolean;
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | null;
  /** Zero: no limit. */
  readonly ratePerMinute: number;
  readonly clientAddress: ClientAddress;
  readonly maxConnections: number;
  /** Null: no metrics. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  readonly logLevel: LogLevel;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Options from the command line, then the environment, then the defaults; 'help' when that is asked for. Throws a
 * {@link UsageError}.
 */
export function parseOptions(args: readonly string[], environment: Environment): ServeOptions | 'help' {
  const values = parseArguments(args);
  if (values.help) return 'help';
  // An empty variable counts as unset; an empty option is a mistake.
  const chosen = (option: keyof typeof values & string, variable: string | null): string | null => {
    if (values[option] === '') throw new UsageError(`--${option} expects a value, got an empty one`);
    return (values[option] as string | undefined) ?? (variable === null ? null : environment[variable] || null);
  };
  const dist = chosen('dist', 'DIST');
  const metricsPort = chosen('metrics-port', 'METRICS_PORT');
  return {
    dist: dist ?? 'dist',
    isDefaultDist: dist === null,
    host: chosen('host', 'HOST') ?? '127.0.0.1',
    port: parsePort('port', chosen('port', 'PORT') ?? '8080'),
    baseUrl: parseBaseUrl(chosen('base-url', null)),
    ratePerMinute: parseNumber('rate limit', chosen('rate-limit', 'RATE_LIMIT_PER_MINUTE') ?? '120', 0, 1_000_000),
    clientAddress: parseProxies(chosen('trust-proxy', 'TRUST_PROXY')),
    maxConnections: parseNumber(
      'number of connections',
      chosen('max-connections', 'MAX_CONNECTIONS') ?? String(defaultLimits.maxConnections),
      1,
      1_000_000,
    ),
    metricsPort: metricsPort === null ? null : parsePort('metrics port', metricsPort),
    metricsHost: chosen('metrics-host', 'METRICS_HOST') ?? '127.0.0.1',
    logLevel: parseLevel(chosen('log-level', 'LOG_LEVEL') ?? 'info'),
  };
}

function parseArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        dist: text,
        host: text,
        port: text,
        'base-url': text,
        'rate-limit': text,
        'trust-proxy': text,
        'max-connections': text,
        'metrics-port': text,
        'metrics-host': text,
        'log-level': text,
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.replaceAll('\n', ' '));
  }
}

function parsePort(name: string, text: string): number {
  return parseNumber(name, text, 0, 65_535);
}

function parseNumber(name: string, text: string, minimum: number, maximum: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new UsageError(`the ${name} is a number from ${minimum} to ${maximum}, got '${text}'`);
}

function parseBaseUrl(text: string | null): string | null {
  const isUrl = text === null || (/^https?:\/\//.test(text) && URL.canParse(addresser(text)('/')));
  if (!isUrl) throw new UsageError(`the base URL starts with http:// or https://, got '${text}'`);
  return text;
}

function parseProxies(text: string | null): ClientAddress {
  try {
    return clientAddress(text === null ? [] : text.split(',').map((entry) => entry.trim()));
  } catch (error) {
    throw new UsageError(`the proxies to trust: ${(error as Error).message}`);
  }
}

function parseLevel(text: string): LogLevel {
  const level = logLevels.find((candidate) => candidate === text);
  if (!level) throw new UsageError(`the log level is one of ${logLevels.join(', ')}, got '${text}'`);
  return level;
}

export type Secrets = CursorSecrets;

/** The secrets that sign cursors. Throws a {@link UsageError}. */
export function secretsFrom(environment: Readonly<Record<string, string | undefined>>): Secrets {
  try {
    return cursorSecrets(environment);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Wrong usage; the message is for a person. */
export class UsageError extends Error {}
