import { expect, test } from 'vitest';
import type { Problem } from '../../generator/contract/problem.ts';
import { CurrentPublication } from '../../shim/site/current-publication.ts';
import { webHandler } from '../../shim/worker/service.ts';
import { handlerOver } from './asking.ts';
import { MemoryReader } from './memory-reader.ts';
import { etagOf, tinyExport, tinySite } from './tiny-site.ts';

const revision = '11111111-1111-4111-8111-111111111111';
const exportPath = `/v1/exports/${revision}/stores.ndjson.gz`;
const site = tinySite({
  revision,
  documents: { '/v1': { body: 'index' }, [exportPath]: tinyExport(Buffer.from('0123456789')) },
});

function serve(reader = new MemoryReader(site)) {
  const log = () => {};
  const publication = new CurrentPublication({ reader, log, checkEveryMs: 0 });
  const handler = handlerOver(publication);
  const answer = webHandler(handler, publication, 0);
  return async (path: string, init: RequestInit = {}) => {
    const { method, url, headers } = new Request(`https://example.org${path}`, init);
    return (await answer({ method, url, headers, client: '192.0.2.1' })).response;
  };
}

test('a Request is answered with a Response: the bytes of a file, or a part of them', async () => {
  const ask = serve();
  const whole = await ask('/v1');
  expect([whole.status, await whole.text(), whole.headers.get('etag')]).toEqual([
    200,
    'index',
    etagOf(Buffer.from('index')),
  ]);
  const part = await ask(exportPath, { headers: { Range: 'bytes=2-4' } });
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
});

test('no body to HEAD, 304 and 204; problems and computed answers have theirs', async () => {
  const ask = serve();
  const head = await ask('/v1', { method: 'HEAD' });
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '5']);
  const known = await ask('/v1', { headers: { 'If-None-Match': '*' } });
  expect([known.status, await known.text()]).toEqual([304, '']);
  expect((await ask('/v1', { method: 'OPTIONS' })).status).toBe(204);
  const problem = await ask('/v1/changes?limit=0');
  expect([problem.status, ((await problem.json()) as Problem).code]).toEqual([400, 'INVALID_PARAMETER']);
});

test('an object that cannot be read is a problem and no broken answer', async () => {
  const reader = new MemoryReader(site);
  const ask = serve(reader);
  for (const { path, sha256 } of site.routes) if (path === '/v1') reader.objects.delete(sha256);
  const answer = await ask('/v1');
  expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([503, 'NO_PUBLICATION']);
});
