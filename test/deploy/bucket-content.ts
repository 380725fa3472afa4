import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { objectPath } from '../../contract/paths.ts';
import { readJson, readSite } from '../units/site-tree.ts';

/** The content of a bucket: sizes and entity tags by key, as the server lists them. */
export async function readBucket(
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

export async function readHead(client: S3Client, bucket: string, key: string) {
  return client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
}

/**
 * The content that a bucket must have after a deploy, computed from the site's files without the code of deploying:
 * size and quoted MD5 by key.
 */
export function readSiteFiles(
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
  const hashes = readSite(dist).pointer.publications.flatMap(({ routes: root }) => {
    if (root === null) return [];
    const { shards } = readJson(dist, root.sha256) as { shards: { sha256: string }[] };
    const routes = [...readSite(dist, root).routes.values()];
    return [root, ...shards, ...routes.flatMap((route) => [route, ...(route.variants ?? [])])];
  });
  return new Set(hashes.map(({ sha256 }) => objectPath(sha256)));
}
