import { request } from 'node:http';
import { HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';

/** The content of a bucket: sizes and entity tags by key, as the server lists them. */
export async function contentOfBucket(
  client: S3Client,
  bucket: string,
): Promise<Map<string, { readonly size: number; readonly etag: string }>> {
  const found = new Map<string, { size: number; etag: string }>();
  let token: string | undefined;
  do {
    const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: token }));
    for (const { Key = '', Size = -1, ETag = '' } of page.Contents ?? []) found.set(Key, { size: Size, etag: ETag });
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return found;
}

export async function headOf(client: S3Client, bucket: string, key: string) {
  return client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
}

/** Gets an answer with its body as it was sent, without decoding. */
export function rawGet(
  url: string,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      );
    });
    asked.on('error', reject).end();
  });
}
