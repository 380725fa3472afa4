import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

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
