import { expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import { CurrentPublication } from '../../shim/site/current-publication.ts';
import { webHandler } from '../../shim/worker/service.ts';
import { handlerOver } from './asking.ts';
import { MemoryReader } from './memory-reader.ts';
import { pointerBytes, tinySite } from './tiny-site.ts';

const site = tinySite({
  revision: '11111111-1111-4111-8111-111111111111',
  documents: { '/v1': { body: 'index' } },
});

/** The service on a host that only has the Web's own types. */
function hostOver(reader: MemoryReader): (path: string, headers?: Record<string, string>) => Promise<Response> {
  const log = () => undefined;
  const publication = new CurrentPublication({ source: reader, log, checkEveryMs: 0 });
  const handler = handlerOver(publication);
  const answer = webHandler(handler, publication);
  return async (path, headers = {}) => {
    const request = { method: 'GET', url: `https://example.org${path}`, headers: new Headers(headers) };
    return (await answer({ ...request, client: '192.0.2.1' })).response;
  };
}

test('any host of the shim has what a mirror reads', async () => {
  const reader = new MemoryReader(site);
  reader.signature = Buffer.from('signed\n');
  const get = hostOver(reader);
  expect(Buffer.from(await (await get('/current.json')).arrayBuffer()).equals(pointerBytes(site))).toBe(true);
  expect(await (await get('/current.json.sig')).text()).toBe('signed\n');
  for (const [sha256, bytes] of site.objects) {
    const reply = await get(`/${objectPath(sha256)}`);
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes), sha256).toBe(true);
  }
  const { sha256, size } = site.pointer.routes;
  const part = await get(`/${objectPath(sha256)}`, { Range: 'bytes=1-3' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1-3/${size}`]);
  expect((await part.arrayBuffer()).byteLength).toBe(3);
});

test('an object whose bytes do not match its name is refused', async () => {
  const reader = new MemoryReader(site);
  const { sha256, size } = site.pointer.routes;
  const get = hostOver(reader);
  reader.objects.set(sha256, Buffer.alloc(size));
  expect((await get(`/${objectPath(sha256)}`)).status).toBe(503);
});
