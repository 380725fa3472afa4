import { styleText } from 'node:util';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { printable } from '../../contract/text.ts';
import { loggedFields, type ShimLog } from '../host.ts';
import type { Exchange } from './exchange.ts';
import type { LogForm, LogLevel } from './options.ts';

/** Lines are written together once they have this many bytes, or after this many milliseconds. */
const [chunkBytes, flushEveryMs] = [8 * 1024, 200];

/** Bytes kept in memory. If nothing reads the log, lines beyond this are dropped. */
const keptBytes = 8 * 1024 * 1024;

const flushWithinMs = 1000;

export type Log = Logger;

/**
 * A log on standard error: one line of JSON per event, or a short line for people. JSON escapes line breaks in fields,
 * so input cannot forge a line. pino writes what is left when the process exits. `close` resolves when every line is
 * written, or after a second if nothing reads the log.
 */
export function createLog(level: LogLevel, form: LogForm): { readonly log: Log; readonly close: () => Promise<void> } {
  const lines = destination({
    fd: 2,
    sync: false,
    minLength: chunkBytes,
    maxLength: keptBytes,
    periodicFlush: flushEveryMs,
  });
  const formatters = { level: (label: string) => ({ level: label }) };
  const shortLines: DestinationStream = { write: (line) => process.stderr.write(`${shortLine(JSON.parse(line))}\n`) };
  const stream = form === 'json' ? lines : shortLines;
  const log = pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, formatters }, stream);
  const close = () =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, flushWithinMs).unref();
      lines.flush(() => resolve());
    });
  return { log, close };
}

/** A parsed log event. Events about requests have a method. */
type LogEvent = { readonly level: string; readonly time: string; readonly msg?: string } & Partial<
  Readonly<Record<'method' | 'target', string> & Record<'status' | 'bytes' | 'duration_ms', number>>
>;

/** `14:02:11 200 GET /v1/products 3 ms`, in local time, with colours if the terminal shows them. */
export function shortLine({
  level,
  time,
  msg = '',
  method,
  target = '',
  status,
  bytes,
  duration_ms,
}: LogEvent): string {
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    styleText(format, text, { stream: process.stderr });
  const clock = style('dim', new Date(time).toTimeString().slice(0, 8));
  if (method === undefined) return `${clock} ${level === 'info' ? '' : `${style('yellow', level)}: `}${printable(msg)}`;
  const colour = status === undefined || status === null || status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const cost = style('dim', `${bytes} bytes, ${Math.round(duration_ms ?? 0)} ms`);
  // Text from a client must not control the terminal.
  const shown = encodeURI(target).replaceAll('%25', '%');
  return `${clock} ${style(colour, String(status ?? 'gone'))} ${method} ${shown} ${cost}`;
}

/** The log in the form that the shim uses. */
export function shimLog(log: Log): ShimLog {
  return (level, message, fields) => log[level](fields ?? {}, message);
}

/**
 * Logs one line about a request: at level error if the server failed to answer it, and at level debug for probes,
 * because these come every few seconds. `logsAll`: whether answers that did not fail are logged.
 */
export function logRequest(log: Log, logsAll: boolean, exchange: Exchange): void {
  const { answer, bytes, seconds, isComplete } = exchange;
  const hasFailed = answer !== null && answer.status >= 500;
  if (!logsAll && !hasFailed) return;
  log[answer?.resource === 'probe' ? 'debug' : hasFailed ? 'error' : 'info']({
    ...loggedFields(exchange, answer),
    bytes,
    duration_ms: Math.round(seconds * 1e6) / 1000,
    ...(isComplete ? {} : { broken_off: true }),
  });
}
