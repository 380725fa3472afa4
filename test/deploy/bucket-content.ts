import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { Pointer, Route } from '../../generator/contract/formats/site.ts';
import { objectPath } from '../../generator/contract/paths.ts';
import { readSite } from '../build/site-tree.ts';

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

/**
 * The content that a bucket must have after a deploy, computed from the site's files without the code of deploying:
 * size and quoted MD5 by key.
 */
export function contentOfSite(
  dist: string,
  prefix = '',
  withDocuments = true,
): Map<string, { size: number; etag: string }> {
  const found = new Map<string, { size: number; etag: string }>();
  const add = (key: string, file: string) => {
    const bytes = readFileSync(join(dist, file));
    found.set(prefix + key, { size: bytes.length, etag: `"${hash('md5', bytes)}"` });
  };
  for (const name of objectsOfSite(dist)) add(name, name);
  const { routes } = readSite(dist);
  if (withDocuments) for (const { path, sha256 } of routes.values()) add(path.slice(1), objectPath(sha256));
  add('current.json', 'current.json');
  if (existsSync(join(dist, 'current.json.sig'))) add('current.json.sig', 'current.json.sig');
  return found;
}

/** The keys of the objects that a pointer leads to. */
function objectsOfSite(dist: string): Set<string> {
  const pointer = JSON.parse(readFileSync(join(dist, 'current.json'), 'utf8')) as Pointer;
  const read = (name: string) => JSON.parse(readFileSync(join(dist, name), 'utf8'));
  const names = new Set<string>();
  for (const { routes: root } of pointer.publications) {
    if (root === null) continue;
    names.add(objectPath(root.sha256));
    for (const shard of read(objectPath(root.sha256)).shards as { sha256: string }[]) {
      names.add(objectPath(shard.sha256));
      for (const { sha256, variants = [] } of read(objectPath(shard.sha256)).routes as Route[]) {
        for (const one of [{ sha256 }, ...variants]) names.add(objectPath(one.sha256));
      }
    }
  }
  return names;
}
