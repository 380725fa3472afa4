import { pipeline } from 'node:stream/promises';
import { commonHeaders } from '../../contract/headers.ts';
import type { Handler } from '../handler.ts';
import type { FileAnswer } from '../host.ts';
import type { CurrentPublication } from '../site/current-publication.ts';
import { bodyReading } from '../site/verified-objects.ts';
import type { Exchange, ExchangeAnswer } from './exchange.ts';
import type { Log } from './log.ts';
import { type OpenFile, type VerifiedFiles, verifiedBytes } from './verified-file.ts';

/** Objects up to this size, in bytes, are read whole. */
const bufferedSize = 256 * 1024;

/**
 * A body up to this size, in bytes, is given to Node as a text, with a character for each byte. Node then writes it in
 * one piece with the headers, which takes a tenth less time than writing two.
 */
const joinedSize = 8 * 1024;

type ResponderOptions = {
  readonly handler: Handler;
  readonly files: VerifiedFiles;
  readonly publication: CurrentPublication;
  readonly isStopping: () => boolean;
  readonly log: Log;
};

type Body = string | Uint8Array | undefined;

type ProbeAnswer = ExchangeAnswer & { readonly kind: 'probe'; readonly body: string };

/** Sends the answers that the handler decides on. */
export class Responder {
  readonly #options: ResponderOptions;

  constructor(options: ResponderOptions) {
    this.#options = options;
  }

  /** Answers an exchange, at once if all that it takes is in memory. Never rejects. */
  async respond(exchange: Exchange): Promise<void> {
    const { handler } = this.#options;
    try {
      if (exchange.isMisaddressed) return refuse(exchange);
      const decision = this.#probed(exchange) ?? handler.answer(exchange);
      let answer = decision instanceof Promise ? await decision : decision;
      while (answer.kind === 'file') {
        try {
          const sending = this.#sendFile(exchange, answer);
          return sending instanceof Promise ? await sending : sending;
        } catch (error) {
          if (exchange.response.headersSent) throw error;
          answer = await handler.answerAfter(exchange, answer, error);
        }
      }
      sendWhole(exchange, answer, 'body' in answer ? answer.body : undefined);
    } catch (error) {
      this.#breakOff(exchange, error);
    }
  }

  /**
   * Answers a supervisor's probes, which are not among the contract's addresses. `/healthz` says whether the process
   * answers at all. `/readyz` says whether it should get requests: it has a publication to serve, and is not stopping.
   * Null for a request that is not a probe.
   */
  #probed({ method, target }: Exchange): ProbeAnswer | Promise<ProbeAnswer> | null {
    if (target !== '/healthz' && target !== '/readyz') return null;
    if (method !== 'GET' && method !== 'HEAD') return null;
    return target === '/healthz' ? probeAnswer(200, 'alive') : this.#readiness();
  }

  async #readiness(): Promise<ProbeAnswer> {
    const { publication, isStopping } = this.#options;
    if (isStopping()) return probeAnswer(503, 'stopping');
    return (await publication.view()) ? probeAnswer(200, 'ready') : probeAnswer(503, 'no publication');
  }

  /** Closes the connection, because the status may already have been sent, and a broken body must not look complete. */
  #breakOff(exchange: Exchange, error: unknown): void {
    this.#options.log.error({ id: exchange.id, err: error }, 'an answer broke off');
    exchange.response.destroy();
  }

  #sendFile(exchange: Exchange, answer: FileAnswer): void | Promise<void> {
    const { object, range } = answer;
    if (object.size > bufferedSize) return this.#sendLarge(exchange, answer);
    const send = (bytes: Uint8Array) =>
      sendWhole(exchange, answer, range ? bytes.subarray(range.start, range.end + 1) : bytes);
    const reading = this.#options.publication.objects.read(bodyReading, object);
    return reading instanceof Promise ? reading.then(send) : send(reading);
  }

  async #sendLarge(exchange: Exchange, answer: FileAnswer): Promise<void> {
    const opened = await this.#options.files.open(answer.object);
    try {
      if (exchange.method === 'HEAD') sendWhole(exchange, answer, undefined);
      else await this.#sendStream(exchange, answer, opened);
    } finally {
      await opened.file.close();
    }
  }

  /**
   * Streams a 200 or 206 body. Rejects with an UnreadableError, before anything is sent, if the first bytes are
   * damaged.
   */
  async #sendStream(exchange: Exchange, answer: FileAnswer, { file, content }: OpenFile): Promise<void> {
    const { id, response } = exchange;
    const { log } = this.#options;
    const { start, end } = answer.range ?? { start: 0, end: answer.object.size - 1 };
    exchange.answer = answer;
    const parts = verifiedBytes(file, content, start, end);
    const first = await parts.next();
    response.writeHead(answer.status, answer.headers);
    const counted = async function* () {
      try {
        for (let part = first; !part.done; part = await parts.next()) {
          exchange.bytes += part.value.length;
          yield part.value;
        }
      } catch (error) {
        log.error({ id, object: answer.object.sha256 }, `a download broke off: ${String(error)}`);
        throw error;
      }
    };
    // If a read fails, the connection closes: otherwise the client would take the next answer for the missing bytes of
    // this one.
    await pipeline(counted, response).catch(() => undefined);
  }
}

/** Refuses an exchange as if its bytes were not a request: with a bare status and the end of the connection. */
function refuse(exchange: Exchange): void {
  const headers = { ...commonHeaders, Connection: 'close', 'Content-Length': '0' };
  sendWhole(exchange, { status: 400, headers, resource: 'none' }, undefined);
}

function sendWhole(exchange: Exchange, answer: ExchangeAnswer, body: Body): void {
  const sent = exchange.method === 'HEAD' ? undefined : body;
  exchange.answer = answer;
  exchange.bytes = sent?.length ?? 0;
  const response = exchange.response.writeHead(answer.status, answer.headers);
  if (sent instanceof Buffer && sent.length <= joinedSize) response.end(sent.toString('latin1'), 'latin1');
  else response.end(sent);
}

function probeAnswer(status: 200 | 503, word: string): ProbeAnswer {
  const body = `${word}\n`;
  const own = { 'Content-Type': 'text/plain', 'Content-Length': String(body.length), 'Cache-Control': 'no-store' };
  return { kind: 'probe', resource: 'probe', status, headers: { ...commonHeaders, ...own }, body };
}
