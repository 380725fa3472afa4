import { addresser } from '../../generator/contract/paths.ts';
import { Handler } from '../handler.ts';
import type { ShimLog } from '../host.ts';
import { webCompressor } from '../http/compressor.ts';
import type { Fields } from '../http/conditional.ts';
import { cursorSecrets } from '../lists/cursor-signing.ts';
import { QuestionQueue } from '../question-queue.ts';
import { CurrentPublication } from '../site/current-publication.ts';
import { type WebExchange, webHandler } from '../web-handler.ts';
import { BindingRateLimiter, type EdgeRequest, type Environment } from './bindings.ts';
import { BucketSite } from './bucket-site.ts';

/**
 * Milliseconds between two reads of the pointer, each of which costs an operation. A new publication may go unnoticed
 * for this long.
 */
const pointerCheckMs = 5000;

/**
 * An isolate has 128 MB for code, caches and the requests under way. Parsed objects take up to 16 MB of them, routes up
 * to 24 MB, bodies up to 16 MB, and the search index about 20 MB.
 */
const caches = { keptBytes: 16 * 1024 * 1024, bodyBytes: 16 * 1024 * 1024 };

/** No request may wait for another one in an isolate, so that questions beyond a number are refused. */
const questionLimits = { running: 64, runningPerClient: 64, waiting: 0, waitingPerClient: 0 };

/** The service over a bucket, made once per isolate. Throws an error that names the setting that is wrong. */
export function edgeService(environment: Environment): (request: EdgeRequest) => Promise<Response> {
  const { address, cursorSecrets, isSecretRandom, logsRequests } = readSettings(environment);
  if (isSecretRandom)
    consoleLog('warn', 'CURSOR_SECRET is not set: other isolates do not know the cursors of this one');
  const reader = new BucketSite(environment.SITE);
  const { keptBytes, bodyBytes } = caches;
  const publication = new CurrentPublication({ reader, log: consoleLog, checkEveryMs: pointerCheckMs, keptBytes });
  const limiter = environment.RATE_LIMITER ? new BindingRateLimiter(environment.RATE_LIMITER) : null;
  const handler = new Handler({
    publication,
    address,
    log: consoleLog,
    limiter,
    cursorSecrets,
    queue: new QuestionQueue(questionLimits, (callback) => void setTimeout(callback, 0)),
    compressor: webCompressor(),
    now: Date.now,
  });
  const answer = webHandler(handler, publication, bodyBytes);
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

/** Characters of a request target that are logged. */
const toldCharacters = 512;

/** Logs to the console, one line of JSON per event. Workers collect the lines: `wrangler tail`, Workers Logs. */
const consoleLog: ShimLog = (level, message, fields) => {
  console[level](JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg: message }));
};

/**
 * Logs the line of a request, with the field names that `serve.ts` uses. `bucket_reads`: how often this isolate has
 * read the bucket since it started. The line has no duration, because the clock of a worker stands still while it
 * computes.
 */
function logRequest({ request, answer }: WebExchange, bucketReads: number): void {
  const { id, method, target, client } = request;
  const { status, resource, headers } = answer;
  const revision = headers['X-Publication-Revision'] ?? null;
  const told = { id, method, target: target.slice(0, toldCharacters), resource, status, revision, client };
  console.info(JSON.stringify({ level: 'info', time: new Date().toISOString(), ...told, bucket_reads: bucketReads }));
}

/** Reads the variables and secrets of a worker. Throws an error that names the one that is wrong. */
export function readSettings(environment: Environment) {
  const { BASE_URL: baseUrl, LOG_REQUESTS: logRequests = 'false' } = environment;
  const { secrets, isRandom } = cursorSecrets(environment);
  if (baseUrl && !(/^https?:\/\//.test(baseUrl) && URL.canParse(baseUrl))) {
    throw new Error(`BASE_URL starts with http:// or https://, got '${baseUrl}'`);
  }
  if (logRequests !== 'true' && logRequests !== 'false') {
    throw new Error(`LOG_REQUESTS is true or false, got '${logRequests}'`);
  }
  return {
    address: addresser(baseUrl || null),
    cursorSecrets: secrets,
    /** No other isolate knows a random secret. */
    isSecretRandom: isRandom,
    logsRequests: logRequests === 'true',
  };
}
