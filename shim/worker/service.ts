import { Handler } from '../handler.ts';
import type { Fields } from '../http/conditional.ts';
import type { ShimLog } from '../log.ts';
import { CurrentPublication } from '../site/current-publication.ts';
import { WebBodies, type WebExchange, webHandler } from '../web-handler.ts';
import { BindingRateLimiter } from './binding-rate-limiter.ts';
import type { EdgeRequest, Environment } from './bindings.ts';
import { BucketSite } from './bucket-site.ts';
import { readSettings } from './settings.ts';

/** Every look at the pointer is an operation that costs; so long a new publication may go unnoticed. */
const pointerCheckMs = 5000;

/**
 * An isolate has 128 MB for code, caches and the requests under way. Of these, what is made of objects takes up to 16, the
 * search index about 10, answers of lists up to 8, a route with its heads some three kilobytes.
 */
const caches = { keptBytes: 16 * 1024 * 1024, bodyBytes: 16 * 1024 * 1024, preparedRoutes: 2048 };

/** The service over a bucket, made once an isolate. Throws an error that names the setting that is wrong. */
export function edgeService(environment: Environment): (request: EdgeRequest) => Promise<Response> {
  const { address, cursorSecrets, isSecretRandom, logsRequests } = readSettings(environment);
  if (isSecretRandom)
    consoleLog('warn', 'CURSOR_SECRET is not set: other isolates do not know the cursors of this one');
  const reader = new BucketSite(environment.SITE);
  const { keptBytes, bodyBytes, preparedRoutes } = caches;
  const publication = new CurrentPublication({ reader, log: consoleLog, checkEveryMs: pointerCheckMs, keptBytes });
  const limiter = environment.RATE_LIMITER ? new BindingRateLimiter(environment.RATE_LIMITER) : null;
  const options = { publication, address, log: consoleLog, limiter, cursorSecrets, now: Date.now, preparedRoutes };
  const answer = webHandler(new Handler(options), new WebBodies(publication, bodyBytes));
  return async (request) => {
    const { method, url } = request;
    const client = request.headers.get('cf-connecting-ip') ?? 'unknown';
    const exchange = await answer({ method, url, headers: clientFields(request), client });
    if (logsRequests) logRequest(exchange, reader.reads);
    return exchange.response;
  };
}

/** The header fields as the client sent them. */
function clientFields({ headers, cf }: EdgeRequest): Fields {
  const accepted = cf?.clientAcceptEncoding;
  if (accepted === undefined) return headers;
  return { get: (name) => (name === 'accept-encoding' ? accepted || null : headers.get(name)) };
}

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
