import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { pointerFile, prefix } from './generator/contract/paths.ts';
import { createLog } from './shim/node/log.ts';
import { MemoryRateLimiter } from './shim/node/memory-rate-limiter.ts';
import { createMetricsServer } from './shim/node/metrics.ts';
import { help, parseOptions, type Secrets, type ServeOptions, secretsFrom, UsageError } from './shim/node/options.ts';
import { createSiteServer } from './shim/node/server.ts';

/** Less than ten seconds, after which a supervisor usually kills the process. */
const stopWithinMs = 8000;

async function main(args: readonly string[]): Promise<void> {
  const signals = new StopSignals();
  const options = parseOptions(args, process.env);
  if (options === 'help') {
    process.stdout.write(help);
    return;
  }
  const secrets = secretsFrom(process.env);
  if (options.isDefaultDist && !existsSync(join(options.dist, pointerFile))) await buildFixtures(options.dist);
  await serve(options, secrets, signals);
}

/** Builds the bundled fixtures, so that a fresh clone has something to serve. */
async function buildFixtures(dist: string): Promise<void> {
  console.error(`${dist} has no publication yet: building the bundled fixtures`);
  const preview = await import('./generator/preview.ts');
  await preview.buildFixtures(dist);
}

/** Resolves when the server listens. */
async function serve(options: ServeOptions, { secrets, isRandom }: Secrets, signals: StopSignals): Promise<void> {
  const { dist, clientAddress, ratePerMinute, maxConnections, metricsPort } = options;
  const logWithLines = createLog(options.logLevel);
  const { log, lines } = logWithLines;
  const { server, metrics, warm, stop } = createSiteServer({
    dist,
    baseUrl: options.baseUrl,
    log: logWithLines,
    clientAddress,
    limiter: ratePerMinute === 0 ? null : new MemoryRateLimiter(ratePerMinute),
    cursorSecrets: secrets,
    withMetrics: metricsPort !== null,
    limits: { maxConnections },
  });
  await warm();
  if (metrics && metricsPort !== null) {
    const url = await listen(createMetricsServer(metrics, log), metricsPort, options.metricsHost);
    log.info(`metrics are at ${url}/metrics`);
  }
  signals.handTo({
    stop: () => {
      log.info('stopping');
      void stop(stopWithinMs)
        .then(() => lines.close())
        .then(() => process.exit(0));
    },
    abort: () => {
      log.warn('stopping at once');
      process.exit(1);
    },
  });
  const url = await listen(server, options.port, options.host);
  console.log(`Shelfpress serves ${dist} at ${url}${prefix}`);
  if (isRandom) {
    log.warn('CURSOR_SECRET is not set: cursors end with this process, and other processes do not know them');
  }
}

/**
 * npm and tsx pass on a signal that the terminal has already sent to every process. Two signals within this time count
 * as one.
 */
const echoMs = 500;

type Reactions = { readonly stop: () => void; readonly abort: () => void };

/**
 * Reacts to signals that end a server. It listens as soon as it is made, because a signal may come while the process is
 * still starting. Until `handTo`, there is nothing to finish, and the process ends at once with exit code 0.
 */
class StopSignals {
  #reactions: Reactions = { stop: () => process.exit(0), abort: () => process.exit(1) };
  #stoppedAt: number | null = null;

  constructor() {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#react());
  }

  /** From now on, the first signal calls `stop`, and another one, from an impatient user, calls `abort`. */
  handTo(reactions: Reactions): void {
    this.#reactions = reactions;
  }

  #react(): void {
    if (this.#stoppedAt === null) {
      this.#stoppedAt = performance.now();
      this.#reactions.stop();
    } else if (performance.now() - this.#stoppedAt > echoMs) this.#reactions.abort();
  }
}

/** Starts to listen, and resolves with the URL. */
async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${actualPort}`;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(`serve: ${(error as Error).message}${isUsage ? ' (see --help)' : ''}`);
  process.exit(isUsage ? 2 : 1);
}
