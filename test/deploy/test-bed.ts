import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import type { SigningKey } from '../../generator/site/keys.ts';
import { needing } from '../support/installed-programs.ts';
import { SmallSites } from '../support/small-sites.ts';
import { contentOfBucket } from './bucket-content.ts';
import { deploy } from './deploying.ts';
import { SwiftAccount } from './swift-account.ts';
import { swiftPrograms } from './swift-server.ts';

/** Values that the tests of a file share. The fields are set before its tests run. */
export class DeployTestBed {
  swift!: SwiftAccount;
  sites!: SmallSites;

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
  async freshBucket() {
    const { client, swift } = this;
    const bucket = await swift.createBucket();
    const run = (sequence: number, options: Parameters<typeof deploy>[3] = {}, endpoint = swift.endpoint) =>
      deploy(this.dist(sequence), `s3://${bucket}`, endpoint, options);
    const content = () => contentOfBucket(client, bucket);
    const put = (Key: string, Body: string) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
    return { bucket, run, content, put };
  }
}

/**
 * Declares tests that use the run's Swift and a series of small sites. Without a Swift they are skipped.
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
      const [endpoint, sites] = await Promise.all([startedSwift(), SmallSites.build(publications, key)]);
      Object.assign(testBed, { swift: new SwiftAccount(endpoint), sites });
    });
    afterAll(() => {
      testBed.sites.remove();
      testBed.client.destroy();
    });
    tests(testBed);
  });
}

/** The endpoint of the run's Swift, which starts when it is first needed. */
export async function startedSwift(): Promise<string> {
  const reply = await fetch(inject('swiftBroker'));
  const text = await reply.text();
  if (!reply.ok) throw new Error(text);
  return text;
}
