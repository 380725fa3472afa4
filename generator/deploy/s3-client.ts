import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { Failure } from '../failure.ts';

/** `endpoint` null: Amazon's own, or the one in the environment. */
export type ClientOptions = { readonly endpoint: string | null; readonly concurrency: number };

/** Attempts before the SDK gives up. It chooses the waits in between. */
const attempts = 5;
const connectionTimeoutMs = 10_000;
const idleMs = 30_000;

/** The SDK warns on the console that it does not retry a stream. `S3Bucket` retries it, so the warning is dropped. */
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Opens a client. The SDK looks for credentials and region in its usual places; without a region it is us-east-1. */
export async function openClient(options: ClientOptions): Promise<S3Client> {
  // The lock file decides the versions, so operators need not see the SDK's advice to update Node.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const config = configOf(options);
  const client = new S3Client(config);
  const hasRegion = await client.config.region().then(
    () => true,
    () => false,
  );
  if (hasRegion) return client;
  client.destroy();
  return new S3Client({ ...config, region: 'us-east-1' });
}

/**
 * The SDK's own checksums are off, because some servers do not understand how they are sent. A server given by its URL
 * gets buckets as paths, not as host names.
 */
function configOf({ endpoint, concurrency }: ClientOptions): S3ClientConfig {
  const agent = { keepAlive: true, maxSockets: concurrency };
  return {
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    retryMode: 'standard',
    maxAttempts: attempts,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: idleMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  };
}

function ignore(): void {}

type S3Error = Error & {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number };
};

/** Errors that the SDK takes for final, though the same request may succeed: the body was damaged or cut on the way. */
const damagedOnTheWay = new Set([
  'BadDigest',
  'IncompleteBody',
  'InvalidDigest',
  'RequestTimeout',
  'XAmzContentSHA256Mismatch',
]);

/** An answer of the bucket with a damaged or incomplete body. */
export class DamagedAnswer extends Error {
  override readonly name = 'DamagedAnswer';
}

/**
 * Whether another request may help after the SDK gave up. It may for damaged bodies, and for errors that the SDK does
 * not retry, such as a broken stream. An error that the SDK has retried is final.
 */
export function isWorthAgain(error: unknown): boolean {
  if (error instanceof DamagedAnswer) return true;
  if (!(error instanceof Error) || error instanceof Failure || error.name === 'CredentialsProviderError') return false;
  const { $metadata: metadata } = error as S3Error;
  if (damagedOnTheWay.has(error.name)) return true;
  if ((metadata?.attempts ?? 1) > 1) return false;
  const status = metadata?.httpStatusCode;
  return status === undefined ? isOfConnection(error) : status >= 500 || status === 429;
}

/**
 * Turns an error into a Failure of one line that names the request and what came instead. Returns a Failure, or an
 * error that is not of the bucket or the connection, as it is.
 */
export function explainS3(operation: string, url: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  if (error instanceof DamagedAnswer) return new Failure(`${operation} ${url}: ${error.message}`);
  if (error.name === 'CredentialsProviderError') {
    return new Failure(
      `${operation} ${url}: expected credentials, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, got none: ${oneLine(error.message)}`,
    );
  }
  const { $metadata: metadata, code } = error as S3Error;
  const status = metadata?.httpStatusCode;
  if (status === undefined && !isOfConnection(error)) return error;
  const times = metadata?.attempts && metadata.attempts > 1 ? `, ${metadata.attempts} times` : '';
  const got = status === undefined ? (code ?? error.name) : `status ${status} ${error.name}`;
  const message = oneLine(error.message);
  return new Failure(
    `${operation} ${url}: expected success, got ${got}${message && message !== error.name ? ` (${message})` : ''}${times}`,
  );
}

/**
 * Whether an error is of the connection: a socket, a name lookup, a timeout, a body that ends too early, or XML that
 * was cut.
 */
function isOfConnection(error: Error): boolean {
  const { code } = error as S3Error;
  return (
    (code !== undefined && /^(E[A-Z_]+|HPE_[A-Z_]+|UND_ERR[A-Z_]*)$/.test(code) && !code.startsWith('ERR_')) ||
    error.name === 'TimeoutError' ||
    /aborted|socket hang up|deserializ|Unexpected end|Unclosed/i.test(error.message)
  );
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}
