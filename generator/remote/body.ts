import { piecesOf, type Response } from './exchange.ts';
import type { Patience } from './limits.ts';
import { limits } from './limits.ts';

/** Takes the body of a success as it comes, instead of the memory. One is made for each attempt. */
export interface Receiver {
  /** False: enough came, and the rest is not read. */
  write(piece: Uint8Array): boolean | Promise<boolean>;
  /** What is wrong with what came, so that it is asked for again; null when nothing is. */
  end(): string | null | Promise<string | null>;
  /** It failed, and there will be no end. */
  abandon(): void;
}

/** What came instead of an answer, and how long the host asks to be left alone for, if it does. */
export class FailedAttempt extends Error {
  override readonly name = 'FailedAttempt';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** What failed here and not at the host: to ask again would not help. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError';
}

/** Keeps a body in memory. */
export class MemoryReceiver implements Receiver {
  readonly #pieces: Uint8Array[] = [];

  write(piece: Uint8Array): boolean {
    this.#pieces.push(piece);
    return true;
  }

  end(): null {
    return null;
  }

  abandon(): void {
    this.#pieces.length = 0;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#pieces);
  }
}

/**
 * Ends an exchange that comes too slowly; `reason` then says how. Where this process was busy for long, what has come
 * meanwhile is read before it looks.
 */
export class Watch {
  readonly #abort = new AbortController();
  readonly #silence: NodeJS.Timeout;
  readonly #window: NodeJS.Timeout;
  #received = 0;
  #pieces = 0;
  #reason: string | null = null;

  constructor({ idleMs, windowMs, leastBytesPerWindow }: Patience) {
    this.#silence = setTimeout(() => {
      const before = this.#pieces;
      setImmediate(() => this.#pieces === before && this.#end(`nothing for ${idleMs} ms`));
    }, idleMs);
    let before = 0;
    this.#window = setInterval(() => {
      setImmediate(() => {
        const came = this.#received - before;
        before = this.#received;
        if (came < leastBytesPerWindow) this.#end(`${came} bytes in ${windowMs} ms, fewer than ${leastBytesPerWindow}`);
      });
    }, windowMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get reason(): string | null {
    return this.#reason;
  }

  received(bytes: number): void {
    this.#received += bytes;
    this.#pieces += 1;
    this.#silence.refresh();
  }

  stop(): void {
    clearTimeout(this.#silence);
    clearInterval(this.#window);
  }

  #end(reason: string): void {
    this.#reason ??= reason;
    this.#abort.abort();
  }
}

/** What a body may have beyond its own bytes where it is packed. */
const packing = 64 * 1024;

/**
 * Passes a body on, piece by piece. Throws a {@link FailedAttempt} when it says that it is longer than `maxBytes`, or is, and a
 * {@link ReceiverError} when it cannot be kept. `count` is told of what comes over the line.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  receiver: Receiver,
  count: (bytes: number) => void,
): Promise<void> {
  const said = Number(response.headers.get('content-length') ?? 0);
  if (said > maxBytes + packing) {
    response.message.destroy();
    throw new FailedAttempt(`expected at most ${maxBytes} bytes, got ${said}`);
  }
  const tooLong = () => new FailedAttempt(`expected at most ${maxBytes} bytes, got more`);
  let [came, size] = [0, 0];
  const pieces = piecesOf(response, (bytes) => {
    came += bytes;
    count(bytes);
    if (came > maxBytes + packing) throw tooLong();
  });
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) throw tooLong();
    if (!(await locally(() => receiver.write(piece)))) return;
  }
}

/** Reads what is left of an answer that nobody wants, so that its connection can be used again; a long one is given up. */
export async function skimBody({ message }: Response, count: (bytes: number) => void): Promise<void> {
  let size = 0;
  for await (const piece of message) {
    size += (piece as Uint8Array).length;
    count((piece as Uint8Array).length);
    if (size > limits.problem) return;
  }
}

/** What a receiver throws is not the host's. */
export async function locally<Result>(use: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (cause) {
    throw new ReceiverError('what came could not be kept', { cause });
  }
}
