import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { fixtureFolders } from '../../generator/preview.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { temporaryFolder } from '../build/fixture-series.ts';

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
