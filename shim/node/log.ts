import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { type ShimLog, toldOf } from '../host.ts';
import type { Exchange } from './connections.ts';
import type { LogLevel } from './options.ts';

/** Bytes that are written together, at the latest after so many milliseconds. */
const [chunkBytes, flushEveryMs] = [8 * 1024, 200];

/** Bytes kept in memory. If nobody reads the log, lines beyond this are dropped. */
const keptBytes = 8 * 1024 * 1024;

const flushWithinMs = 1000;

export type Log = Logger;

/**
 * A log on standard error, one line of JSON per event. JSON escapes line breaks in fields, so input cannot forge a
 * line. pino writes what is left when the process exits. `close` resolves when every line is written, or after a second if a log that nobody reads blocks.
 */
export function createLog(level: LogLevel): { readonly log: Log; readonly close: () => Promise<void> } {
  const lines = destination({
    fd: 2,
    sync: false,
    minLength: chunkBytes,
    maxLength: keptBytes,
    periodicFlush: flushEveryMs,
  });
  const formatters = { level: (label: string) => ({ level: label }) };
  const log = pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, formatters }, lines);
  const close = () =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, flushWithinMs).unref();
      lines.flush(() => resolve());
    });
  return { log, close };
}

/** The log in the form that the shim uses. */
export function shimLog(log: Log): ShimLog {
  return (level, message, fields) => log[level](fields ?? {}, message);
}

/** Logs one line per request: at level info, or at level debug for a probe, as probes come every few seconds. */
export function logRequest(log: Log, exchange: Exchange): void {
  const { answer, bytes, seconds, isComplete } = exchange;
  log[answer?.resource === 'probe' ? 'debug' : 'info']({
    ...toldOf(exchange, answer),
    bytes,
    duration_ms: Math.round(seconds * 1e6) / 1000,
    ...(isComplete ? {} : { broken_off: true }),
  });
}
