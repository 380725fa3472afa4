import { existsSync, realpathSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import handler from 'serve-handler';
import { lastModified } from '../../contract/headers.ts';
import {
  checkoutFolder,
  checkoutPath,
  isFileName,
  parseSiteFile,
  pointerFile,
  siteLink,
} from '../../contract/paths.ts';
import { routeHeaders, siteFileHeaders } from '../../contract/route-headers.ts';
import { withoutKnownDate } from '../../shim/http/request-fields.ts';
import { nodeHash } from '../../shim/node/node-host.ts';
import { SiteFolder } from '../../shim/node/site-folder.ts';
import { CurrentPublication } from '../../shim/site/current-publication.ts';

/** serve-handler does not know these media types, or gives them for the uncompressed file. */
const mediaTypes = {
  '**/*.parquet': 'application/vnd.apache.parquet',
  '**/*.ndjson.gz': 'application/gzip',
  '**/*.csv.gz': 'application/gzip',
} as const;

type HeaderRules = { source: string; headers: { key: string; value: string }[] }[];

const headersByName: HeaderRules = Object.entries(mediaTypes).map(([source, value]) => ({
  source,
  headers: [{ key: 'Content-Type', value }],
}));

/** Milliseconds between two readings of the pointer. */
const pointerCheckMs = 1000;

/** A file below a folder. `headers`: null if no route table names the file. */
type PlainFile = {
  readonly folder: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>> | null;
};

/**
 * Sends the files of a folder as a plain host does: the current checkout of a site, or a folder with the documents
 * themselves, such as an unpacked bundle. `/v1/x` finds `v1/x.json`. Answers have the headers of the route table, if
 * the folder has one. Resolves to the URL once the server listens. `log` gets messages for the operator.
 */
export async function servePlain(
  { dist, host, port }: { readonly dist: string; readonly host: string; readonly port: number },
  log: (message: string) => void,
) {
  // serve-handler parses URLs in a deprecated way. Its users can do nothing about that.
  process.noDeprecation = true;
  const isSite = existsSync(join(dist, pointerFile));
  const publication = new CurrentPublication({
    source: new SiteFolder(dist),
    log: (_, message) => log(message),
    checkEveryMs: pointerCheckMs,
    sharesReadings: true,
    hash: nodeHash,
  });

  const find = async (path: string): Promise<PlainFile> => {
    const siteFile = isSite ? parseSiteFile(path) : null;
    if (siteFile !== null)
      return { folder: realpathSync(dist), path, headers: allHeaders(siteFileHeaders(siteFile.kind)) };
    const view = isSite ? await publication.view() : null;
    const route = view && (await view.lookup(path));
    const checkout = join(dist, view === null ? siteLink : checkoutFolder(view.revision));
    const folder = realpathSync(existsSync(checkout) ? checkout : dist);
    const file = `/${checkoutPath(path)}`;
    if (route) {
      const dated = { 'Last-Modified': lastModified(route.last_modified, Date.now()) };
      return { folder, path: file, headers: { ...allHeaders(routeHeaders(route, view.revision)), ...dated } };
    }
    const isDocument = !isFileName(path) && existsSync(join(folder, file));
    return { folder, path: isDocument ? file : path, headers: null };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end();
    const [path = '', query] = (request.url ?? '').split('?');
    const refusal = refusalOf(path);
    if (refusal !== null) return void response.writeHead(refusal).end();
    const file = await find(path);
    request.url = query === undefined ? file.path : `${file.path}?${query}`;
    const headers =
      file.headers && withoutKnownDate({ get: (name) => request.headers[name]?.toString() ?? null }, file.headers);
    // serve-handler sends a 304 with no other headers than these.
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    const { size = 0 } = statSync(join(file.folder, file.path), { throwIfNoEntry: false }) ?? {};
    if (!hasSoundRange(request, size, file.headers?.ETag)) {
      return void response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
    }
    await handler(request, response, {
      public: file.folder,
      cleanUrls: false,
      directoryListing: false,
      etag: file.headers?.ETag === undefined,
      headers: headers === null ? headersByName : rulesFor(headers),
    });
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return `http://${isIPv6(host) ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

/** The status for a path that no file can have; otherwise null. */
function refusalOf(path: string): 400 | 404 | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return 400;
  }
  const segments = decoded.split(/[/\\]/);
  if (decoded.includes('\0') || segments.includes('..')) return 400;
  // The limits of Linux and macOS.
  const isLong = Buffer.byteLength(decoded) > 1000 || segments.some((segment) => Buffer.byteLength(segment) > 250);
  return isLong ? 404 : null;
}

/**
 * Keeps only ranges that serve-handler treats as RFC 9110 says. It refuses a suffix range longer than the file, sends
 * the whole file with a 416, and ignores If-Range. False for a range beyond the end.
 */
function hasSoundRange({ headers }: IncomingMessage, size: number, etag: string | undefined): boolean {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const isOther = headers['if-range'] !== undefined && headers['if-range'] !== etag;
  if (first + last === '' || isOther || (first !== '' && last !== '' && Number(first) > Number(last))) {
    delete headers.range;
    return true;
  }
  const isBeyond = first === '' ? Number(last) === 0 : Number(first) >= size;
  if (first === '' && Number(last) > size) headers.range = 'bytes=0-';
  return !isBeyond || size === 0;
}

function allHeaders({ known, described }: ReturnType<typeof routeHeaders>): Readonly<Record<string, string>> {
  return { ...known, ...described };
}

/** In rules, `**` matches no name that begins with a dot. */
function rulesFor(fields: NonNullable<PlainFile['headers']>): HeaderRules {
  const headers = headerRules(fields);
  return ['**', '.well-known/**'].map((source) => ({ source, headers }));
}

/** serve-handler adds Content-Disposition and Last-Modified. Null leaves a header out, which its types do not say. */
function headerRules(headers: Readonly<Record<string, string>>): HeaderRules[number]['headers'] {
  const all = { 'Content-Disposition': null, 'Last-Modified': null, ...headers };
  return Object.entries(all).map(([key, value]) => ({ key, value: value as unknown as string }));
}
