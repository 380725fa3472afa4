import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { credentials } from './swift-configuration.ts';

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

  /** A new bucket that everybody may read. */
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
