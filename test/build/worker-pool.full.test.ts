import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTargetOf } from '../../generator/build/build-target.ts';
import { DocumentWriter, type WriterOptions } from '../../generator/build/document-writer.ts';
import type { Job } from '../../generator/build/jobs.ts';
import { planBuild } from '../../generator/build/plan.ts';
import { WorkerPool } from '../../generator/build/worker-pool.ts';
import { checkoutFolder } from '../../generator/contract/paths.ts';
import { Catalog } from '../../generator/model/catalog.ts';
import { publishFixtures, temporaryFolder } from './fixture-series.ts';
import { treeOf } from './site-tree.ts';

/* Only builds of thousands of documents start threads by themselves. Here they start for the bundled snapshots. */

const folder = temporaryFolder();
const database = `${folder.path}/db.sqlite`;
beforeAll(() => publishFixtures(database));
afterAll(folder.remove);

/** Long enough for a thread to start on a busy machine. */
const patienceMs = 60_000;

/** Keeps this thread from jobs until another one has stored an object. */
function waitForThread(out: string): void {
  const deadline = performance.now() + patienceMs;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(`${out}/objects`)) {
    if (performance.now() > deadline) throw new Error(`no thread stored an object in ${out}`);
    Atomics.wait(clock, 0, 0, 5);
  }
}

/** Runs the jobs of a first build with this many threads; `more` are put after its first job. */
async function run(out: string, threads: number, more: readonly Job[] = []) {
  const { current, exported } = buildTargetOf(database, 'retained', null);
  const { sequence, revision } = current;
  const options: WriterOptions = {
    database,
    out,
    baseUrl: null,
    license: null,
    sequence,
    checkout: checkoutFolder(revision),
    isSpare: false,
  };
  const writer = new DocumentWriter(options);
  const pool = new WorkerPool(options, threads);
  try {
    const [first, ...rest] = planBuild(writer, new Catalog(writer.state), exported, {
      routes: new Map(),
      cache: null,
      sequence: null,
    }).jobs;
    const jobs = first ? [first, ...more, ...rest] : more;
    const own = () => (threads > 0 ? waitForThread(out) : undefined);
    const finished = await pool.run(writer, jobs, own);
    return { jobs: finished.length, routes: [...writer.made.routes].sort((a, b) => (a.path < b.path ? -1 : 1)) };
  } finally {
    writer.close();
    await pool.dismiss();
  }
}

test('threads that share the jobs make the same routes and files as one alone', async () => {
  const [alone, shared] = [`${folder.path}/alone`, `${folder.path}/shared`];
  const made = await run(alone, 0);
  expect(made.routes.length).toBeGreaterThan(200);
  expect(await run(shared, 2)).toEqual(made);
  const filesOf = (site: string) => [...treeOf(site)].map(([name, { sha256 }]) => [name, sha256]);
  expect(filesOf(shared)).toEqual(filesOf(alone));
});

test('a job that fails ends the others', async () => {
  const unknown: Job = { kind: 'export', sequence: 99, resource: 'products', records: 0 };
  await expect(run(`${folder.path}/failed`, 1, [unknown])).rejects.toThrow('99');
});
