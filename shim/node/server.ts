import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addresser } from '../../contract/paths.ts';
import { Handler } from '../handler.ts';
import { QuestionQueue } from '../question-queue.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { CurrentPublication } from '../site/current-publication.ts';
import { canonicalAddress } from './client-address.ts';
import { answerHalfClosed, Connections, Exchange } from './connections.ts';
import { type Log, logRequest, shimLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { nodeHash, threadCompressor } from './node-host.ts';
import { defaultLimits, type Limits, type ServeOptions } from './options.ts';
import { type Refusal, refuseMalformed, refuseTunnel } from './refusals.ts';
import { Responder } from './responder.ts';
import { SiteFolder } from './site-folder.ts';
import { StalledReaders } from './stalled-readers.ts';
import { VerifiedFiles } from './verified-file.ts';

/** A request checks the pointer itself if it was last checked longer ago than this. */
const pointerCheckMs = 250;

/** How often the server checks the pointer, so that no request has to. */
const lookEveryMs = 100;

/**
 * Bytes of memory for parsed objects: what comparisons need for ten thousand products, and a few hundred pages of
 * changes.
 */
const parsedBytes = 48 * 1024 * 1024;

/** Each question being answered holds its documents in memory, and can parse some of them before others get a turn. */
const questionLimits = { running: 3, runningPerClient: 2, waiting: 1024, waitingPerClient: 128 };

type SiteServerOptions = Pick<ServeOptions, 'dist' | 'baseUrl' | 'clientAddress'> & {
  readonly log: Log;
  readonly limiter: RateLimiter | null;
  readonly cursorSecrets: readonly [string, ...string[]];
  readonly withMetrics: boolean;
  readonly limits?: Partial<Limits>;
};

type SiteServer = {
  readonly server: Server;
  /** Null unless `withMetrics`. */
  readonly metrics: Metrics | null;
  readonly publication: CurrentPublication;
  /** Starts checking the pointer, so that no request has to. */
  readonly follow: () => void;
  /** Finishes the requests in progress and then closes. Connections that are still busy after `patienceMs` are cut. */
  readonly stop: (patienceMs: number) => Promise<void>;
};

/** An HTTP server over a built site. It is not listening yet. */
export function createSiteServer(options: SiteServerOptions): SiteServer {
  const { dist, baseUrl, log, clientAddress, limiter, cursorSecrets } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const address = addresser(baseUrl);
  const site = new SiteFolder(dist);
  const publication = new CurrentPublication({
    source: site,
    log: shimLog(log),
    checkEveryMs: pointerCheckMs,
    sharesReadings: true,
    keptBytes: parsedBytes,
    hash: nodeHash,
  });
  const handler = new Handler({
    publication,
    address,
    log: shimLog(log),
    limiter,
    cursorSecrets,
    queue: new QuestionQueue(questionLimits, setImmediate),
    compressor: threadCompressor,
    now: Date.now,
  });
  let isStopping = false;
  let isSharingNoted = false;
  const files = new VerifiedFiles(site);
  const responder = new Responder({ handler, files, publication, isStopping: () => isStopping, log });
  const connections = new Connections({ maxWaiting: limits.maxWaitingRequests, begin, end });
  const metrics = options.withMetrics ? new Metrics(connections, publication) : null;

  // `Exchange.isMisaddressed` covers a missing Host field, as well as the field's other faults.
  const server = createServer({ ...limits, requireHostHeader: false }, receive);
  server.maxConnections = limits.maxConnections;
  server.setTimeout(limits.idleTimeout);
  answerHalfClosed(server);
  server.on('connection', (socket: Socket) =>
    connections.add(socket, canonicalAddress(socket.remoteAddress ?? 'unknown')),
  );
  server.on('drop', () => metrics?.connectionRefused());
  // Bodies are never read, so the server does not send 100 Continue. Other expectations do not change an answer.
  server.on('checkContinue', receive);
  server.on('checkExpectation', receive);
  server.on('connect', (request, socket) => {
    // Node has let go of a connection that asks for a tunnel, and does not finish an earlier answer on it.
    if (connections.of(socket)?.current) socket.destroy();
    else refuse(socket, () => refuseTunnel(address, request, socket));
  });
  server.on('clientError', (error, socket) => refuse(socket, () => refuseMalformed(address, error, socket)));

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.of(request.socket);
    // Ignores requests that Node read along with the bytes that ended the connection.
    if (!connection || request.socket.destroyed) return;
    noteSharedLimit(request, connection.peer);
    const exchange = new Exchange(request, response, clientAddress(request, connection.peer));
    connections.take(connection, exchange);
  }

  /** Says once that many readers share one rate limit, because their proxy does not tell them apart. */
  function noteSharedLimit(request: IncomingMessage, peer: string): void {
    if (limiter === null || isSharingNoted) return;
    const reason = clientAddress.anonymizes(request, peer);
    if (reason === null) return;
    isSharingNoted = true;
    log.warn(reason);
  }

  function begin(exchange: Exchange): void {
    if (exchange.hasBody || isStopping) exchange.response.shouldKeepAlive = false;
    void responder.respond(exchange);
  }

  function end(exchange: Exchange): void {
    exchange.end();
    logRequest(log, exchange);
    metrics?.finished(exchange);
  }

  /**
   * Refuses bytes that are not a request. If earlier requests are not answered yet, it only lets the connection end,
   * because the client would take the refusal for part of an answer.
   */
  function refuse(socket: Duplex, say: () => Refusal | null): void {
    const connection = connections.of(socket);
    if (!connection || !socket.writable) return void socket.destroy();
    if (connection.current !== null || connection.isEnding) return void connections.finish(connection);
    const refusal = say();
    if (refusal) log.info({ ...refusal, client: connection.peer }, 'refused');
  }

  const stalled = new StalledReaders(limits.stallTimeout);
  let checking: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    checking = setInterval(() => stalled.cut(connections.sockets, performance.now()), limits.stallTimeout / 6).unref();
  });
  server.on('close', () => clearInterval(checking));

  let looking: NodeJS.Timeout | undefined;
  const follow = (): void => {
    looking = setInterval(() => void publication.check(), lookEveryMs).unref();
  };
  const stop = (patienceMs: number): Promise<void> => {
    isStopping = true;
    clearInterval(looking);
    return stopGracefully(server, patienceMs);
  };
  return { server, metrics, publication, follow, stop };
}

const idleCheckMs = 100;

/**
 * Accepts no new connections, lets answers in progress finish, and closes connections that become idle. Connections
 * that are still busy after `patienceMs` are cut. From now on, the server must send `Connection: close`; otherwise a
 * client could keep its connection busy with one request after another.
 */
async function stopGracefully(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
