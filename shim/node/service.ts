import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { CursorSecrets } from '../lists/cursor-signing.ts';
import { CurrentPublication } from '../site/current-publication.ts';
import { createLog } from './log.ts';
import { MemoryRateLimiter } from './memory-rate-limiter.ts';
import { createMetricsServer } from './metrics.ts';
import { nodeHash } from './node-host.ts';
import type { ServeOptions } from './options.ts';
import { createSiteServer } from './server.ts';
import { limitHeapGrowth, type StopSignals } from './server-process.ts';
import { SiteFolder } from './site-folder.ts';

/** How far the heap grows before it is collected again. Most of a server's memory is caches of a fixed size. */
const heapGrowthPercent = 25;

/** The milliseconds that a stop may take: less than the ten seconds after which supervisors usually kill a process. */
const stopWithinMs = 8000;

/** Why a folder has nothing to serve; null if it does. */
export async function whyUnserved(folder: string): Promise<string | null> {
  let reason: string | null = null;
  const publication = new CurrentPublication({
    source: new SiteFolder(folder),
    log: (_level, message) => {
      reason = message;
    },
    checkEveryMs: 0,
    sharesReadings: true,
    keptBytes: 0,
    hash: nodeHash,
  });
  return (await publication.view()) === null ? reason : null;
}

/**
 * Serves a site until a signal ends the process. `fill` fills the folder while the server is already listening.
 * Resolves with the server's URL when it can answer. Rejects with a system error if it cannot listen, and then occupies
 * no port.
 */
export async function serve(
  options: ServeOptions,
  cursors: CursorSecrets,
  signals: StopSignals,
  fill: (() => Promise<void>) | null = null,
): Promise<string> {
  limitHeapGrowth(heapGrowthPercent);
  const { ratePerMinute, maxConnections, metricsPort } = options;
  const { log, close } = createLog(options.logLevel, options.log);
  const { server, metrics, publication, follow, stop } = createSiteServer({
    ...options,
    log,
    limiter: ratePerMinute === 0 ? null : new MemoryRateLimiter(ratePerMinute),
    cursorSecrets: cursors.secrets,
    withMetrics: metricsPort !== null,
    limits: { maxConnections },
  });
  const url = await listen(server, options.port, options.host);
  const metricsServer = metrics && createMetricsServer(metrics, log);
  try {
    if (metricsServer && metricsPort !== null) {
      const metricsUrl = await listen(metricsServer, metricsPort, options.metricsHost);
      log.info(`metrics are at ${metricsUrl}/metrics`);
    }
    await fill?.();
  } catch (error) {
    server.close();
    throw error;
  }
  // Read now, so that the first request does not wait, and the log says at once if there is no publication.
  await publication.view();
  follow();
  signals.handTo({
    stop: () => {
      log.info('stopping');
      void stop(stopWithinMs)
        .then(close)
        .then(() => process.exit(0));
    },
    abort: () => {
      log.warn('stopping at once');
      process.exit(1);
    },
  });
  // Someone who tries a site in a terminal needs no secret.
  if (cursors.isRandom && options.log === 'json') {
    log.warn('CURSOR_SECRET is not set: pagination cursors will stop working after a restart, and in other processes');
  }
  return url;
}

/** Starts listening, and resolves with the URL. */
async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${actualPort}`;
}
