import { hasCredentials } from '../../contract/credentials.ts';
import { addresser } from '../../contract/paths.ts';
import { Handler } from '../handler.ts';
import {
  type Answer,
  type Compressor,
  type FileAnswer,
  loggedFields,
  type ReadRequest,
  type ShimLog,
} from '../host.ts';
import type { Fields } from '../http/request-fields.ts';
import { cursorSecrets } from '../lists/cursor-signing.ts';
import { QuestionQueue } from '../question-queue.ts';
import { CurrentPublication } from '../site/current-publication.ts';
import { bodyReading } from '../site/verified-objects.ts';
import { BindingRateLimiter, BucketSite, type EdgeRequest, type Environment } from './bucket-site.ts';

/**
 * Milliseconds between two reads of the pointer, each of which costs an operation. A new publication can go unnoticed
 * for this long.
 */
const pointerCheckMs = 5000;

/**
 * Bytes of memory for parsed objects. An isolate has 128 MB for code, caches and requests in progress. Routes and
 * their answers take up to 48 MB of that, bodies up to 12 MB, and the search index about 20 MB.
 */
const keptBytes = 16 * 1024 * 1024;

/** In an isolate, no request may wait for another one, so questions beyond a limit are refused. */
const questionLimits = { running: 64, runningPerClient: 64, waiting: 0, waitingPerClient: 0 };

/** The service over a bucket, made once per isolate. Throws an error that names a wrong setting. */
export function edgeService(environment: Environment): (request: EdgeRequest) => Promise<Response> {
  const { address, cursorSecrets, isSecretRandom, logsRequests } = readSettings(environment);
  if (isSecretRandom)
    consoleLog('warn', 'CURSOR_SECRET is not set: pagination cursors of this isolate will not work in others');
  const source = new BucketSite(environment.SITE);
  const publication = new CurrentPublication({ source, log: consoleLog, checkEveryMs: pointerCheckMs, keptBytes });
  const limiter = environment.RATE_LIMITER ? new BindingRateLimiter(environment.RATE_LIMITER) : null;
  const handler = new Handler({
    publication,
    address,
    log: consoleLog,
    limiter,
    cursorSecrets,
    queue: new QuestionQueue(questionLimits, (callback) => void setTimeout(callback, 0)),
    compressor: webCompressor,
    now: Date.now,
  });
  const answer = webHandler(handler, publication);
  return async (request) => {
    const { method, url } = request;
    const client = request.headers.get('cf-connecting-ip') ?? 'unknown';
    const exchange = await answer({ method, url, headers: clientFields(request), client });
    // How often this isolate has read the bucket. There is no duration, because a worker's clock stands still while it
    // computes.
    const ofHost = { bucket_reads: source.reads };
    if (logsRequests) consoleLog('info', undefined, { ...loggedFields(exchange.request, exchange.answer), ...ofHost });
    return exchange.response;
  };
}

/** The header fields as the client sent them. */
function clientFields({ headers, cf }: EdgeRequest): Fields {
  const accepted = cf?.clientAcceptEncoding;
  if (accepted === undefined) return headers;
  return { get: (name) => (name === 'accept-encoding' ? accepted || null : headers.get(name)) };
}

/** Logs to the console, one line of JSON per event. Workers collect the lines: `wrangler tail`, Workers Logs. */
function consoleLog(level: Parameters<ShimLog>[0], message?: string, fields?: Readonly<Record<string, unknown>>): void {
  console[level](JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg: message }));
}

/** Reads the variables and secrets of a worker. Throws an error that names a wrong one. */
export function readSettings(environment: Environment) {
  const { BASE_URL: baseUrl, LOG_REQUESTS: logRequests = 'false' } = environment;
  const { secrets, isRandom } = cursorSecrets(environment);
  if (baseUrl && hasCredentials(baseUrl)) throw new Error('BASE_URL must be a URL without a user name and a password');
  if (baseUrl && !(/^https?:\/\//.test(baseUrl) && URL.canParse(baseUrl))) {
    throw new Error(`BASE_URL must start with http:// or https://, got '${baseUrl}'`);
  }
  if (logRequests !== 'true' && logRequests !== 'false') {
    throw new Error(`LOG_REQUESTS must be true or false, got '${logRequests}'`);
  }
  return {
    address: addresser(baseUrl || null),
    cursorSecrets: secrets,
    /** Other isolates do not know a random secret. */
    isSecretRandom: isRandom,
    logsRequests: logRequests === 'true',
  };
}

/** Compresses with the Web's CompressionStream, which offers gzip but not brotli. */
export const webCompressor: Compressor = {
  codings: ['gzip'],
  async compress(bytes) {
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  },
};

/** The parts of a `Request` that the service uses. */
type WebRequest = Pick<ReadRequest, 'method' | 'headers' | 'client'> & { readonly url: string };

/** The `Response`, with the request and the answer that the log needs. */
export type WebExchange = { readonly request: ReadRequest; readonly answer: Answer; readonly response: Response };

/** Objects above this size, in bytes, are streamed if the host can do so, to keep them out of memory. */
const bufferedSize = 2 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The service as a function of the Web's own types, for hosts that hand over a `Request`. Their runtime has already
 * parsed the URL and resolved its dot segments. The function never rejects.
 */
export function webHandler(
  handler: Handler,
  { objects, source }: CurrentPublication,
): (request: WebRequest) => Promise<WebExchange> {
  /** Rejects with an UnreadableError before any part of the answer is sent. */
  async function fileBody({ object, range }: FileAnswer): Promise<Bytes | ReadableStream<Uint8Array>> {
    if (object.size > bufferedSize && source.streamObject) return source.streamObject(object, range);
    const bytes = await objects.read(bodyReading, object);
    return range ? bytes.subarray(range.start, range.end + 1) : bytes;
  }

  return async ({ method, url, headers, client }) => {
    const { pathname, search } = new URL(url);
    const request: ReadRequest = { id: crypto.randomUUID(), method, target: pathname + search, headers, client };
    let answer = await handler.answer(request);
    let body: string | Bytes | ReadableStream<Uint8Array> | null = null;
    while (answer.kind === 'file' && method !== 'HEAD' && body === null) {
      try {
        body = await fileBody(answer);
      } catch (error) {
        answer = await handler.answerAfter(request, answer, error);
      }
    }
    if ('body' in answer) body = answer.body as string | Bytes;
    // Without `encodeBody`, Workers would compress a body that is already compressed. Other runtimes ignore the member.
    const head = { status: answer.status, headers: answer.headers, encodeBody: 'manual' };
    const response = new Response(method === 'HEAD' ? null : body, head);
    return { request, answer, response };
  };
}
