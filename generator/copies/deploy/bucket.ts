import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Failure } from '../../files/failure.ts';
import { FailedAttempt } from '../../http/body.ts';
import { backoffMs } from '../../http/limits.ts';
import type { Digests } from '../../site/checked-files.ts';
import { type BucketAddress, bucketUrl } from './bucket-address.ts';
import type { Delivery } from './upload.ts';

/** `etag` without quotes: the MD5 of the bytes, if they were uploaded in one part. */
export type Listed = { readonly size: number; readonly etag: string };

/** `body` is called for each attempt. `sha256` is signed and `md5` sent, so the bucket refuses damaged bytes. */
type Sending = Digests & {
  readonly body: () => Uint8Array | Readable;
  readonly delivery: Delivery;
};

/** Attempts in all after errors that the SDK wrongly treats as final. The waits between them grow. */
const attempts = 5;
const firstWaitMs = 200;

export type S3Bucket = ReturnType<typeof s3Bucket>;

/** An S3-compatible bucket below a prefix. Every method throws a Failure that names operation, key, status and code. */
export function s3Bucket(address: BucketAddress, client: S3Client) {
  const { bucket, prefix } = address;
  const url = (name: string) => bucketUrl(address, name);
  const bucketKey = (name: string) => ({ Bucket: bucket, Key: prefix + name });
  let requests = 0;
  client.middlewareStack.add(
    (next) => (args) => {
      requests += 1;
      return next(args);
    },
    { step: 'deserialize', name: 'countRequests' },
  );

  async function patiently<Result>(operation: string, name: string, ask: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask();
      } catch (error) {
        if (attempt === attempts || !isWorthRetrying(error)) throw explainS3(operation, url(name), error);
        await wait(backoffMs(firstWaitMs, attempt));
      }
    }
  }

  async function get(name: string): Promise<Buffer | null> {
    const reply = await client.send(new GetObjectCommand(bucketKey(name))).catch(unlessMissing);
    if (reply === null) return null;
    const bytes = Buffer.from((await reply.Body?.transformToByteArray()) ?? []);
    if (reply.ContentLength !== undefined && bytes.length !== reply.ContentLength) {
      throw new FailedAttempt(`expected ${reply.ContentLength} bytes, got ${bytes.length}`);
    }
    return bytes;
  }

  return {
    /** The number of requests so far, including repeated ones. */
    get requests(): number {
      return requests;
    },
    url,
    async list(): Promise<Map<string, Listed>> {
      const found = new Map<string, Listed>();
      let token: string | undefined;
      do {
        const command = () =>
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token, EncodingType: 'url' });
        const page = await patiently('ListObjectsV2', '', () => client.send(command()));
        for (const { Key = '', Size = 0, ETag = '' } of page.Contents ?? []) {
          // Some servers encode slashes. Names of the site need no encoding, and other names do not matter here.
          const name = Key.replaceAll('%2F', '/').slice(prefix.length);
          found.set(name, { size: Size, etag: ETag.replaceAll('"', '') });
        }
        token = page.NextContinuationToken;
        if (page.IsTruncated && token === undefined) {
          throw new Failure(
            'bucket',
            `ListObjectsV2 ${url('')}: expected a token for the next part of the list, got none`,
          );
        }
      } while (token !== undefined);
      return found;
    },
    /** The bytes of a small file; null if there is none. With a hash, throws a Failure for other bytes. */
    read: (name: string, sha256: string | null = null): Promise<Buffer | null> =>
      patiently('GetObject', name, async () => {
        const bytes = await get(name);
        const got = bytes && hash('sha256', bytes);
        if (bytes !== null && sha256 !== null && got !== sha256) {
          throw new FailedAttempt(`expected bytes with SHA-256 ${sha256}, got ${got}`);
        }
        return bytes;
      }),
    /** Puts a file in one part. Throws a Failure if the bucket gives it an ETag other than its MD5. */
    async put(name: string, { body, size, sha256, md5, delivery }: Sending): Promise<void> {
      const reply = await patiently('PutObject', name, () => {
        const command = new PutObjectCommand({
          ...bucketKey(name),
          Body: body(),
          ContentLength: size,
          ContentMD5: Buffer.from(md5, 'hex').toString('base64'),
          ContentType: delivery.content_type,
          CacheControl: delivery.cache_control,
          Metadata: { ...delivery.metadata },
          ...(delivery.content_encoding === null ? {} : { ContentEncoding: delivery.content_encoding }),
          ...(delivery.content_disposition === null ? {} : { ContentDisposition: delivery.content_disposition }),
        });
        command.middlewareStack.add(
          (next) => (args) => {
            (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
            return next(args);
          },
          { step: 'build', name: 'signKnownHash' },
        );
        return client.send(command);
      });
      const etag = reply.ETag?.replaceAll('"', '');
      if (etag !== undefined && etag !== md5) {
        throw new Failure(
          'bucket',
          `PutObject ${url(name)}: expected the ETag ${md5}, the MD5 of its bytes, got ${etag}: SSE-KMS changes ETags, so use SSE-S3`,
        );
      }
    },
    async remove(name: string): Promise<void> {
      const command = () => new DeleteObjectCommand(bucketKey(name));
      await patiently('DeleteObject', name, () => client.send(command()).catch(unlessMissing));
    },
    close: () => client.destroy(),
  };
}

