import type { Answer, FileAnswer } from '../../../shim/answer.ts';
import type { Handler } from '../../../shim/handler.ts';
import { commonHeaders } from '../../contract/headers.ts';
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

/** Answers one exchange: what the handler decided is sent. */
export class Responder {
  readonly #options: ResponderOptions;

  constructor(options: ResponderOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async respond(exchange: Exchange): Promise<void> {
    const { handler, bodies, probes, log } = this.#options;
    try {
      if (exchange.isMisaddressed) return refuse(exchange);
      const probe = probes.answer(exchange.method, exchange.target);
      if (probe) return sendProbe(exchange, await probe);
      let answer = await handler.answer(exchange);
      while (answer.kind === 'file') {
        const kept = answer.range === null ? bodies.kept(answer.object) : undefined;
        if (kept) return sendWhole(exchange, answer, kept);
        try {
          return await this.#sendOpened(exchange, answer, await bodies.open(answer.object));
        } catch (error) {
          if (exchange.response.headersSent) throw error;
          answer = await handler.answerAfter(exchange, answer, error);
        }
      }
      sendWhole(exchange, answer, 'body' in answer ? answer.body : undefined);
    } catch (error) {
      // The status is out already; all that is left is not to let a broken body look whole.
      log.error({ id: exchange.id, err: error }, 'an answer broke off');
      exchange.response.destroy();
    }
  }

  /** The first time a small body is sent, a part of one, and every large one. */
  async #sendOpened(exchange: Exchange, answer: FileAnswer, body: ObjectBody): Promise<void> {
    if (exchange.method !== 'HEAD') {
      exchange.answer = answer;
      return sendFile(exchange, answer, body, this.#options.log);
    }
    sendWhole(exchange, answer, undefined);
    if ('file' in body) await body.file.close();
  }
}

/** Like what cannot be read as a request at all: a bare status, and the end of the connection. */
function refuse(exchange: Exchange): void {
  exchange.response.shouldKeepAlive = false;
  const headers = { ...commonHeaders, 'Content-Length': '0' };
  exchange.answer = { status: 400, headers, resource: 'none' };
  send(exchange, 400, headers, undefined);
}

function sendProbe(exchange: Exchange, { status, headers, body }: ProbeAnswer): void {
  exchange.answer = { status, headers, resource: 'probe' };
  send(exchange, status, headers, body);
}

function sendWhole(exchange: Exchange, answer: Answer, body: Body): void {
  exchange.answer = answer;
  send(exchange, answer.status, answer.headers, body);
}

function send(exchange: Exchange, status: number, headers: Readonly<Record<string, string>>, body: Body): void {
  const sent = exchange.method === 'HEAD' ? undefined : body;
  exchange.bytes = sent?.length ?? 0;
  exchange.response.writeHead(status, headers).end(sent);
}
