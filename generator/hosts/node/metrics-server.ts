import { createServer, type Server } from 'node:http';
import { answerHalfClosed } from './half-closed.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Enough for every scraper at hand. */
const maxConnections = 32;
const idleTimeoutMs = 30_000;

/** A server of the metrics and nothing else, on a port that readers need not reach. It is not listening yet. */
export function createMetricsServer(metrics: Metrics, log: Log): Server {
  const server = createServer(async ({ method = '', url }, response) => {
    const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
    if (url !== '/metrics') return response.writeHead(404, headers).end();
    if (method !== 'GET' && method !== 'HEAD') return response.writeHead(405, { ...headers, Allow: 'GET, HEAD' }).end();
    try {
      const text = await metrics.text();
      response.writeHead(200, { ...headers, 'Content-Type': metrics.contentType });
      response.end(method === 'HEAD' ? undefined : text);
    } catch (error) {
      log.error({ err: error }, 'the metrics could not be gathered');
      response.writeHead(500, headers).end();
    }
  });
  server.maxConnections = maxConnections;
  server.setTimeout(idleTimeoutMs);
  answerHalfClosed(server);
  return server;
}
