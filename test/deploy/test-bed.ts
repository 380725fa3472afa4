import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe } from 'vitest';
import { parseBucketAddress } from '../../generator/copies/deploy/bucket-address.ts';
import { type DeployOptions, deploySite } from '../../generator/copies/deploy/deploy.ts';
import type { SigningKey } from '../../generator/trust/keys.ts';
import { needing } from '../support/installed-programs.ts';
import { sharedSwift } from '../support/shared-servers.ts';
import { SmallSites } from '../support/small-sites.ts';
import { readBucket, readSiteFiles } from './bucket-content.ts';
import { credentials } from './swift-configuration.ts';
import { swiftPrograms } from './swift-server.ts';

/** Deploys with the defaults of the command. */
export function deploy(directory: string, url: string, endpoint: string, options: Partial<DeployOptions> = {}) {
  const defaults = { concurrency: 16, withDocuments: true, force: false, dryRun: false, plan: null };
  const address = parseBucketAddress(url);
  return deploySite({ directory, address, endpoint, ...defaults, ...options }, () => undefined);
}

/** How many files a deploy uploaded, of all kinds. */
export function countPuts({ puts }: Awaited<ReturnType<typeof deploySite>>): number {
  return Object.values(puts).reduce((sum, { count }) => sum + count, 0);
}

/** The account in Swift that the tests use. */
export class SwiftAccount {
  readonly endpoint: string;
  readonly client: S3Client;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
    // The SDK reads these variables, in this process and in its children.
    process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey;
    process.env.AWS_EC2_METADATA_DISABLED = 'true';
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
    this.client = new S3Client({ endpoint, forcePathStyle: true, region: 'us-east-1', credentials });
  }

  /** A new bucket that everybody can read. */
  async createBucket(): Promise<string> {
    const name = `bucket-${randomUUID()}`;
    await this.client.send(new CreateBucketCommand({ Bucket: name, ACL: 'public-read' }));
    return name;
  }

  /** The URL of a bucket for reading without credentials, as on a plain host. */
  publicUrl(bucket: string): string {
    return `${this.endpoint}/v1/AUTH_test/${bucket}`;
  }
}

type TestBucket = {
  readonly bucket: string;
  readonly run: (
    sequence: number,
    options?: Partial<DeployOptions>,
    endpoint?: string,
  ) => ReturnType<typeof deploySite>;
  readonly content: () => ReturnType<typeof readBucket>;
  readonly put: (key: string, body: string) => Promise<unknown>;
};

/** Values that the tests of a file share. The fields are set before its tests run. */
class DeployTestBed {
  swift!: SwiftAccount;
  sites!: SmallSites;
  #newest: TestBucket | null = null;

  get client(): S3Client {
    return this.swift.client;
  }

  /** The folder of the site after the publication with this sequence. */
  dist(sequence: number): string {
    return this.sites.at(`dist-${sequence}`);
  }

  /**
   * A new bucket. `run` deploys a publication to its root, through an endpoint; `content` lists it; `put` writes an
   * object as a stranger would.
   */
  async freshBucket(): Promise<TestBucket> {
    const { client, swift } = this;
    const bucket = await swift.createBucket();
    this.#newest = {
      bucket,
      run: (sequence, options = {}, endpoint = swift.endpoint) =>
        deploy(this.dist(sequence), `s3://${bucket}`, endpoint, options),
      content: () => readBucket(client, bucket),
      put: (Key, Body) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body })),
    };
    return this.#newest;
  }

  /**
   * A bucket that holds a publication and nothing else: the newest one, put there by force, because an empty bucket
   * takes hundreds of uploads. If force cannot put it there, the bucket is an empty one.
   */
  async bucketWith(sequence: number): Promise<TestBucket> {
    await this.#newest?.run(sequence, { force: true });
    if (this.#newest && isDeepStrictEqual(await this.#newest.content(), readSiteFiles(this.dist(sequence)))) {
      return this.#newest;
    }
    const empty = await this.freshBucket();
    await empty.run(sequence);
    return empty;
  }
}

/**
 * Declares tests that use the run's Swift and a series of small sites. They are skipped if Swift is not installed.
 */
export function withSwift(
  name: string,
  publications: number,
  tests: (testBed: DeployTestBed) => void,
  key?: SigningKey,
): void {
  describe(name, needing(...swiftPrograms), () => {
    const testBed = new DeployTestBed();
    beforeAll(async () => {
      const [endpoint, sites] = await Promise.all([sharedSwift(), SmallSites.build(publications, key)]);
      Object.assign(testBed, { swift: new SwiftAccount(endpoint), sites });
    });
    afterAll(() => {
      testBed.sites.remove();
      testBed.client.destroy();
    });
    tests(testBed);
  });
}
