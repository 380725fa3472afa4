import { isDeepStrictEqual } from 'node:util';
import { addressTable } from '../../contract/addresses.ts';
import { cacheControl, httpDate } from '../../contract/headers.ts';
import { checkoutPath, explorerFile, parsePath } from '../../contract/paths.ts';
import { contentDisposition } from '../../contract/routes.ts';
import { shown } from '../../contract/schemas/checked-value.ts';
import type { Pointer, Route } from '../../contract/schemas/site-files.ts';
import { byteLimits } from '../../contract/site/byte-limits.ts';
import { isShallow, parseJson } from '../../contract/text.ts';
import { Failure } from '../files/failure.ts';
import { unpackedTimes } from '../files/largest-unpacking.ts';
import type { Pieces } from '../http/body.ts';
import type { HttpClient, Reply } from '../http/http-client.ts';
import { type Digest, digestPieces, digestUnpacked } from '../http/receivers.ts';
import { addressRole } from '../site/checked-table.ts';
import type { FaultList } from '../site/fault.ts';
import type { RemoteSite } from '../site/remote-site.ts';

/**
 * A host, as checks of its answers see it. `bytesOnly`: headers are not checked, because not every host can send them.
 * `checksCodings`: the metadata are also requested without an Accept-Encoding header.
 */
export type Host = {
  readonly client: HttpClient;
  readonly remote: RemoteSite;
  readonly bytesOnly: boolean;
  readonly checksCodings: boolean;
};

type CheckContext = Host & { readonly pointer: Pointer; readonly faults: FaultList };

/**
 * Requests an address as a reader would, and compares the answer with its route: the bytes and, unless `bytesOnly`, the
 * ETag and the headers of contract.md 5. A computing host adds a cursor to a list that continues, so bytes, ETag and
 * Last-Modified of that answer may differ; the rest must be the same.
 */
export async function checkLiveRoute(context: CheckContext, route: Route): Promise<void> {
  const { remote, pointer, bytesOnly, faults } = context;
  const { path, size } = route;
  if (size > byteLimits.object) {
    faults.add('live_bytes', path, `at most ${byteLimits.object} bytes`, `a claim of ${size}`);
    return;
  }
  let answer: Reply<Digest>;
  try {
    // A bucket has no empty key. It has the explorer under the name of its file, and lists its keys at `/`.
    const mayBeFile = bytesOnly && checkoutPath(path) === explorerFile;
    answer = await ask(context, route, mayBeFile ? `/${explorerFile}` : path);
    if (mayBeFile && answer.body?.sha256 !== route.sha256) answer = await ask(context, route, path);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    faults.add('live_status', path, 'status 200', error.message);
    return;
  }
  const { status, headers, body } = answer;
  if (body === null) {
    faults.add('live_status', path, 'status 200', `status ${status}`);
    return;
  }
  const isComputed = await checkBytes(remote, route, body, faults);
  if (bytesOnly) return;
  const expectHeader = (name: string, expected: string | null) => {
    const got = headers.get(name);
    if (got === expected) return;
    faults.add('live_header', path, `${name} ${shown(expected ?? 'absent')}`, shown(got ?? 'absent'));
  };
  const kind = parsePath(path)?.kind;
  const isWholeOrPart = kind !== undefined && addressTable[kind].isDownload;
  expectHeader('Content-Type', route.media_type);
  expectHeader('Content-Encoding', route.encoding);
  expectHeader('Cache-Control', cacheControl(route));
  const revision = parsePath(path)?.parameters.revision ?? pointer.revision;
  // A cache may keep the revision of an earlier publication that had the same bytes (contract.md 5).
  const sent = headers.get('x-publication-revision');
  const isKept = revision === pointer.revision && pointer.publications.some((kept) => kept.revision === sent);
  if (!isKept) expectHeader('X-Publication-Revision', revision);
  expectHeader('Access-Control-Allow-Origin', '*');
  expectHeader('X-Content-Type-Options', 'nosniff');
  const disposition = contentDisposition(route);
  if (disposition) expectHeader('Content-Disposition', disposition);
  if (isComputed) return;
  expectHeader('ETag', route.etag);
  // If the date of a route is shared, a host of files sends another time (site/checkout.ts). No host sends a time that
  // is ahead of its Date.
  const isAhead = Date.parse(route.last_modified) > Date.parse(headers.get('date') ?? route.last_modified);
  if (!route.is_date_shared && !isAhead) expectHeader('Last-Modified', httpDate(route.last_modified));
  if (isWholeOrPart) expectHeader('Content-Length', String(route.size));
  if (context.checksCodings && kind === 'metadata' && headers.get('etag') === route.etag)
    await checkCodings(context, route);
}

