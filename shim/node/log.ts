import { destination, type Logger, pino } from 'pino';
import type { ShimLog } from '../log.ts';

/** Should nobody read the log, what exceeds this is dropped and not kept in memory. */
const keptBytes = 8 * 1024 * 1024;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

export type Log = Logger;

export type LogWithLines = {
  readonly log: Log;
  /** Where its lines go. */
  readonly lines: LineBuffer;
};

/**
 * JSON, a line an event, on standard error. Whatever is put into a field stays inside its line: JSON escapes it.
 */
export function createLog(level: LogLevel): LogWithLines {
  // With a least length of 0 it would not tell when all is written. Its type does not know that it may take bytes.
  const options = { fd: 2, sync: false, minLength: 1, maxLength: keptBytes, contentMode: 'buffer' as const };
  const lines = new LineBuffer(destination(options) as unknown as ByteDestination);
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = () => `,"time":"${logTime()}"`;
  return { log: pino({ level, base: null, timestamp, formatters }, lines), lines };
}

/** The log as the shim knows it. */
export function shimLog(log: Log): ShimLog {
  return (level, message, fields) => log[level](fields ?? {}, message);
}

let printedMs = 0;
let printed = '';

/** The time of a line, RFC 3339, printed once a millisecond: there may be many lines in one. */
export function logTime(): string {
  const now = Date.now();
  if (now !== printedMs) {
    printedMs = now;
    printed = new Date(now).toISOString();
  }
  return printed;
}

/** Lines are written together: so many bytes of them, or those of so long. */
const chunkBytes = 64 * 1024;
const flushEveryMs = 200;

const flushWithinMs = 1000;

/** UTF-8 takes at most so many bytes for a UTF-16 code unit. */
const bytesPerUnit = 3;

/** Takes bytes to where a log goes, without waiting for it. */
export type ByteDestination = {
  write(bytes: Uint8Array): void;
  flush(done: () => void): void;
  flushSync(): void;
};

/**
 * The lines of a log on their way. One is turned into bytes as it comes, so that none of the texts it was made of stays in
 * memory. What is still held when the process exits is written then.
 */
export class LineBuffer {
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
   * Ends the log, and lets go of the process. Resolves when every line is written, or is not within a second: a log that
   * nobody reads holds nothing up.
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
