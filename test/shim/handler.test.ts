import { expect, onTestFinished, test, vi } from 'vitest';
import { problem } from '../../contract/schemas/problem.ts';
import type { ProblemAnswer } from '../../shim/host.ts';
import { CurrentPublication } from '../../shim/site/current-publication.ts';
import { handlerOver } from './asking.ts';
import { MemoryReader } from './memory-reader.ts';
import { lastModified, lastModifiedDate, tinySite } from './tiny-site.ts';

const revision = '11111111-1111-4111-8111-111111111111';
const site = tinySite({ revision, documents: { '/v1': { body: 'index' } } });

async function ask(reader: MemoryReader, target: string) {
  const messages: string[] = [];
  const log = (_level: string, message: string, fields: unknown) =>
    void messages.push(`${message} ${JSON.stringify(fields)}`);
  const handler = handlerOver(new CurrentPublication({ source: reader, log, checkEveryMs: 0 }), { log });
  const request = { id: crypto.randomUUID(), method: 'GET', target, headers: new Headers(), client: '192.0.2.1' };
  const answer = (await handler.answer(request)) as ProblemAnswer;
  return { answer, code: problem.parse(JSON.parse(answer.body)).code, messages: messages.join() };
}

test('contract 6: an unexpected error is withheld and logged under its request id', async () => {
  const reader = new MemoryReader(site);
  const { readObject } = MemoryReader.prototype;
  reader.readObject = (reference) =>
    reference.sha256 === site.pointer.routes.sha256
      ? readObject.call(reader, reference)
      : Promise.reject(new Error('a secret'));
  const { answer, code, messages } = await ask(reader, '/v1');
  expect([answer.status, code]).toEqual([500, 'INTERNAL']);
  expect(answer.body).not.toContain('secret');
  expect(messages).toContain(answer.headers['X-Request-ID'] as string);
  expect(messages).toContain('a secret');
});

test('contract 6: without a list of former SKUs, an unknown SKU is not found', async () => {
  expect((await ask(new MemoryReader(site), '/v1/products/by-sku/000777')).code).toBe('SKU_NOT_FOUND');
});

/** A handler that reads the pointer only when a test checks the publication. */
function following(reader: MemoryReader) {
  const publication = new CurrentPublication({
    source: reader,
    log: () => {},
    checkEveryMs: Number.MAX_SAFE_INTEGER,
  });
  const handler = handlerOver(publication);
  const get = (fields: Readonly<Record<string, string>> = {}, method = 'GET') =>
    handler.answer({ id: 'an id', method, target: '/v1', headers: new Headers(fields), client: '192.0.2.1' });
  return { publication, get };
}

test('a file that was requested before is answered at once, until the next publication', async () => {
  const reader = new MemoryReader(site);
  const { publication, get } = following(reader);
  expect(get()).toBeInstanceOf(Promise);
  const first = await get();
  expect(first).toMatchObject({ status: 200, headers: { ETag: site.routes[0]?.etag } });
  expect([get(), get({}, 'HEAD')]).toEqual([first, first]);
  expect(get({ 'If-None-Match': String(site.routes[0]?.etag) })).toMatchObject({ status: 304 });
  expect(get({ 'If-Match': '"another"' })).toMatchObject({ status: 412 });
  expect(await get({}, 'POST')).toMatchObject({ status: 405 });
  const next = '22222222-2222-4222-8222-222222222222';
  reader.publishBeside(tinySite({ revision: next, sequence: 2, documents: { '/v1': { body: 'next' } } }));
  await publication.check();
  expect(await get()).toMatchObject({ status: 200, headers: { 'X-Publication-Revision': next } });
});

test('the date of a file that is dated ahead is sent once it has come', async () => {
  onTestFinished(() => void vi.useRealTimers());
  const { get } = following(new MemoryReader(site));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(lastModified) - 60_000 });
  for (let request = 0; request < 2; request += 1)
    expect(await get()).toMatchObject({ headers: { 'Last-Modified': 'Tue, 01 Apr 2025 11:59:04 GMT' } });
  vi.setSystemTime(Date.parse(lastModified));
  expect(await get()).toMatchObject({ headers: { 'Last-Modified': lastModifiedDate } });
});
