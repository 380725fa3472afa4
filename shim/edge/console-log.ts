import type { ShimLog } from '../log.ts';
import type { WebExchange } from '../web-handler.ts';

/** Characters of a request target that are told. */
const toldCharacters = 512;

/** JSON, a line an event, where Workers collect them: `wrangler tail`, Workers Logs. */
export const consoleLog: ShimLog = (level, message, fields) => {
  console[level](JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg: message }));
};

/**
 * The line of a request, with the names of the lines of `serve.ts`. `bucket_reads`: how often this isolate has read the
 * bucket since it began. Nothing here tells how long it took: the clock of a worker stands still while it computes.
 */
export function logRequest({ request, answer }: WebExchange, bucketReads: number): void {
  const { id, method, target, client } = request;
  const { status, resource, headers } = answer;
  const revision = headers['X-Publication-Revision'] ?? null;
  const told = { id, method, target: target.slice(0, toldCharacters), resource, status, revision, client };
  console.info(JSON.stringify({ level: 'info', time: new Date().toISOString(), ...told, bucket_reads: bucketReads }));
}
