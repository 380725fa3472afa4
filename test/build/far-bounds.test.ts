import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { fixtureFolders } from '../../generator/preview.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { build, temporaryFolder } from './fixture-series.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

/** A policy and a retention that say `for ever` in nines. */
const far = { policy: { id: 'inventory-ever', max_age_seconds: 99_999_999_999_999 } };
const kept = { retention: { history_days: 99_999_999, publication_days: 99_999_999 } };

/** A bundled snapshot with other numbers in its header. Without its parts, it leaves all as it was. */
function snapshot(index: number, hasParts: boolean): string {
  const source = fixtureFolders()[index] ?? '';
  const copy = join(folder.path, String(index));
  if (hasParts) cpSync(source, copy, { recursive: true });
  else mkdirSync(copy);
  const header = JSON.parse(readFileSync(join(source, 'snapshot.json'), 'utf8'));
  const parts = hasParts ? {} : { catalog: null, directory: null };
  writeFileSync(join(copy, 'snapshot.json'), JSON.stringify({ ...header, ...parts, ...far, ...kept }));
  return copy;
}

test('a site is built day by day under a policy and a retention that reach beyond all years', async () => {
  const database = join(folder.path, 'db.sqlite');
  const site = join(folder.path, 'site');
  const connection = openForPublishing(database);
  try {
    for (const [index, hasParts] of [true, false, false].entries()) {
      await publishSnapshot(connection, snapshot(index, hasParts), { quarantine: false, acceptShrink: false });
      await build(database, site);
    }
  } finally {
    connection.close();
  }
  expect((await verifySite(site)).faults).toEqual([]);
});
