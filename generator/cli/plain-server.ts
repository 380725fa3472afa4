import { existsSync, realpathSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import handler from 'serve-handler';
import { checkoutPath, isFileName, siteLink } from '../../contract/paths.ts';

/** Media types that serve-handler does not know, or gives for the uncompressed file. */
const mediaTypes = {
  '**/*.parquet': 'application/vnd.apache.parquet',
  '**/*.ndjson.gz': 'application/gzip',
  '**/*.csv.gz': 'application/gzip',
} as const;

/**
 * Sends the files of a folder as a plain host does: the current checkout of a site, or a folder with the documents
 * themselves, such as an unpacked bundle. `/v1/x` finds `v1/x.json`. Resolves to the URL once the server listens.
 */
export async function servePlain(from: { readonly dist: string; readonly host: string; readonly port: number }) {
  const { dist, host, port } = from;
  const checkout = join(dist, siteLink);
  const folder = realpathSync(existsSync(checkout) ? checkout : dist);
  const config = {
    public: folder,
    cleanUrls: false,
    directoryListing: false,
    etag: true,
    headers: Object.entries(mediaTypes).map(([source, value]) => ({
      source,
      headers: [{ key: 'Content-Type', value }],
    })),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end();
    const [path = '', query] = (request.url ?? '').split('?');
    if (!isFileName(path) && existsSync(join(folder, checkoutPath(path)))) {
      request.url = `/${checkoutPath(path)}${query === undefined ? '' : `?${query}`}`;
    }
    await handler(request, response, config);
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
