import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangePieces } from '../../generator/contract/formats/change-pieces.ts';
import { readExplorer } from '../../generator/explorer/explorer-files.ts';
import { build, temporaryFolder } from '../build/fixture-series.ts';
import { documentAt } from '../build/site-tree.ts';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { publishLongHistory } from '../support/long-history.ts';

describeInBrowser('the change history as files', () => {
  const folder = temporaryFolder();
  const dist = join(folder.path, 'dist');
  let server: RunningServer;
  beforeAll(async () => {
    const database = join(folder.path, 'db.sqlite');
    await publishLongHistory(folder.path, database, 1, 2);
    await build(database, dist, { explorer: await readExplorer() });
    server = await RunningServer.start(['--dist', dist]);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    folder.remove();
  });

  test('each piece has its NDJSON and its Parquet, with sizes and hashes', async () => {
    await using view = await openPage(`${server.origin}/#/data`);
    const { pieces } = documentAt<ChangePieces>(dist, '/v1/exports/changes.json');
    await view.page.getByText('1 piece', { exact: true }).click();
    const table = view.page.locator('table', { hasText: 'Pieces of the change history' });
    await table.waitFor();
    expect(await table.locator('.hash').allTextContents()).toEqual(
      pieces.flatMap(({ sha256, parquet }) => [sha256, parquet.sha256]),
    );
    const found = await table.locator('a').all();
    const links = await Promise.all(found.map(async (link) => (await link.getAttribute('href')) ?? ''));
    expect(links).toEqual(pieces.flatMap(({ url, parquet }) => [url, parquet.url].map((path) => server.origin + path)));
    const bytes = await Promise.all(links.map(async (link) => (await server.get(new URL(link).pathname)).body));
    expect(bytes.map(({ length }) => length)).toEqual(pieces.flatMap(({ size, parquet }) => [size, parquet.size]));
    expect(await view.accessibilityProblems()).toEqual([]);
  });
});
