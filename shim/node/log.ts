import { destination, type Logger, pino } from 'pino';
import type { ShimLog } from '../host.ts';
import type { Exchange } from './exchange.ts';
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
  const timestamp = () => `,"time":"${logTime()}"`;
  return { log: pino({ level, base: null, timestamp, formatters }, lines), lines };
}

/** The log in the form that the shim uses. */
export function shimLog(log: Log): ShimLog {
  return (level, message, fields) => log[level](fields ?? {}, message);
}

let printedMs = 0;
let printed = '';

/** The time of a line, RFC 3339. It is formatted at most once a millisecond, because many lines can share one. */
function logTime(): string {
  const now = Date.now();
  if (now !== printedMs) {
    printedMs = now;
    printed = new Date(now).toISOString();
  }
  return printed;
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

/**
 * Logs one line per request: at level info, or at level debug for a probe, as probes come every few seconds. The line
 * has the form of the log's other lines but is printed here. A request for a precomputed file takes about fifteen
 * microseconds in all, and the logger would take one and a half of them.
 */
export function requestLog({ log, lines }: LogWithLines): (exchange: Exchange) => void {
  const areRequestsTold = log.isLevelEnabled('info');
  const areProbesTold = log.isLevelEnabled('debug');
  return (exchange) => {
    const isProbe = exchange.answer?.resource === 'probe';
    const isTold = isProbe ? areProbesTold : areRequestsTold;
    if (isTold) lines.write(requestLine(isProbe ? 'debug' : 'info', exchange));
  };
}

/**
 * The target is the only field that a client can choose freely, and so the only one that is escaped. The others are
 * tokens, addresses, numbers and words of our own.
 */
export function requestLine(level: 'info' | 'debug', exchange: Exchange): string {
  const { id, method, client, answer, bytes } = exchange;
  const target = JSON.stringify(exchange.target.slice(0, toldCharacters));
  const resource = answer?.resource ?? 'none';
  const status = answer?.status ?? null;
  const ms = Math.round(exchange.seconds * 1e6) / 1000;
  const sentRevision = answer?.headers['X-Publication-Revision'];
  const revision = sentRevision === undefined ? null : `"${sentRevision}"`;
  const start = `{"level":"${level}","time":"${logTime()}","id":"${id}","method":"${method}","target":${target}`;
  const middle = `,"resource":"${resource}","status":${status},"bytes":${bytes},"duration_ms":${ms}`;
  const end = `,"revision":${revision},"client":"${client}"${exchange.isComplete ? '' : ',"broken_off":true'}}\n`;
  return start + middle + end;
}
