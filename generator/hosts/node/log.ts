import { type Logger, pino } from 'pino';
import type { ShimLog } from '../../../shim/log.ts';
import { LineBuffer } from './line-buffer.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

export type Log = Logger;

/**
 * JSON, a line an event, on standard error. Whatever is put into a field stays inside its line: JSON escapes it.
 * `flush` resolves when all of it is written.
 */
export function createLog(level: LogLevel): { readonly log: Log; readonly flush: () => Promise<void> } {
  const lines = new LineBuffer(2);
  const formatters = { level: (label: string) => ({ level: label }) };
  return { log: pino({ level, base: null, timestamp, formatters }, lines), flush: () => lines.flush() };
}

/** The log as the shim knows it. */
export function shimLog(log: Log): ShimLog {
  return (level, message, fields) => log[level](fields ?? {}, message);
}

let printedTime = 0;
let printed = '';

/** RFC 3339, printed once a millisecond: there may be many lines in one. */
function timestamp(): string {
  const now = Date.now();
  if (now !== printedTime) {
    printedTime = now;
    printed = `,"time":"${new Date(now).toISOString()}"`;
  }
  return printed;
}
