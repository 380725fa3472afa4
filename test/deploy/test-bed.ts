import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import type { SigningKey } from '../../generator/site/keys.ts';
import { SmallSites } from '../support/small-sites.ts';
import { contentOfBucket } from './bucket-content.ts';
import { deploy } from './deploying.ts';
import { SwiftAccount } from './swift-account.ts';
import { missingOfSwift } from './swift-server.ts';

/** What the tests of a file share. Fields are there when its tests run. */
export class DeployTestBed {
  swift!: SwiftAccount;
  sites!: SmallSites;

  get client(): S3Client {
    return this.swift.client;
  }

  /** The folder of the site after so many publications. */
  dist(sequence: number): string {
    return this.sites.at(`dist-${sequence}`);
  }

  /** A new bucket: deploys of the publications to its root, by an endpoint, what it holds, and other hands in it. */
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

/** Tests with the Swift of the run and a series of small sites; skipped, with the reason, where there is no Swift. */
export function withSwift(
  name: string,
  publications: number,
  tests: (testBed: DeployTestBed) => void,
  key?: SigningKey,
): void {
  const reason = missingOfSwift === null ? '' : `, skipped: no ${missingOfSwift} here`;
  describe.skipIf(missingOfSwift !== null)(name + reason, () => {
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

/** The endpoint of the Swift of the run, which is started when it is first wanted. */
export async function startedSwift(): Promise<string> {
  const reply = await fetch(inject('swiftBroker'));
  const text = await reply.text();
  if (!reply.ok) throw new Error(text);
  return text;
}
