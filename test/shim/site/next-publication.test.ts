import { expect, test } from 'vitest';
import { nodeHash } from '../../../shim/node/node-host.ts';
import { CurrentPublication } from '../../../shim/site/current-publication.ts';
import { handlerOver } from '../asking.ts';
import { MemoryReader } from '../memory-reader.ts';
import { type TinySite, tinySite } from '../tiny-site.ts';

const revisions = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;

const sites = revisions.map((revision, n) =>
  tinySite({ revision, sequence: n + 1, documents: { '/v1': { body: `index ${n}` } } }),
) as [TinySite, TinySite];

/** A service as in `serve.ts`. Only the tests check the pointer. */
async function service() {
  const reader = new MemoryReader(sites[0]);
  const checkEveryMs = Number.MAX_SAFE_INTEGER;
  const publication = new CurrentPublication({ source: reader, log: () => {}, checkEveryMs, hash: nodeHash });
  const handler = handlerOver(publication);
  const served = async () => {
    const [id, headers] = [crypto.randomUUID(), new Headers()];
    const answer = await handler.answer({ id, method: 'GET', target: '/v1', headers, client: '192.0.2.1' });
    return answer.headers['X-Publication-Revision'];
  };
  expect(await served()).toBe(revisions[0]);
  return { reader, publication, served };
}

test('a client that has read the pointer finds its publication', async () => {
  const { reader, publication, served } = await service();
  reader.publishBeside(sites[1]);
  expect(await served()).toBe(revisions[0]);
  await publication.readPointer();
  expect(await served()).toBe(revisions[1]);
});

test('a pointer that arrives late from a slow disk does not bring back an older publication', async () => {
  const { reader, publication, served } = await service();
  const older = reader.pointer;
  let arrive = () => {};
  const slow = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  reader.readPointer = async () => {
    await slow;
    return older;
  };
  const looking = publication.check();
  reader.readPointer = MemoryReader.prototype.readPointer;
  reader.publishBeside(sites[1]);
  await publication.readPointer();
  expect(await served()).toBe(revisions[1]);
  arrive();
  await looking;
  expect(await served()).toBe(revisions[1]);
});
