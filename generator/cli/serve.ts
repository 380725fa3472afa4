import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addresser, explorerFile, pointerFile, prefix, siteLink } from '../../contract/paths.ts';
import type { CursorSecrets } from '../../shim/lists/cursor-signing.ts';
import { type ClientAddress, clientAddress } from '../../shim/node/client-address.ts';
import { defaultLimits, type LogLevel, logForms, logLevels, type ServeOptions } from '../../shim/node/options.ts';
import { StopSignals } from '../../shim/node/server-process.ts';
import { countOf, explainFile, Failure } from '../files/failure.ts';
import { refuseCredentials } from '../http/urls.ts';
import { isLink, linkTarget } from '../site/site-link.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { wholeNumber } from './options.ts';
import { servePlain } from './plain-server.ts';

/** The example fills a folder without a publication. `folder` makes the folder, if the user cannot choose it. */
type Example = {
  readonly fill: (folder: string, output: Output) => Promise<void>;
  readonly folder: (() => string) | null;
};

const usualFolder = 'dist';

/** Handles signals as soon as the command is defined, because the server's modules are loaded later. */
export function defineServe(command: Command, output: Output, example: Example | null = null): void {
  const signals = new StopSignals();
  const site = example?.folder ?? null;
  if (site === null) {
    command
      .argument('[site]', `folder of the site (default: "${usualFolder}"; env: SITE)`)
      .option('--wait', 'start even if there is no site yet, and serve it once the first build is done', false)
      .option(
        '--plain',
        'send files only, as a plain host does; also serves a folder of documents, such as a bundle',
        false,
      );
  }
  addServeOptions(command, site === null ? null : ['host', 'port']);
  if (site === null) command.addHelpText('after', aboutSecrets);
  command.action(async () => {
    const { wait = false, plain = false, ...options } = readServeOptions(command, site?.() ?? null);
    const folder = options.dist;
    refuseFile(folder);
    if (plain)
      return announce(
        options,
        await explainListening(
          options,
          servePlain(options, (message) => output.error(`shelfpress: ${message}`)),
        ),
        null,
        output,
      );
    const { cursorSecrets } = await import('../../shim/lists/cursor-signing.ts');
    const secrets = readSecrets(command, cursorSecrets);
    const { serve, whyUnserved } = await import('../../shim/node/service.ts');
    const isExample = example !== null && options.isDefault && !existsSync(join(folder, pointerFile));
    if (!wait && !isExample) refuseUnserved(folder, await whyUnserved(folder));
    const fill = isExample ? () => example.fill(folder, output) : null;
    const url = await explainListening(options, serve(options, secrets, signals, fill));
    output.clearProgress();
    announce(options, url, readFacts(folder), output);
  });
  withExample(command, ...(site === null ? ['shelfpress serve dist --port 8080'] : ['shelfpress demo']));
}

const aboutSecrets = `
An option overrides its environment variable. The secret that signs cursors comes from the environment only:
CURSOR_SECRET, at least 16 characters, and CURSOR_SECRET_PREVIOUS, the secret before it. All processes that
serve one site need the same.`;

function refuseUnserved(folder: string, reason: string | null): void {
  if (reason === null) return;
  if (existsSync(join(folder, pointerFile))) throw new Failure('site_damaged', `${folder} cannot be served: ${reason}`);
  throw new Failure('site_missing', `no site in ${folder} yet: shelfpress build makes one; --wait waits for it`);
}

type Facts = {
  readonly data: {
    readonly about: { readonly title: string | null; readonly agency: string | null } | null;
    readonly publication: { readonly sequence: number; readonly published_at: string };
    readonly counts: { readonly listed_products: number; readonly stores: number };
  };
  readonly meta: { readonly warnings: readonly { readonly code: string }[] };
};

/** The path of the current checkout. If there is no checkout yet, it is the link that will lead to one. */
function checkoutIn(folder: string): string {
  const link = join(folder, siteLink);
  return isLink(link) ? linkTarget(link) : siteLink;
}

