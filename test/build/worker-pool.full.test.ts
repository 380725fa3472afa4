import { afterAll, beforeAll, expect, test } from 'vitest';
import { DocumentWriter, type WriterOptions } from '../../generator/build/document-writer.ts';
import { type Task, WorkerPool } from '../../generator/build/worker-pool.ts';
import { publishFixtures, temporaryFolder } from './fixture-series.ts';

const folder = temporaryFolder();
const database = `${folder.path}/db.sqlite`;
beforeAll(() => publishFixtures(database));
afterAll(folder.remove);

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
