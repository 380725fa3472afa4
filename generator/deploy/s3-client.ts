import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { Failure } from '../failure.ts';

/** `endpoint` null: Amazon's own, or what the environment says. */
export type ClientOptions = { readonly endpoint: string | null; readonly concurrency: number };

/** Before the SDK gives up; the waits in between are its own. */
const attempts = 5;
const connectionTimeoutMs = 10_000;
const idleMs = 30_000;

/** The SDK writes to the console that it does not repeat a stream: we do. */
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Credentials and region are looked for as everywhere in the SDK; without a region it is us-east-1. */
export async function openClient(options: ClientOptions): Promise<S3Client> {
  // Which versions are used is decided by the lock file, so that the advice to update Node is not for operators.
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
 * Checksums that the SDK adds of itself are sent in a way that some servers do not understand; ours go without. A server
 * that is named by a URL knows its buckets as paths, not as host names.
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

/** What the SDK takes for final, though the same request may well succeed: its body was damaged or cut on the way. */
const damagedOnTheWay = new Set([
  'BadDigest',
  'IncompleteBody',
  'InvalidDigest',
  'RequestTimeout',
  'XAmzContentSHA256Mismatch',
]);

/** An answer of the bucket whose body came otherwise than it should. */
export class DamagedAnswer extends Error {
  override readonly name = 'DamagedAnswer';
}

/**
 * Whether asking once more may help after the SDK gave up: damaged bodies, and what it does not ask for again by itself, such
 * as a stream that broke off. What it has tried several times is final.
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

/** One line: what was asked for, and what came instead. Errors that are ours go through as they are. */
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

/** Sockets, names and times; with them bodies that end too early, and XML that was cut. */
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
