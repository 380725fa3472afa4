import { commonHeaders } from '../../generator/contract/headers.ts';
import type { Answer, FileAnswer } from '../answer.ts';
import type { Handler } from '../handler.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';
import type { ObjectBodies, ObjectBody } from './object-bodies.ts';
import type { ProbeAnswer, Probes } from './probes.ts';
import { sendFile } from './send-file.ts';

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
