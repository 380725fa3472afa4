import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { readExplorer } from '../../generator/explorer/explorer-files.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { build, temporaryFolder } from '../build/fixture-series.ts';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { curationOf, headerOf, productLine, writeSnapshot } from '../support/snapshot-writer.ts';

const about = {
  title: 'Orchard </title><script>prices',
  agency: 'Orchard & Board',
  notice: 'Reports "of" the board.',
  license: { name: 'CC-BY-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  source_url: 'https://board.example/lists',
  contact: 'prices@orchard.example',
};

describeInBrowser('what the operator states of the data', () => {
  const folder = temporaryFolder();
  let server: RunningServer;
  beforeAll(async () => {
    const parts = { products: [productLine('000001')], stores: [], curation: curationOf({ about }) };
    const header = headerOf({ published_at: '2025-03-01T12:00:00Z' }, parts);
    const snapshot = writeSnapshot(join(folder.path, 'snapshot'), { header, ...parts });
    const database = join(folder.path, 'db.sqlite');
    const connection = openForPublishing(database);
    await publishSnapshot(connection, snapshot, { quarantine: false, acceptShrink: false });
    connection.close();
    await build(database, join(folder.path, 'dist'), { explorer: await readExplorer() });
    server = await RunningServer.start(['--dist', join(folder.path, 'dist')]);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    folder.remove();
  });

  test('is in the page for readers without scripts, as text', async () => {
    const { body } = await server.get('/');
    const html = body.toString();
    expect(html).toContain('<title>Orchard &#60;/title&#62;&#60;script&#62;prices</title>');
    expect(html).toContain('content="Reports &#34;of&#34; the board. This service is independent of the agency');
    expect(html).toContain('<p>What <a href="https://board.example/lists">Orchard &#38; Board</a> reports.</p>');
    expect(html).toContain(`<p>License of the data: <a href="${about.license.url}">CC-BY-4.0</a></p>`);
  });

  test('is on the page, also where nothing changed yet', async () => {
    await using home = await openPage(`${server.origin}/`);
    await home.page.getByRole('heading', { name: about.title }).waitFor();
    await home.passCharts(2);
    await home.page.getByText('Nothing changed.').waitFor();
    const footer = home.page.locator('footer');
    expect(await footer.textContent()).toContain(about.notice);
    const links = await footer.locator('a').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      about.license.url,
      about.source_url,
      `mailto:${about.contact}`,
    ]);
    expect(await home.page.title()).toBe(about.title);
    expect(await home.accessibilityProblems()).toEqual([]);
  });
});
