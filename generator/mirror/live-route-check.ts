import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { isDownload, isFileKind } from '../contract/file-resource.ts';
import { cacheControl, httpDate } from '../contract/headers.ts';
import { parseJson } from '../contract/parse-json.ts';
import { parsePath } from '../contract/paths.ts';
import { resources } from '../contract/resources.ts';
import type { Pointer, Route } from '../contract/site.ts';
import { Failure } from '../failure.ts';
import type { HttpClient, Reply } from '../remote/http-client.ts';
import { type FaultList, shown } from '../store/verification/fault.ts';
import type { RemoteSite } from './remote-site.ts';

type Surroundings = {
  readonly client: HttpClient;
  readonly remote: RemoteSite;
  readonly pointer: Pointer;
  readonly bytesOnly: boolean;
  readonly faults: FaultList;
};

/**
 * Asks for an address as a reader would and holds the answer against its route: bytes, and unless these are enough ETag and
 * the headers of contract.md 5. A list that continues is another answer on a host that computes, with a cursor in it; the rest of it is the same.
 */
export async function checkLiveRoute(surroundings: Surroundings, route: Route): Promise<void> {
  const { client, remote, pointer, bytesOnly, faults } = surroundings;
  const { path } = route;
  let reply: Reply;
  try {
    reply = await client.get(`${remote.root}${path}`, { maxBytes: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    faults.add('live_status', path, 'status 200', error.message);
    return;
  }
  const { status, headers } = reply;
  if (status !== 200) {
    faults.add('live_status', path, 'status 200', `status ${status}`);
    return;
  }
  const isComputed = await checkBytes(remote, route, reply, faults);
  if (bytesOnly) return;
  const expectHeader = (name: string, expected: string | null) => {
    const got = headers.get(name);
    if (got === expected) return;
    faults.add('live_header', path, `${name} ${shown(expected ?? 'absent')}`, shown(got ?? 'absent'));
  };
  const kind = parsePath(path)?.kind;
  const isWholeOrPart = kind !== undefined && isDownload(kind);
  expectHeader('Content-Type', route.media_type);
  expectHeader('Content-Encoding', route.encoding);
  expectHeader('Cache-Control', cacheControl(route));
  expectHeader('X-Publication-Revision', parsePath(path)?.parameters.revision ?? pointer.revision);
  expectHeader('Access-Control-Allow-Origin', '*');
  expectHeader('X-Content-Type-Options', 'nosniff');
  if (isComputed) return;
  expectHeader('ETag', route.etag);
  expectHeader('Last-Modified', httpDate(route.last_modified));
  if (isWholeOrPart) expectHeader('Content-Length', String(route.size));
}

/** Whether the answer is the stored list with a cursor in it. Any other difference is a fault. */
async function checkBytes(remote: RemoteSite, route: Route, { bytes }: Reply, faults: FaultList): Promise<boolean> {
  const { path, sha256, encoding } = route;
  const got = hash('sha256', bytes);
  if (got === sha256) return false;
  const object = await objectOf(remote, route, faults);
  if (object === null) return false;
  // What is sent compressed is unpacked before anybody sees it.
  const expected = encoding === 'gzip' ? gunzipSync(object) : object;
  if (Buffer.from(expected).equals(bytes)) return false;
  const kind = parsePath(path)?.kind;
  const isList = kind !== undefined && !isFileKind(kind) && resources[kind].role === 'list';
  if (isList && isDeepStrictEqual(withoutCursor(bytes), withoutCursor(expected))) return true;
  faults.add('live_bytes', path, `${expected.length} bytes of object ${sha256}`, `${bytes.length} with SHA-256 ${got}`);
  return false;
}

async function objectOf(remote: RemoteSite, route: Route, faults: FaultList): Promise<Uint8Array | null> {
  try {
    return await remote.object(route);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    faults.add('object_missing', route.path, `the object ${route.sha256}`, error.message);
    return null;
  }
}

type List = { meta?: { page?: { has_more?: boolean } & Record<string, unknown> }; links?: Record<string, unknown> };

/** A list that continues, as far as it is the same on every host, contract.md 4; of anything else the bytes. */
function withoutCursor(bytes: Uint8Array): unknown {
  const list = parseJson(Buffer.from(bytes).toString()) as List | null;
  if (list?.meta?.page?.has_more !== true) return Buffer.from(bytes);
  const page = { ...list.meta.page, next_cursor: null, cursor_expires_at: null };
  return { ...list, meta: { ...list.meta, page }, links: { ...list.links, next: null } };
}
