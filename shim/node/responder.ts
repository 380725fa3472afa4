import type { IncomingMessage, ServerResponse } from 'node:http';
import serveHandler from 'serve-handler';
import type { ObjectReference } from '../../generator/contract/formats/site.ts';
import { commonHeaders } from '../../generator/contract/headers.ts';
import type { Answer, FileAnswer } from '../answer.ts';
import type { Handler } from '../handler.ts';
import type { ByteRange } from '../http/conditional.ts';
import type { CurrentPublication } from '../site/current-publication.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';
import type { ObjectBodies, ObjectBody } from './object-bodies.ts';
import type { VerifiedFile } from './verified-file.ts';

export type ResponderOptions = {
  readonly handler: Handler;
  readonly bodies: ObjectBodies;
  readonly probes: Probes;
  readonly log: Log;
};

type Body = string | Uint8Array | undefined;

/** Answers exchanges: sends what the handler decided. */
export class Responder {
  readonly #options: ResponderOptions;

  constructor(options: ResponderOptions) {
    this.#options = options;
  }

  /** Answers an exchange. Answers that are in memory already are sent at once, without a promise. Never throws. */
  respond(exchange: Exchange): void {
    const { handler, probes } = this.#options;
    try {
      if (exchange.isMisaddressed) {
        refuse(exchange);
        return;
      }
      const probe = probes.answer(exchange.method, exchange.target);
      const answer = probe ?? handler.answer(exchange);
      if (answer instanceof Promise || !this.#sendReady(exchange, answer)) void this.#respondLater(exchange, answer);
    } catch (error) {
      this.#breakOff(exchange, error);
    }
  }

  /** Never rejects. */
  async #respondLater(exchange: Exchange, first: Answer | Promise<Answer | ProbeAnswer>): Promise<void> {
    const { handler, bodies } = this.#options;
    try {
      let answer = await first;
      while (!this.#sendReady(exchange, answer)) {
        const file = answer as FileAnswer;
        try {
          return await this.#sendOpened(exchange, file, await bodies.open(file.object));
        } catch (error) {
          if (exchange.response.headersSent) throw error;
          answer = await handler.answerAfter(exchange, file, error);
        }
      }
    } catch (error) {
      this.#breakOff(exchange, error);
    }
  }

  /** Sends what is in memory; false for a file that has to be opened first. */
  #sendReady(exchange: Exchange, answer: Answer | ProbeAnswer): boolean {
    if (answer.kind !== 'file') {
      sendWhole(exchange, answer, 'body' in answer ? answer.body : undefined);
      return true;
    }
    const kept = answer.range === null ? this.#options.bodies.kept(answer.object) : undefined;
    if (kept) sendWhole(exchange, answer, kept);
    return kept !== undefined;
  }

  /** Closes the connection. The status may be out already, and a broken body must not look whole. */
  #breakOff(exchange: Exchange, error: unknown): void {
    this.#options.log.error({ id: exchange.id, err: error }, 'an answer broke off');
    exchange.response.destroy();
  }

  /** Sends a body that had to be opened: a small one that is not in memory, a part of one, or a large one. */
  async #sendOpened(exchange: Exchange, answer: FileAnswer, body: ObjectBody): Promise<void> {
    if (exchange.method !== 'HEAD') {
      exchange.answer = answer;
      return sendFile(exchange, answer, body, this.#options.log);
    }
    sendWhole(exchange, answer, undefined);
    if ('file' in body) await body.file.close();
  }
}

/** Refuses an exchange like bytes that are not a request: with a bare status and the end of the connection. */
function refuse(exchange: Exchange): void {
  exchange.response.shouldKeepAlive = false;
  const headers = { ...commonHeaders, 'Content-Length': '0' };
  exchange.answer = { status: 400, headers, resource: 'none' };
  send(exchange, 400, headers, undefined);
}

function sendWhole(exchange: Exchange, answer: Answer | ProbeAnswer, body: Body): void {
  exchange.answer = answer;
  send(exchange, answer.status, answer.headers, body);
}

function send(exchange: Exchange, status: number, headers: Readonly<Record<string, string>>, body: Body): void {
  const sent = exchange.method === 'HEAD' ? undefined : body;
  exchange.bytes = sent?.length ?? 0;
  exchange.response.writeHead(status, headers).end(sent);
}

