import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildSite } from '../../generator/build/build.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { fixtureFolders } from '../../generator/preview.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { publishFixtures, temporaryFolder } from '../build/fixture-series.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const at = (name: string) => join(folder.path, name);

/** Collects what a command tells of its progress. */
function told() {
  const stages: string[] = [];
  const last = new Map<string, number>();
  const progress = (stage: string, done: number, total: number) => {
    expect(done, stage).toBeLessThanOrEqual(total);
    expect(done, stage).toBeGreaterThanOrEqual(last.get(stage) ?? 0);
    if (!last.has(stage)) stages.push(stage);
    last.set(stage, done);
  };
  return { stages, last, progress };
}

test('publish tells what it reads, and counts the rows that it applies', async () => {
  const { stages, progress } = told();
  const connection = openForPublishing(at('published.sqlite'));
  try {
    const [first = ''] = fixtureFolders();
    await publishSnapshot(connection, first, { quarantine: false, acceptShrink: false, progress });
  } finally {
    connection.close();
  }
  expect(stages).toEqual(['reading', 'products', 'inventory', 'committing']);
});

test('build and verify count documents, from the beginning to the end', async () => {
  await publishFixtures(at('db.sqlite'), 0, 12);
  const building = told();
  const options = { database: at('db.sqlite'), out: at('site'), baseUrl: null, keepAll: false, full: false } as const;
  await buildSite({ ...options, exports: 'retained' }, building.progress);
  expect(building.stages.slice(0, 3)).toEqual(['reading the database', 'making documents', 'joining tables']);
  expect(building.last.get('making documents')).toBeGreaterThan(100);
  const verifying = told();
  await verifySite(at('site'), verifying.progress);
  expect(verifying.stages[0]).toMatch(/^reading the route table/);
  for (const stage of ['walking lists', 'reading documents', 'reading exports'])
    expect(verifying.stages).toContain(stage);
});
