import { expect } from 'vitest';
import { type Asked, violations } from './house-rules.ts';
import { NoAnswer, RawConnection, type RawReply, type RawRequest } from './raw-connection.ts';

/** Milliseconds after which a request is sent again. */
const patienceMs = 2000;

/**
 * The most milliseconds for the quickest of a few attempts. Work that grows with the square of an input takes longer.
 */
const quickMs = 40;
const attempts = 10;

/** Sends a test's requests, and expects every answer to come in time and to obey the house rules. */
export class SoundClient implements Disposable {
  readonly #connection: RawConnection;

  constructor(server: { readonly host: string; readonly port: number }) {
    this.#connection = new RawConnection(server, patienceMs);
  }

  get(target: string, fields: RawRequest['fields'] = []): Promise<RawReply> {
    return this.ask({ method: 'GET', target, fields });
  }

  async ask(request: RawRequest): Promise<RawReply> {
    const reply = await this.#answer(request);
    expect(reply.status, shown(request)).toBeLessThan(500);
    if (!isBareRefusal(reply)) expect(violations(asRead(request), reply), shown(request)).toEqual([]);
    return reply;
  }

  /** Asks again if no answer came in time. A request that is always answered slowly, or never, still fails. */
  async #answer(request: RawRequest): Promise<RawReply> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#connection.ask(request);
      } catch (error) {
        if (!(error instanceof NoAnswer) || attempt === attempts) throw error;
      }
    }
  }

  /** Asks a few times if necessary, so that a moment in which the machine is busy does not matter. */
  async getQuickly(target: string, fields: RawRequest['fields'] = []): Promise<RawReply> {
    let quickest = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const beganAt = performance.now();
      const reply = await this.get(target, fields);
      quickest = Math.min(quickest, performance.now() - beganAt);
      if (quickest < quickMs) return reply;
    }
    throw new Error(`${target.slice(0, 100)}: expected an answer within ${quickMs} ms, the quickest took ${quickest}`);
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}

/** Whether this is Node's own refusal of bytes that are not a request: a bare status that ends the connection. */
function isBareRefusal({ status, headers, body }: RawReply): boolean {
  return [400, 431].includes(status) && body.length === 0 && headers.connection === 'close';
}

/** The request as a server reads it: a target ends at a line break, and spaces around it are ignored. */
function asRead(request: RawRequest): RawRequest & Asked {
  const target = (request.target.split(/\r?\n/)[0] ?? '').replace(/^ +| +$/g, '');
  return { ...request, target, headers: Object.fromEntries(request.fields ?? []) };
}

function shown({ method, target }: RawRequest): string {
  return `${method} ${JSON.stringify(target.slice(0, 500))}`;
}