/** What the site says about itself; null if there is no checkout yet. */
function readFacts(folder: string): Facts | null {
  const file = join(folder, checkoutIn(folder), 'v1', 'metadata.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Facts) : null;
}

/** Prints one line, or at a terminal everything that a person needs next. */
function announce({ dist }: ServeOptions, url: string, facts: Facts | null, output: Output): void {
  const hasPage = existsSync(join(dist, checkoutIn(dist), explorerFile));
  output.served(`Shelfpress serves ${dist} at ${url}${prefix}`, [
    ...(hasPage ? [{ title: 'Explorer', text: `${url}/`, style: 'cyan' } as const] : []),
    { title: 'API', text: `${url}${prefix}`, style: 'cyan' },
    { title: 'Data', text: facts === null ? 'nothing is published yet' : factsText(facts) },
    { title: 'Folder', text: dist },
    { title: 'Stop', text: 'Ctrl+C' },
  ]);
}

function factsText({ data: { about, publication, counts }, meta }: Facts): string {
  const amounts = `${countOf(counts.listed_products, 'product')}, ${countOf(counts.stores, 'store')}`;
  const invented = meta.warnings.some(({ code }) => code === 'FIXTURE_DATA') ? '; invented data' : '';
  const name = about?.title ?? about?.agency ?? null;
  return `${name === null ? '' : `${name}: `}publication ${publication.sequence} of ${publication.published_at.slice(0, 10)}, ${amounts}${invented}`;
}

/** Refuses a file in place of a folder. A folder that does not exist yet may be made later. */
function refuseFile(folder: string): void {
  const stats = explainFile(folder, 'the folder of a site', () => statSync(folder, { throwIfNoEntry: false }));
  if (stats?.isDirectory() === false)
    throw new Failure('site_missing', `${folder}: expected the folder of a site, got a file`);
}

/** Reads the secrets for cursors. A secret that cannot be used is wrong usage. */
function readSecrets(command: Command, read: (environment: NodeJS.ProcessEnv) => CursorSecrets): CursorSecrets {
  try {
    return read(process.env);
  } catch (error) {
    return command.error(`error: ${(error as Error).message}`);
  }
}

const refusals: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses this port: stop it, or choose another port with --port',
  EACCES: 'this port is for administrators only: choose one above 1023 with --port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
};

/** System calls that fail if it is impossible to listen on an address. */
const listening = ['listen', 'bind', 'getaddrinfo'];

async function explainListening({ host, port }: ServeOptions, served: Promise<string>): Promise<string> {
  try {
    return await served;
  } catch (error) {
    const { syscall = '', code = '', message, ...rest } = error as NodeJS.ErrnoException & { readonly port?: number };
    if (!listening.includes(syscall)) throw error;
    throw new Failure(
      'cannot_listen',
      `cannot listen on ${host} port ${rest.port ?? port}: ${refusals[code] ?? message}`,
    );
  }
}

type Parsed = Omit<ServeOptions, 'dist' | 'ratePerMinute' | 'clientAddress' | 'logRequests'> & {
  readonly wait?: boolean;
  readonly plain?: boolean;
  readonly rateLimit: number;
  readonly trustProxy: ClientAddress;
  readonly logRequests: 'true' | 'false' | null;
};

const parsePort = wholeNumber(0, 65_535);

const serveOptions = (): readonly Option[] => [
  new Option('--host <address>', 'address to listen on').env('HOST').default('127.0.0.1'),
  new Option('--port <port>', 'port to listen on, 0 for any free port').env('PORT').default(8080).argParser(parsePort),
  new Option('--base-url <url>', 'public URL of the site, for links to problem descriptions')
    .default(null, 'none, absolute paths')
    .argParser(parseBaseUrl),
  new Option(
    '--rate-limit <count>',
    'comparisons, searches and filtered lists per client and minute, 0 for no limit; an expensive request counts as several',
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
  new Option('--log-requests <choice>', 'whether to log a line for each request, not only for those that get a 5xx')
    .env('LOG_REQUESTS')
    .choices(['true', 'false'])
    .default(null, 'true with --log text, otherwise false'),
  new Option('--log <form>', 'log short lines of text, or lines of JSON')
    .env('LOG')
    .choices(logForms)
    .default(process.stderr.isTTY ? 'text' : 'json', 'text at a terminal, otherwise json'),
];

/** The help shows only the options in `shown`, or all if that is null. */
function addServeOptions(command: Command, shown: readonly string[] | null): void {
  for (const option of serveOptions()) {
    if (shown !== null && !shown.includes(option.name())) option.hideHelp();
    // An empty variable counts as unset.
    if (option.envVar && process.env[option.envVar] === '') delete process.env[option.envVar];
    command.addOption(option);
  }
}

/** `isDefault`: whether the user named no folder. */
function readServeOptions(command: Command, own: string | null) {
  const { rateLimit, trustProxy, ...rest } = command.opts<Parsed>();
  const [given] = command.args;
  const [fromSettings] = command.processedArgs as (string | undefined)[];
  const named = given ?? (process.env.SITE || fromSettings);
  const dist = own ?? named ?? usualFolder;
  const isDefault = own !== null || named === undefined;
  // A person starts the command without naming a site, even if its output goes through another program.
  const log = isDefault && command.getOptionValueSource('log') === 'default' ? 'text' : rest.log;
  const logRequests = rest.logRequests === null ? log === 'text' : rest.logRequests === 'true';
  return { ...rest, log, logRequests, dist, isDefault, ratePerMinute: rateLimit, clientAddress: trustProxy };
}

function parseBaseUrl(text: string): string {
  refuseCredentials(text);
  if (/^https?:\/\//.test(text) && URL.canParse(addresser(text)('/'))) return text;
  throw new InvalidArgumentError(`expected a base URL that starts with http:// or https://, got '${text}'`);
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
  if (!level) throw new InvalidArgumentError(`expected a log level of ${logLevels.join(', ')}, got '${text}'`);
  return level;
}
