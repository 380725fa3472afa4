import { installed } from '../../test/support/installed-programs.ts';
import { run } from '../measure.ts';

export const hasWrk = installed('wrk') !== undefined;

/** Measurements of a server under load. Latencies are in milliseconds. */
export type Load = {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers with a status of 400 or more, and connections that failed. */
  readonly failures: number;
};

export type LoadRequest = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A script that tells wrk which path to request next. */
  readonly script?: string;
};

/**
 * Sends requests over `connections` connections, each with its next request as soon as it has an answer, for `seconds`.
 */
export async function load(
  { url, headers = {}, script }: LoadRequest,
  seconds: number,
  connections: number,
  report: string,
): Promise<Load> {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const scripted = script ? ['-s', script] : [];
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...fields, ...scripted];
  const { output } = await run(['wrk', ...options, url], report);
  return {
    requestsPerSecond: Number(/^Requests\/sec:\s+([\d.]+)$/m.exec(output)?.[1]),
    p50: milliseconds(/^\s+50%\s+(\S+)$/m.exec(output)?.[1]),
    p99: milliseconds(/^\s+99%\s+(\S+)$/m.exec(output)?.[1]),
    failures: Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0) + socketErrors(output),
  };
}

function milliseconds(text = ''): number {
  const [, value, unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}

function socketErrors(output: string): number {
  const counts = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? [];
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
