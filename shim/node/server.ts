import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addresser } from '../../contract/paths.ts';
import { Handler } from '../handler.ts';
import { QuestionQueue } from '../question-queue.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { CurrentPublication } from '../site/current-publication.ts';
import { canonicalAddress } from './client-address.ts';
import { Exchange } from './exchange.ts';
import { type Log, logRequest, shimLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { nodeHash, threadCompressor } from './node-host.ts';
import { defaultLimits, type Limits, type ServeOptions } from './options.ts';
import { type Refusal, refuseMalformed, refuseTunnel } from './refusals.ts';
import { Responder } from './responder.ts';
import { SiteFolder } from './site-folder.ts';
import { VerifiedFiles } from './verified-file.ts';

/** A request checks the pointer itself if it was last checked longer ago than this. */
const pointerCheckMs = 250;

/** How often the server checks the pointer, so that no request has to. */
const pollEveryMs = 100;

/**
 * Bytes of memory for parsed objects: what comparisons need for ten thousand products, and a few hundred pages of
 * changes.
 */
const parsedBytes = 48 * 1024 * 1024;

/** Each question being answered holds its documents in memory, and can parse some of them before others get a turn. */
const questionLimits = { running: 3, runningPerClient: 2, waiting: 1024, waitingPerClient: 128 };

type SiteServerOptions = Pick<ServeOptions, 'dist' | 'baseUrl' | 'clientAddress' | 'logRequests'> & {
  readonly log: Log;
  readonly limiter: RateLimiter | null;
  readonly cursorSecrets: readonly [string, ...string[]];
  readonly withMetrics: boolean;
  readonly limits?: Partial<Limits>;
};

type SiteServer = {
  readonly server: Server;
  /** The server's metrics; null unless `withMetrics`. */
  readonly metrics: Metrics | null;
  readonly publication: CurrentPublication;
  /** Starts checking the pointer, so that no request has to. */
  readonly follow: () => void;
  /**
   * Accepts no new connections, finishes answers in progress, and closes connections that are idle. Connections that
   * are still busy after `patienceMs` are cut.
   */
  readonly stop: (patienceMs: number) => Promise<void>;
};

type Connection = {
  /** The canonical address at the other end of the connection. */
  readonly peer: string;
  /** The requests that are not answered yet. The first one is being answered, with one open file. */
  readonly unanswered: Exchange[];
};

/** An HTTP server over a built site. It is not listening yet. */
export function createSiteServer(options: SiteServerOptions): SiteServer {
  const { dist, baseUrl, log, logRequests, clientAddress, limiter, cursorSecrets } = options;
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
  const connections = new WeakMap<Socket, Connection>();

  // `Exchange.isMisaddressed` covers a missing Host field, as well as the field's other faults.
  const server = createServer({ ...limits, requireHostHeader: false }, receive);
  server.maxConnections = limits.maxConnections;
  server.setTimeout(limits.idleTimeout);
  const metrics = options.withMetrics ? new Metrics(server, publication) : null;
  server.on('connection', (socket) =>
    connections.set(socket, { peer: canonicalAddress(socket.remoteAddress ?? 'unknown'), unanswered: [] }),
  );
  server.on('drop', () => metrics?.connectionRefused());
  // Bodies are never read, so the server does not send 100 Continue. Other expectations do not change an answer.
  server.on('checkContinue', receive);
  server.on('checkExpectation', receive);
  server.on('connect', (request) => refuse(request.socket, () => refuseTunnel(address, request)));
  server.on('clientError', (error, socket) => refuse(socket as Socket, () => refuseMalformed(address, error, socket)));

  /** Answers the requests of a connection one after the other, RFC 9112 9.3.2. */
  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = connections.get(socket);
    // Node goes on with requests that it read together with the one for which the connection was closed.
    if (!connection || !socket.writable) return;
    const { peer, unanswered } = connection;
    noteSharedLimit(request, peer);
    const exchange = new Exchange(request, response, clientAddress(request, peer));
    unanswered.push(exchange);
    if (unanswered.length === 1) begin(exchange, unanswered);
    else if (unanswered.length > limits.maxWaitingRequests + 1) socket.destroy();
  }

  /** Says once that many readers share one rate limit, because their proxy does not tell them apart. */
  function noteSharedLimit(request: IncomingMessage, peer: string): void {
    if (limiter === null || isSharingNoted) return;
    const reason = clientAddress.anonymizes(request, peer);
    if (reason === null) return;
    isSharingNoted = true;
    log.warn(reason);
  }

  function begin(exchange: Exchange, unanswered: Exchange[]): void {
    const { response } = exchange;
    metrics?.began();
    response.on('close', () => end(exchange, unanswered));
    if (exchange.hasBody || isStopping) response.setHeader('Connection', 'close');
    void responder.respond(exchange);
  }

  function end(exchange: Exchange, unanswered: Exchange[]): void {
    exchange.end();
    logRequest(log, logRequests, exchange);
    metrics?.finished(exchange);
    unanswered.shift();
    const next = unanswered[0];
    if (next?.request.socket.writable) begin(next, unanswered);
    else if (isStopping) server.closeIdleConnections();
  }

  /**
   * Refuses bytes that are not a request. Cuts the connection of a client that still waits for an answer, because the
   * client would take the refusal for a part of that answer.
   */
  function refuse(socket: Socket, say: () => Refusal): void {
    const connection = connections.get(socket);
    // If it is not writable, the client has gone or was refused before.
    if (!connection || !socket.writable) return;
    if (connection.unanswered.length > 0) return void socket.destroy();
    const refusal = say();
    if (logRequests) log.info({ ...refusal, client: connection.peer }, 'refused');
  }

  let polling: NodeJS.Timeout | undefined;
  const follow = (): void => {
    polling = setInterval(() => void publication.check(), pollEveryMs).unref();
  };
  const stop = async (patienceMs: number): Promise<void> => {
    isStopping = true;
    clearInterval(polling);
    const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
    await new Promise((resolve) => server.close(resolve));
    clearTimeout(cut);
  };
  return { server, metrics, publication, follow, stop };
}
