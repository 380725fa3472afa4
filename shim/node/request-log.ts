import type { Exchange } from './exchange.ts';
import { type LogWithLines, logTime } from './log.ts';

/** Characters of a request target that are logged. */
const toldCharacters = 512;

/**
 * Logs one line per request: at level info, or at level debug for a probe, as probes come every few seconds. The line
 * has the form of the log's other lines but is printed here. A request for a precomputed file takes about fifteen
 * microseconds in all, and the logger would take one and a half of them.
 */
export class RequestLog {
  readonly #lines: LogWithLines['lines'];
  readonly #areRequestsTold: boolean;
  readonly #areProbesTold: boolean;

  constructor({ log, lines }: LogWithLines) {
    this.#lines = lines;
    this.#areRequestsTold = log.isLevelEnabled('info');
    this.#areProbesTold = log.isLevelEnabled('debug');
  }

  write(exchange: Exchange): void {
    const isProbe = exchange.answer?.resource === 'probe';
    const isTold = isProbe ? this.#areProbesTold : this.#areRequestsTold;
    if (isTold) this.#lines.write(requestLine(isProbe ? 'debug' : 'info', exchange));
  }
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
