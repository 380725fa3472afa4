import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { prefix } from '../../generator/contract/paths.ts';
import type { CursorSecrets } from '../lists/cursor-signing.ts';
import { createLog } from './log.ts';
import { MemoryRateLimiter } from './memory-rate-limiter.ts';
import { createMetricsServer } from './metrics.ts';
import type { ServeOptions } from './options.ts';
import { createSiteServer } from './server.ts';
import { limitHeapGrowth, type StopSignals } from './server-process.ts';

/** How far the heap may grow before it is collected again. Most of what a server holds is caches of a fixed size. */
const heapGrowthPercent = 25;

/** Less than ten seconds, after which a supervisor usually kills the process. */
const stopWithinMs = 8000;

/**
 * Serves a site until a signal ends the process. Resolves when the server listens. Rejects with an error of the system
 * when it cannot listen, and then keeps no port.
 */
export async function serve(options: ServeOptions, cursors: CursorSecrets, signals: StopSignals): Promise<void> {
  limitHeapGrowth(heapGrowthPercent);
  const { ratePerMinute, maxConnections, metricsPort } = options;
  const { log, close } = createLog(options.logLevel);
  const { server, metrics, publication, stop } = createSiteServer({
    ...options,
    log,
    limiter: ratePerMinute === 0 ? null : new MemoryRateLimiter(ratePerMinute),
    cursorSecrets: cursors.secrets,
    withMetrics: metricsPort !== null,
    limits: { maxConnections },
  });
  // So that the first request need not wait, and the log says at once if there is none.
  await publication.view();
  const metricsServer = metrics && createMetricsServer(metrics, log);
  if (metricsServer && metricsPort !== null) {
    const url = await listen(metricsServer, metricsPort, options.metricsHost);
    log.info(`metrics are at ${url}/metrics`);
  }
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
  try {
    const url = await listen(server, options.port, options.host);
    console.log(`Shelfpress serves ${options.dist} at ${url}${prefix}`);
  } catch (error) {
    metricsServer?.close();
    throw error;
  }
  if (cursors.isRandom) {
    log.warn('CURSOR_SECRET is not set: cursors end with this process, and other processes do not know them');
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
