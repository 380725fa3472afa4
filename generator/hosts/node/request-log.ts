import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';

/** Characters of a request target that are told. */
const toldCharacters = 512;

/**
 * One line a request, when the last of its answer was handed to the connection or the connection is gone. Probes come
 * every few seconds and are told at level debug only.
 */
export function logRequest(log: Log, exchange: Exchange): void {
  const { id, method, target, client, answer, bytes, seconds, isComplete } = exchange;
  const resource = answer?.resource ?? 'none';
  const line = {
    id,
    method,
    target: target.length > toldCharacters ? target.slice(0, toldCharacters) : target,
    resource,
    status: answer?.status ?? null,
    bytes,
    duration_ms: Math.round(seconds * 1e6) / 1000,
    revision: answer?.headers['X-Publication-Revision'] ?? null,
    client,
    // Only when it is so: the client went away, or something failed on the way.
    broken_off: isComplete ? undefined : true,
  };
  if (resource === 'probe') log.debug(line);
  else log.info(line);
}
