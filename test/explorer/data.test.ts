import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RetainedPublication } from '../../generator/contract/documents/metadata.ts';
import type { DataPackage } from '../../generator/contract/formats/data-package.ts';
import { problemKinds } from '../../generator/contract/problem.ts';
import { citation, downloadSnippet, firstTables } from '../../templates/explorer/data/snippets.ts';
import { readText } from '../project/repository.ts';
import { describeInBrowser } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describe('lines to copy', () => {
  const research = readText('docs/research.md');

  test.each(firstTables)('are those of docs/research.md, whose test runs them: $title', ({ text }) => {
    expect(research).toContain(`\n${text}\n`);
  });

  test('download files as docs/research.md does, in quotes', () => {
    const { text } = downloadSnippet("http://127.0.0.1/it's", 'r');
    expect(text).toContain("site='http://127.0.0.1/it'\\''s'");
    for (const line of text.split('\n').slice(2)) expect(research).toContain(`\n${line}\n`);
  });

  test('cite a publication with its revision, time and address', () => {
    const publication = { revision: 'r', sequence: 12, published_at: '2025-06-05T22:00:00Z' };
    expect(citation({ title: 'T', agency: 'A' }, publication, 'http://host', '2025-06-06')).toBe(
      'T of A, publication 12, revision r, published 2025-06-05T22:00:00Z, retrieved from http://host on 2025-06-06.',
    );
    expect(citation(null, publication, 'http://host', '2025-06-06')).toMatch(/^Reported inventory, publication 12/);
  });
});

describeInBrowser('data, API and problems', () => {
  let explorer: ExplorerSite;
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  test('the files of each retained publication are there with sizes and hashes', async () => {
    await using view = await explorer.open('#/data');
    const { data } = explorer.site.document<{ data: RetainedPublication[] }>('/v1/metadata/publications');
    await view.page.locator('.publication').first().waitFor();
    expect(await view.page.locator('.publication').count()).toBe(data.length);
    const [current, before] = data;
    for (const [place, publication] of [current, before].entries()) {
      if (!publication) throw new Error('the fixtures have two retained publications');
      const section = view.page.locator('.publication').nth(place);
      if (place > 0) await section.locator('summary').first().click();
      const { resources } = explorer.site.document<DataPackage>(`/v1/exports/${publication.revision}/datapackage.json`);
      await section.locator('table').first().waitFor();
      const hashes = await section.locator('table').first().locator('.hash').allTextContents();
      expect(hashes).toEqual(resources.map(({ hash }) => hash.replace('sha256:', '')));
    }
    const text = (await view.page.locator('main').textContent()) ?? '';
    expect(text).toContain(`shelfpress verify '${explorer.origin}'`);
    expect(text).toContain(`revision ${current?.revision}`);
    expect(text).toContain('The operator states none.');
    expect(await view.accessibilityProblems()).toEqual([]);
  });

  test('an operation is tried on this host, and its answer is shown as it is', async () => {
    await using view = await explorer.open('#/api', { scheme: 'dark', width: 320 });
    const { page } = view;
    await page.locator('#product_by_sku > summary').click();
    const form = page.locator('#product_by_sku form');
    await form.getByLabel('sku').fill('014100');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('200 OK').waitFor();
    const shown = JSON.parse((await form.locator('pre').last().textContent()) ?? '');
    expect(shown).toEqual(explorer.site.document('/v1/products/by-sku/014100'));
    expect(await form.textContent()).toContain(explorer.site.pointer.revision);
    expect(await form.locator('pre').first().textContent()).toBe(
      `curl --compressed '${explorer.origin}/v1/products/by-sku/014100'`,
    );
    await form.getByLabel('sku').fill('999999');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('404 Not Found').waitFor();
    expect(await form.locator('pre').last().textContent()).toContain('"code": "SKU_NOT_FOUND"');
    expect(view.takeProblems()).toEqual([expect.stringContaining('404')]);
    expect(await page.locator('#search > summary').textContent()).toContain('computed');
    expect(await view.accessibilityProblems()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  test('every problem is explained', async () => {
    await using view = await explorer.open('#/problems');
    await view.page.locator('main table').waitFor();
    expect(await view.page.locator('main tbody a').allTextContents()).toEqual(Object.keys(problemKinds));
    await view.page.getByRole('link', { name: 'SKU_AMBIGUOUS' }).click();
    await view.page.getByRole('heading', { name: problemKinds.SKU_AMBIGUOUS.title }).waitFor();
    expect(await view.page.locator('main').textContent()).toContain(problemKinds.SKU_AMBIGUOUS.remedy);
    expect(await view.page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await view.accessibilityProblems()).toEqual([]);
    await view.go('#/problem/NO_SUCH_CODE');
    await view.page.getByText('This could not be shown.').waitFor();
    expect(view.takeProblems()).toEqual([expect.stringContaining('404')]);
  });
});
