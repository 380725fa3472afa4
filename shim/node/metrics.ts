import { createServer, type Server } from 'node:http';
import { promisify } from 'node:util';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CurrentPublication } from '../site/current-publication.ts';
import type { PublicationView } from '../site/publication-view.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';

/**
 * The bounds of the histogram of durations, in seconds. A precomputed answer takes a tenth of a millisecond; a large
 * download by a slow client takes minutes.
 */
const durationBuckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120,
];

/** Labels of a request whose client went away before the answer. */
const unanswered = { resource: 'none', status: 'none' } as const;

/** The server's metrics in Prometheus' text format. The values of every label are a short, fixed list. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter('http_requests_total', 'Requests answered', ['resource', 'status']);
  readonly #bytes = this.#counter('http_response_body_bytes_total', 'Bytes of bodies sent', ['resource']);
  readonly #limited = this.#counter('rate_limited_total', 'Requests refused by the rate limit');
  readonly #refused = this.#counter('http_connections_refused_total', 'Connections closed because there were too many');
  readonly #inFlight = this.#gauge('http_requests_in_flight', 'Requests being answered');
  readonly #duration = new Histogram({
    name: 'shelfpress_http_request_duration_seconds',
    help: 'Time from the end of a request head to the last byte of its answer',
    labelNames: ['resource'],
    buckets: durationBuckets,
    registers: [this.#registry],
  });

  constructor(server: Server, publication: CurrentPublication) {
    collectDefaultMetrics({ register: this.#registry });
    const connections = promisify(server.getConnections.bind(server));
    this.#gauge('http_connections', 'Open connections', async (gauge) => gauge.set(await connections()));
    const current = (of: (view: PublicationView) => number) => async (gauge: Gauge) => {
      const view = await publication.view();
      if (view) gauge.set(of(view));
      else gauge.remove();
    };
    const publishedAt = current((view) => Date.parse(view.publishedAt) / 1000);
    this.#gauge(
      'publication_sequence',
      'The publication being served',
      current(({ sequence }) => sequence),
    );
    this.#gauge(
      'publication_published_timestamp_seconds',
      'When the publication being served was published',
      publishedAt,
    );
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  began(): void {
    this.#inFlight.inc();
  }

  /** The label `resource` is one of about sixty kinds of address, never an address itself. */
  finished({ answer, bytes, seconds }: Exchange): void {
    const { resource, status } = answer ?? unanswered;
    this.#inFlight.dec();
    this.#requests.inc({ resource, status });
    this.#bytes.inc({ resource }, bytes);
    this.#duration.observe({ resource }, seconds);
    if (status === 429) this.#limited.inc();
  }

  connectionRefused(): void {
    this.#refused.inc();
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name: `shelfpress_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #gauge(name: string, help: string, collect?: (gauge: Gauge) => Promise<void>): Gauge {
    return new Gauge({
      name: `shelfpress_${name}`,
      help,
      registers: [this.#registry],
      async collect() {
        await collect?.(this);
      },
    });
  }
}

/** Connections that the metrics server accepts: enough for several scrapers. */
const maxConnections = 32;
const idleTimeoutMs = 30_000;

/** A server for metrics only, on a port that clients of the API need not reach. It is not listening yet. */
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
      log.error({ err: error }, 'could not collect the metrics');
      response.writeHead(500, headers).end();
    }
  });
  server.maxConnections = maxConnections;
  server.setTimeout(idleTimeoutMs);
  return server;
}
