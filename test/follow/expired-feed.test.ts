import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CorrectionRequest } from '../../generator/publish/correction.ts';
import { build, publishParts } from '../build/fixture-series.ts';
import { faultsIn } from '../mirror/published-sites.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { runCommand } from '../support/command-line.ts';
import { curationOf, headerOf, productLine, retrievalLine, storeLine } from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
afterAll(() => removeFolder(folder));

test('a correction after which all events are past retention is followed, and the site is sound', async () => {
  const [database, site] = [at('publication.sqlite'), at('site')];
  let corrected: string | null = null;
  for (const [index, published_at] of ['2025-03-01T12:00:00Z', '2026-08-01T12:00:00Z'].entries()) {
    const [products, stores] = [[productLine('100001')], [storeLine('0001')]];
    const header = headerOf({ published_at }, { products, stores });
    const inventory = { scope: ['0001'], lines: [retrievalLine('100001', published_at, [['0001', 3]])] };
    const parts = { header, products, stores, inventory: index === 0 ? inventory : null, curation: curationOf() };
    const correction: CorrectionRequest | null = corrected && { revisions: [corrected], reason: 'too late' };
    corrected = (await publishParts(database, parts, { correction })).revision;
  }
  await build(database, site);
  expect(await faultsIn(site)).toEqual([]);
  await using host = await StaticHost.start(join(site, 'site'));
  const follow = () => runCommand('follow', host.url, '--once', '--state', at('position.json'));
  const first = await follow();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(first.stdout)).toMatchObject({ correction: 1, after_event: 2, reason: 'too late' });
  expect(await follow()).toEqual({ code: 0, stdout: '', stderr: '' });
});
