import { expect, test } from 'vitest';
import { problem } from '../../contract/schemas/problem.ts';
import type { ProblemAnswer } from '../../shim/host.ts';
import { CurrentPublication } from '../../shim/site/current-publication.ts';
import { handlerOver } from './asking.ts';
import { MemoryReader } from './memory-reader.ts';
import { tinySite } from './tiny-site.ts';

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
