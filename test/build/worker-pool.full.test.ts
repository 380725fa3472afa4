import { afterAll, beforeAll, expect, test } from 'vitest';
import { DocumentWriter, type WriterOptions } from '../../generator/build/document-writer.ts';
import { type Task, WorkerPool } from '../../generator/build/worker-pool.ts';
import { build, publishFixtures, temporaryFolder } from './fixture-series.ts';
import { treeOf } from './site-tree.ts';

/* Only builds of thousands of documents start threads by themselves. Here they start for the bundled snapshots. */

const folder = temporaryFolder();
const database = `${folder.path}/db.sqlite`;
beforeAll(() => publishFixtures(database));
afterAll(folder.remove);

test('threads that share the units make the same files as one alone', async () => {
  const [alone, shared] = [`${folder.path}/alone`, `${folder.path}/shared`];
  await build(database, alone, { threads: 0 });
  await build(database, shared, { threads: 2 });
  const filesOf = (site: string) => [...treeOf(site)].map(([name, { sha256 }]) => [name, sha256]);
  expect(filesOf(shared)).toEqual(filesOf(alone));
});

test.each([0, 1])('a unit that fails ends the others (%i threads)', async (threads) => {
  const out = `${folder.path}/failed-${threads}`;
  const options: WriterOptions = {
    database,
    out,
    baseUrl: null,
    license: null,
    sequence: 12,
    checkout: null,
    isSpare: false,
  };
  const writer = new DocumentWriter(options);
  const pool = new WorkerPool(options, threads);
  const unit = { name: 'unknown', inputs: {}, facts: { sequence: 99, resource: 'products' }, weight: 1 };
  const unknown: Task = { unit, kind: 'export', previous: [] };
  try {
    await expect(
      pool.run(
        writer,
        [unknown],
        () => undefined,
        () => undefined,
      ),
    ).rejects.toThrow('99');
  } finally {
    writer.close();
    await pool.dismiss();
  }
});
