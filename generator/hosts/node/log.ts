import { destination, type Logger, pino } from 'pino';
import type { ShimLog } from '../../../shim/log.ts';
import { type ByteDestination, LineBuffer } from './line-buffer.ts';

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