/**
 * Returns null for the error of a missing key, which is a normal answer. Rethrows other errors, such as a missing
 * bucket.
 */
function unlessMissing(error: unknown): null {
  const { name, $metadata: metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === 'NoSuchKey' || (metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket')) return null;
  throw error;
}

/** A null `endpoint` is Amazon's own, or the one in the environment. */
export type ClientOptions = { readonly endpoint: string | null; readonly concurrency: number };

/** The SDK gives up after this many attempts. It chooses the waits in between. */
const attemptsOfSdk = 5;
const connectionTimeoutMs = 10_000;
const idleMs = 30_000;

/** The SDK warns on the console that it does not retry a stream. `s3Bucket` retries it, so the warning is dropped. */
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The SDK looks for credentials and region in its usual places; the default region is us-east-1. */
export async function openClient(options: ClientOptions): Promise<S3Client> {
  // The lock file decides the versions, so operators need not see the SDK's advice to update Node.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const config = clientConfig(options);
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
function clientConfig({ endpoint, concurrency }: ClientOptions): S3ClientConfig {
  const agent = { keepAlive: true, maxSockets: concurrency };
  return {
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    retryMode: 'standard',
    maxAttempts: attemptsOfSdk,
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

/** The SDK treats these errors as final, but the body was only damaged or cut on the way. */
const damagedOnTheWay = new Set([
  'BadDigest',
  'IncompleteBody',
  'InvalidDigest',
  'RequestTimeout',
  'XAmzContentSHA256Mismatch',
]);

/** Another request may help for damaged bodies, and for errors that the SDK does not retry. */
function isWorthRetrying(error: unknown): boolean {
  if (error instanceof FailedAttempt) return true;
  if (!(error instanceof Error) || error instanceof Failure || error.name === 'CredentialsProviderError') return false;
  const { $metadata: metadata } = error as S3Error;
  if (damagedOnTheWay.has(error.name)) return true;
  if ((metadata?.attempts ?? 1) > 1) return false;
  const status = metadata?.httpStatusCode;
  return status === undefined ? isConnectionError(error) : status >= 500 || status === 429;
}

/** Makes a Failure that names the request. Errors that neither bucket nor connection caused stay as they are. */
function explainS3(operation: string, url: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  if (error instanceof FailedAttempt) return new Failure('bucket', `${operation} ${url}: ${error.message}`);
  if (error.name === 'CredentialsProviderError') {
    return new Failure(
      'bucket',
      `${operation} ${url}: expected credentials, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, got none: ${oneLine(error.message)}`,
    );
  }
  const { $metadata: metadata, code } = error as S3Error;
  const status = metadata?.httpStatusCode;
  if (status === undefined && !isConnectionError(error)) return error;
  const times = metadata?.attempts && metadata.attempts > 1 ? `, ${metadata.attempts} times` : '';
  const got = status === undefined ? (code ?? error.name) : `status ${status} ${error.name}`;
  const message = oneLine(error.message);
  return new Failure(
    'bucket',
    `${operation} ${url}: expected success, got ${got}${message && message !== error.name ? ` (${message})` : ''}${times}`,
  );
}

/** A socket, a name lookup, a timeout, a body that ends too early, or XML that was cut. */
function isConnectionError(error: Error): boolean {
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
