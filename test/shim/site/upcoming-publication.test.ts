import { expect, test } from 'vitest';
import type { SearchIndex } from '../../../generator/contract/documents/catalog.ts';
import { pathOf } from '../../../generator/contract/paths.ts';
import { nodeHash } from '../../../shim/node/node-host.ts';
import { CurrentPublication } from '../../../shim/site/current-publication.ts';
import type { PublicationView } from '../../../shim/site/publication-view.ts';
import { handlerOver } from '../asking.ts';
import { MemoryReader } from '../memory-reader.ts';
import { entryOf } from '../search/searchable-site.ts';
import { type TinySite, tinySite } from '../tiny-site.ts';

const revisions = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;

/** A publication with 3,000 products to search, whose names hold a word of its own. */
function siteOf(number: 0 | 1): TinySite {
  const entries = Array.from({ length: 3000 }, (_, n) => entryOf('product', `Vodka number ${n} of ${number}`));
  const index: SearchIndex = { publication_revision: revisions[number], warnings: [], entries };
  const documents = {
    '/v1': { body: `index ${number}` },
    [pathOf('search_index')]: { body: JSON.stringify(index) },
  };
  return tinySite({ revision: revisions[number], sequence: number + 1, documents });
}

const sites = [siteOf(0), siteOf(1)] as const;

/** A service as `serve.ts` has it. */
async function service(prepare?: (view: PublicationView) => Promise<void>) {
  const reader = new MemoryReader(sites[0]);
  const publication: CurrentPublication = new CurrentPublication({
    reader,
    log: () => {},
    // Only the tests look at the pointer.
    checkEveryMs: Number.MAX_SAFE_INTEGER,
    hash: nodeHash,
    sharesReadings: true,
    prepare: prepare ?? ((view) => handler.prepare(view)),
  });
  const handler = handlerOver(publication);
  const ask = async (target: string) => {
    const [id, headers] = [crypto.randomUUID(), new Headers()];
    const answer = await handler.answer({ id, method: 'GET', target, headers, client: '192.0.2.1' });
    return { status: answer.status, revision: answer.headers['X-Publication-Revision'] };
  };
  expect(await ask('/v1/search?q=vodka')).toMatchObject({ status: 200, revision: revisions[0] });
  return { reader, publication, ask };
}

test('nobody waits for a new publication to be prepared: the one before answers until it is', async () => {
  const { reader, publication, ask } = await service();
  reader.publishBeside(sites[1]);
  await publication.look();
  const answers = [];
  for (;;) {
    await new Promise(setImmediate);
    const [document, search] = await Promise.all([ask('/v1'), ask('/v1/search?q=vodka&limit=1')]);
    expect([document.status, search.status]).toEqual([200, 200]);
    answers.push(document, search);
    if (document.revision === revisions[1] && search.revision === revisions[1]) break;
  }
  // The index is prepared in some pieces, and others are answered between them.
  expect(answers.filter(({ revision }) => revision === revisions[0]).length).toBeGreaterThan(4);
});

test('who has read the pointer finds its publication, prepared or not', async () => {
  let prepared = 0;
  const { reader, publication, ask } = await service(async () => {
    prepared += 1;
    if (prepared > 1) await new Promise(() => {});
  });
  reader.publishBeside(sites[1]);
  await publication.look();
  expect((await ask('/v1')).revision).toBe(revisions[0]);
  await publication.readPointer();
  expect((await ask('/v1')).revision).toBe(revisions[1]);
  expect((await ask('/v1/search?q=vodka')).revision).toBe(revisions[1]);
  expect(prepared).toBe(2);
});

test('a publication that is withdrawn while it is prepared is not served', async () => {
  let ready = () => {};
  let prepared = 0;
  const { reader, publication, ask } = await service(async () => {
    prepared += 1;
    if (prepared > 1)
      await new Promise<void>((resolve) => {
        ready = resolve;
      });
  });
  const { pointer } = reader;
  reader.publishBeside(sites[1]);
  await publication.look();
  reader.pointer = pointer;
  await publication.look();
  ready();
  await new Promise(setImmediate);
  expect((await ask('/v1')).revision).toBe(revisions[0]);
});

test('a pointer that comes late from a slow host does not bring an older publication back', async () => {
  const { reader, publication, ask } = await service(async () => {});
  const older = reader.pointer;
  let arrive = () => {};
  const slow = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  reader.readPointer = async () => {
    await slow;
    return older;
  };
  const looking = publication.look();
  reader.readPointer = MemoryReader.prototype.readPointer;
  reader.publishBeside(sites[1]);
  await publication.readPointer();
  expect((await ask('/v1')).revision).toBe(revisions[1]);
  arrive();
  await looking;
  await new Promise(setImmediate);
  expect((await ask('/v1')).revision).toBe(revisions[1]);
});