export type ProbeAnswer = {
  readonly kind: 'probe';
  readonly resource: 'probe';
  readonly status: 200 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * Answers the requests of a supervisor, outside the contract's addresses. `/healthz` says whether the process answers
 * at all. `/readyz` says whether it should get requests: it has a publication to serve and is not stopping.
 */
export class Probes {
  readonly #publication: CurrentPublication;
  readonly #isStopping: () => boolean;

  constructor(publication: CurrentPublication, isStopping: () => boolean) {
    this.#publication = publication;
    this.#isStopping = isStopping;
  }

  /** Null for a request that is not a probe. Never rejects. */
  answer(method: string, target: string): Promise<ProbeAnswer> | null {
    if (method !== 'GET' && method !== 'HEAD') return null;
    if (target === '/healthz') return Promise.resolve(probeAnswer(200, 'alive'));
    return target === '/readyz' ? this.#readiness() : null;
  }

  async #readiness(): Promise<ProbeAnswer> {
    if (this.#isStopping()) return probeAnswer(503, 'stopping');
    return (await this.#publication.view()) === null ? probeAnswer(503, 'no publication') : probeAnswer(200, 'ready');
  }
}

function probeAnswer(status: 200 | 503, word: string): ProbeAnswer {
  const body = `${word}\n`;
  const own = { 'Content-Type': 'text/plain', 'Content-Length': String(body.length), 'Cache-Control': 'no-store' };
  return { kind: 'probe', resource: 'probe', status, headers: { ...commonHeaders, ...own }, body };
}

const config = { cleanUrls: false, directoryListing: false, etag: false } as const;
const unranged = { url: '/object', headers: {} };

/**
 * Streams a 200 or 206 body with serve-handler. It gets a request of our own and not the client's, because conditions,
 * methods and ranges are decided already. The head is ours too, and serve-handler's own is ignored. Takes over the open
 * file. Rejects with an UnreadableError, before anything is sent, when the first bytes are damaged.
 */
export async function sendFile(exchange: Exchange, answer: FileAnswer, body: ObjectBody, log: Log): Promise<void> {
  const { range, object } = answer;
  const { response } = exchange;
  const request = range ? { url: '/object', headers: { range: `bytes=${range.start}-${range.end}` } } : unranged;
  const head = { statusCode: 200, writeHead: () => response.writeHead(answer.status, answer.headers) };
  const file = { size: object.size, mtime: new Date(0), isDirectory: () => false, isSymbolicLink: () => false };
  let streaming = false;
  const methods = {
    lstat: async () => file,
    createReadStream: () => {
      streaming = true;
      return 'bytes' in body ? bytesStream(exchange, body.bytes, range) : fileStream(exchange, body.file, answer, log);
    },
  };
  try {
    if ('file' in body) await body.file.readAhead(extentOf(range, object).start);
    await serveHandler(
      request as IncomingMessage,
      head as unknown as ServerResponse,
      config,
      methods as unknown as Parameters<typeof serveHandler>[3],
    );
  } finally {
    if (!streaming && 'file' in body) await body.file.close();
  }
}

/** A stand-in for a stream: serve-handler only calls its `pipe`, and bytes in memory go out in one write. */
function bytesStream(exchange: Exchange, bytes: Uint8Array, range: ByteRange | null) {
  const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
  return {
    pipe: () => {
      exchange.bytes = part.length;
      exchange.response.end(part);
    },
  };
}

/** A stream of the file. It closes the file at the end, when a read fails, and when the client goes away. */
function fileStream(exchange: Exchange, file: VerifiedFile, { range, object }: FileAnswer, log: Log) {
  const { response, request } = exchange;
  const { start, end } = extentOf(range, object);
  const stream = file.stream(start, end);
  const abandon = () => void stream.destroy();
  response.once('close', abandon);
  // The connection must close: the client would take the next answer on it for the missing bytes of this one.
  stream.once('error', (error) => {
    log.error({ id: exchange.id, object: object.sha256 }, `a download broke off: ${String(error)}`);
    response.destroy();
  });
  if (response.destroyed || request.socket.destroyed) abandon();
  exchange.stream = stream;
  return { pipe: () => stream.pipe(response) };
}

function extentOf(range: ByteRange | null, { size }: ObjectReference): ByteRange {
  return range ?? { start: 0, end: size - 1 };
}
