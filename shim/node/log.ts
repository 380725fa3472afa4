import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { ShimLog } from '../host.ts';
import type { Exchange } from './connections.ts';
import type { LogLevel } from './options.ts';

/** Log bytes kept in memory. If nobody reads the log, lines beyond this are dropped. */
const keptBytes = 8 * 1024 * 1024;

export type Log = Logger;

export type LogWithLines = {
  readonly log: Log;
  /** Where the log writes its lines. */
  readonly lines: LineBuffer;
};

/**
 * A log on standard error, one line of JSON per event. JSON escapes line breaks in fields, so input cannot forge a
 * line.
 */
export function createLog(level: LogLevel): LogWithLines {
  // With a `minLength` of 0, pino does not report when everything is written. Its types do not know that it can take
  // bytes.
  const options = { fd: 2, sync: false, minLength: 1, maxLength: keptBytes, contentMode: 'buffer' as const };
  const lines = new LineBuffer(destination(options) as unknown as ByteDestination);
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = stdTimeFunctions.isoTime;
  return { log: pino({ level, base: null, timestamp, formatters }, lines), lines };
}

/** The log in the form that the shim uses. */
export function shimLog(log: Log): ShimLog {
  return (level, message, fields) => log[level](fields ?? {}, message);
}

/** Lines are written together, when they fill a chunk or at the latest after this time in milliseconds. */
const chunkBytes = 64 * 1024;
const flushEveryMs = 200;

const flushWithinMs = 1000;

/** UTF-8 takes at most this many bytes for a UTF-16 code unit. */
const bytesPerUnit = 3;

/** Accepts the bytes of a log without waiting for them to be written. */
type ByteDestination = {
  write(bytes: Uint8Array): void;
  flush(done: () => void): void;
  flushSync(): void;
};

/**
 * Buffers the lines of a log. Each line is turned into bytes as it comes, so that the texts it was made of do not stay
 * in memory. When the process exits, the buffer is written.
 */
class LineBuffer {
  readonly #destination: ByteDestination;
  #chunk = Buffer.allocUnsafeSlow(chunkBytes);
  #used = 0;
  readonly #timer = setInterval(() => this.#hand(), flushEveryMs).unref();
  readonly #writeAll = (): void => {
    this.#hand();
    this.#destination.flushSync();
  };

  constructor(destination: ByteDestination) {
    this.#destination = destination;
    process.once('exit', this.#writeAll);
  }

  write(line: string): void {
    const mostBytes = line.length * bytesPerUnit;
    if (this.#used + mostBytes > chunkBytes) this.#hand();
    if (mostBytes > chunkBytes) this.#destination.write(Buffer.from(line));
    else this.#used += this.#chunk.write(line, this.#used);
  }

  /**
   * Ends the log and no longer keeps the process alive. Resolves when every line is written, or after a second if a log
   * that nobody reads blocks.
   */
  async close(): Promise<void> {
    this.#hand();
    clearInterval(this.#timer);
    await new Promise<void>((resolve) => {
      setTimeout(resolve, flushWithinMs).unref();
      this.#destination.flush(resolve);
    });
    process.off('exit', this.#writeAll);
  }

  #hand(): void {
    if (this.#used === 0) return;
    this.#destination.write(this.#chunk.subarray(0, this.#used));
    this.#chunk = Buffer.allocUnsafeSlow(chunkBytes);
    this.#used = 0;
  }
}

/** Characters of a request target that are logged. */
const toldCharacters = 512;

/** Logs one line per request: at level info, or at level debug for a probe, as probes come every few seconds. */
export function logRequest(log: Log, exchange: Exchange): void {
  const { id, method, target, client, answer, bytes, seconds, isComplete } = exchange;
  log[answer?.resource === 'probe' ? 'debug' : 'info']({
    id,
    method,
    target: target.slice(0, toldCharacters),
    resource: answer?.resource ?? 'none',
    status: answer?.status ?? null,
    bytes,
    duration_ms: Math.round(seconds * 1e6) / 1000,
    revision: answer?.headers['X-Publication-Revision'] ?? null,
    client,
    ...(isComplete ? {} : { broken_off: true }),
  });
}