/**
 * Requests an address once with a coding and then without a word about codings, as simple programs do. A proxy may
 * unpack the answer for them but leave its ETag, and a cache may send them what it stored for others.
 */
async function checkCodings(
  { client, remote, faults }: CheckContext,
  { path, etag, sha256, size }: Route,
): Promise<void> {
  const digest = (pieces: Pieces) => digestPieces(pieces, size, false);
  const get = (accepts: string | null) => client.get(`${remote.root}${path}`, { accepts, maxBytes: size }, digest);
  await get('br');
  const { headers, body } = await get(null);
  const got = [headers.get('etag'), headers.get('content-encoding')];
  if (got[0] === etag && got[1] === null && body?.sha256 === sha256) return;
  const expected = `the plain bytes, with ETag ${etag}, for a client that sends no Accept-Encoding`;
  faults.add('live_coding', path, expected, `ETag ${got[0]}, Content-Encoding ${got[1]}`);
}

/** Keeps the bytes of a list, which may have a cursor in it. For other answers the hash is enough. */
function ask({ client, remote }: CheckContext, route: Route, target: string): Promise<Reply<Digest>> {
  const isKept = route.encoding === null && addressRole(route.path) === 'list' && route.size <= byteLimits.list;
  const most = isKept ? route.size + byteLimits.cursors : mostUnpacked(route);
  // The digest stops reading before this limit.
  return client.get(`${remote.root}${target}`, { maxBytes: most + byteLimits.cursors }, (pieces) =>
    digestPieces(pieces, most, isKept),
  );
}

function mostUnpacked({ size, encoding }: Route): number {
  return encoding === 'gzip' ? unpackedTimes * size : size;
}

/** Whether the answer is the stored list with a cursor added. Reports any other difference. */
async function checkBytes(remote: RemoteSite, route: Route, body: Digest, faults: FaultList): Promise<boolean> {
  const { path, sha256, size, encoding } = route;
  const isLong = body.isTooLong;
  if (!isLong && body.sha256 === sha256) return false;
  const add = (got: string) => faults.add('live_bytes', path, `${size} bytes of object ${sha256}`, got);
  try {
    // The client unpacks answers with a Content-Encoding, so their hash is that of the unpacked object.
    if (!isLong && encoding === 'gzip' && body.sha256 === (await unpackedHash(remote, route))) return false;
    if (!isLong && addressRole(path) === 'list' && size <= byteLimits.list) {
      const stored = await remote.readObject(route);
      if (isDeepStrictEqual(withoutCursor(body.bytes), withoutCursor(stored))) return true;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    faults.add('object_missing', path, `the object ${sha256}`, error.message);
    return false;
  }
  add(isLong ? 'more' : `${body.size} with SHA-256 ${body.sha256}`);
  return false;
}

/** The hash of an object's unpacked bytes, up to the limit for unpacking. */
async function unpackedHash(remote: RemoteSite, route: Route): Promise<string> {
  const { sha256 } = await remote.receive(route, (pieces) => digestUnpacked(pieces, mostUnpacked(route)));
  return sha256;
}

type List = { meta?: { page?: { has_more?: boolean } & Record<string, unknown> }; links?: Record<string, unknown> };

/**
 * A list that continues, without the fields that differ between hosts (contract.md 4). For anything else, the bytes.
 */
function withoutCursor(bytes: Uint8Array): unknown {
  if (!isShallow(bytes)) return Buffer.from(bytes);
  const list = parseJson(Buffer.from(bytes).toString()) as List | null;
  if (list?.meta?.page?.has_more !== true) return Buffer.from(bytes);
  const page = { ...list.meta.page, next_cursor: null, cursor_expires_at: null };
  return { ...list, meta: { ...list.meta, page }, links: { ...list.links, next: null } };
}
