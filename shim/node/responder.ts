import { commonHeaders } from '../../generator/contract/headers.ts';
import type { Answer, FileAnswer } from '../answer.ts';
import type { Handler } from '../handler.ts';
import type { CurrentPublication } from '../site/current-publication.ts';
import type { Exchange, ExchangeAnswer } from './exchange.ts';
import type { Log } from './log.ts';
import type { ObjectBodies, ObjectBody } from './object-bodies.ts';
import { VerifiedStream } from './verified-file.ts';

type ResponderOptions = {
  readonly handler: Handler;
  readonly bodies: ObjectBodies;
  readonly publication: CurrentPublication;
  readonly isStopping: () => boolean;
  readonly log: Log;
};

type Body = string | Uint8Array | undefined;

type ProbeAnswer = ExchangeAnswer & { readonly kind: 'probe'; readonly body: string };
type SentAnswer = Answer | ProbeAnswer;

/** Answers exchanges: sends what the handler decided. */
export class Responder {
  readonly #options: ResponderOptions;

  constructor(options: ResponderOptions) {
    this.#options = options;
  }

  /** Answers an exchange. Answers that are in memory already are sent at once, without a promise. Never throws. */
  respond(exchange: Exchange): void {
    const { handler } = this.#options;
    try {
      if (exchange.isMisaddressed) {
        refuse(exchange);
        return;
      }
      const answer = this.#probed(exchange) ?? handler.answer(exchange);
      if (answer instanceof Promise || !this.#sendReady(exchange, answer)) void this.#respondLater(exchange, answer);
    } catch (error) {
      this.#breakOff(exchange, error);
    }
  }

  /**
   * Answers the requests of a supervisor, outside the contract's addresses. `/healthz` says whether the process answers
   * at all. `/readyz` says whether it should get requests: it has a publication to serve and is not stopping. Null for
   * a request that is not a probe.
   */
  #probed({ method, target }: Exchange): ProbeAnswer | Promise<ProbeAnswer> | null {
    const { publication, isStopping } = this.#options;
    if (method !== 'GET' && method !== 'HEAD') return null;
    if (target === '/healthz') return probeAnswer(200, 'alive');
    if (target !== '/readyz') return null;
    if (isStopping()) return probeAnswer(503, 'stopping');
    return publication.view().then((view) => (view ? probeAnswer(200, 'ready') : probeAnswer(503, 'no publication')));
  }

  /** Never rejects. */
  async #respondLater(exchange: Exchange, first: SentAnswer | Promise<SentAnswer>): Promise<void> {
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
  #sendReady(exchange: Exchange, answer: SentAnswer): boolean {
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
    const { range } = answer;
    if ('bytes' in body) {
      sendWhole(exchange, answer, range ? body.bytes.subarray(range.start, range.end + 1) : body.bytes);
    } else if (exchange.method === 'HEAD') {
      sendWhole(exchange, answer, undefined);
      await body.file.close();
    } else {
      const { start, end } = range ?? { start: 0, end: answer.object.size - 1 };
      await this.#sendStream(exchange, answer, new VerifiedStream(body.file, body.content, start, end));
    }
  }

  /**
   * Streams a 200 or 206 body, and closes the file at the end, when a read fails, and when the client
   * goes away. Rejects with an UnreadableError, before anything is sent, when the first bytes are damaged.
   */
  async #sendStream(exchange: Exchange, answer: FileAnswer, stream: VerifiedStream): Promise<void> {
    const { response, request } = exchange;
    const abandon = () => void stream.destroy();
    exchange.answer = answer;
    try {
      await stream.readAhead();
      response.once('close', abandon);
      // The connection must close: the client would take the next answer on it for the missing bytes of this one.
      stream.once('error', (error) => {
        this.#options.log.error(
          { id: exchange.id, object: answer.object.sha256 },
          `a download broke off: ${String(error)}`,
        );
        response.destroy();
      });
      if (response.destroyed || request.socket.destroyed) abandon();
      exchange.stream = stream;
      stream.pipe(response.writeHead(answer.status, answer.headers));
    } catch (error) {
      abandon();
      throw error;
    }
  }
}

/** Refuses an exchange like bytes that are not a request: with a bare status and the end of the connection. */
function refuse(exchange: Exchange): void {
  exchange.response.shouldKeepAlive = false;
  const headers = { ...commonHeaders, 'Content-Length': '0' };
  sendWhole(exchange, { status: 400, headers, resource: 'none' }, undefined);
}

function sendWhole(exchange: Exchange, answer: ExchangeAnswer, body: Body): void {
  const sent = exchange.method === 'HEAD' ? undefined : body;
  exchange.answer = answer;
  exchange.bytes = sent?.length ?? 0;
  exchange.response.writeHead(answer.status, answer.headers).end(sent);
}

function probeAnswer(status: 200 | 503, word: string): ProbeAnswer {
  const body = `${word}\n`;
  const own = { 'Content-Type': 'text/plain', 'Content-Length': String(body.length), 'Cache-Control': 'no-store' };
  return { kind: 'probe', resource: 'probe', status, headers: { ...commonHeaders, ...own }, body };
}
