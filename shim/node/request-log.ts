import type { Exchange } from './exchange.ts';
import { type LogWithLines, logTime } from './log.ts';

/** Characters of a request target that are told. */
const toldCharacters = 512;

/**
 * One line a request, at level info; at level debug one of a probe, which come every few seconds. The line is of the form
 * that the log gives to all others, but printed here: a request for a precomputed file takes some fifteen microseconds
 * in all, of which the general way of making a line would be one and a half.
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

/** Of all the fields a client chooses the target alone: the others are tokens, addresses, numbers and our own words. */
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
