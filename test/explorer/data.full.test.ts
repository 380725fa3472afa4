import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { problemKinds } from '../../contract/problem.ts';
import type { ChangePieces } from '../../contract/schemas/change-pieces.ts';
import type { DataPackage } from '../../contract/schemas/data-package.ts';
import type { ExportManifestDocument, RetainedPublication } from '../../contract/schemas/metadata.ts';
import { downloadSnippet, firstTables, remoteTables } from '../../explorer/views/snippets.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { duckdbQuery } from '../project/duckdb-query.ts';
import { readText } from '../project/repository.ts';
import { temporaryFolder } from '../units/fixture-series.ts';
import { describeExplorer, wholeTables } from './explorer-site.ts';

/** The addresses of the links in a table. */
async function linksOf(table: Locator): Promise<string[]> {
  const links = await table.locator('a').all();
  return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
}

/** Expects the links in a table to lead to files of these sizes. */
async function expectFiles(table: Locator, sizes: readonly number[]): Promise<void> {
  const answers = await Promise.all((await linksOf(table)).map((link) => fetch(link, { method: 'HEAD' })));
  expect(answers.map(({ headers }) => Number(headers.get('content-length')))).toEqual(sizes);
}

describe('commands to copy', () => {
  const research = readText('docs/research.md');

  test.each(firstTables)('are those of docs/research.md, whose test runs them: $title', ({ text }) => {
    expect(research).toContain(`\n${text}\n`);
  });

  test('download files as docs/research.md does, with quoted values', () => {
    const { text } = downloadSnippet("http://127.0.0.1/it's", 'r');
    expect(text).toContain("site='http://127.0.0.1/it'\\''s'");
    for (const line of text.split('\n').slice(2)) expect(research).toContain(`\n${line}\n`);
  });

  test('query Parquet files at the address of the site', async () => {
    using site = await FixtureSite.build();
    const folder = temporaryFolder();
    const { revision } = site.pointer;
    const printed: string[] = [];
    for (const { text } of remoteTables("http://127.0.0.1/it's", revision)) {
      // The SQL that a reader copies, but with files in a folder: DuckDB has no HTTP in these tests.
      const local = text.replace(/'http:\/\/127\.0\.0\.1\/it''s(\/[^']+)'/g, (_, path: string) => {
        const name = path.replaceAll('/', '-');
        writeFileSync(join(folder.path, name), site.bytes(path));
        return `'${name}'`;
      });
      expect(local).not.toContain('http');
      printed.push(await duckdbQuery(local, folder.path));
    }
    folder.remove();
    expect(printed[0]).toBe('state,pairs,packages\nreported_positive,136,2002\nreported_zero,4,0\nrow_absent,625,\n');
    const manifest = site.document<ExportManifestDocument>('/v1/exports').data.parquet.history;
    expect(printed[1]?.split('\n').length).toBe(manifest.daily.record_count + 2);
    const events = printed[2]?.match(/(?<=,)\d+$/gm) ?? [];
    const { changes, newest_changes } = manifest;
    expect(events.reduce((sum, count) => sum + Number(count), 0)).toBe(
      changes.record_count + newest_changes.record_count,
    );
  });
});

describeExplorer('data, API and problems', (explorer) => {
  test('lists files of publications, tables over time and pieces of the history with sizes and hashes', async () => {
    await using view = await explorer.open('#/data');
    const { page } = view;
    const hashesIn = (table: Locator) => table.locator('.hash').allTextContents();
    const { data } = explorer.site.document<{ data: RetainedPublication[] }>('/v1/metadata/publications');
    const listed = page.locator('.publications tr', { has: page.getByRole('button') });
    await listed.first().waitFor();
    expect(await listed.count()).toBe(data.length);
    for (const [place, { revision }] of data.slice(0, 2).entries()) {
      const { resources } = explorer.site.document<DataPackage>(`/v1/exports/${revision}/datapackage.json`);
      const parquet = resources.filter(({ format }) => format === 'parquet');
      await expectFiles(
        listed.nth(place),
        parquet.map(({ bytes }) => bytes),
      );
      if (place > 0) await listed.nth(place).getByRole('button').click();
      await page.locator('.publication', { hasText: revision }).waitFor();
      const table = page.locator('.publication table').first();
      await table.waitFor();
      expect(resources).toHaveLength(8);
      expect(await hashesIn(table)).toEqual(resources.map(({ hash }) => hash.replace('sha256:', '')));
      await expectFiles(
        table,
        resources.map(({ bytes }) => bytes),
      );
    }
    const { history } = explorer.site.document<ExportManifestDocument>('/v1/exports').data.parquet;
    const table = page.locator('table', { hasText: 'Tables over time' });
    await table.waitFor();
    const { daily, changes, newest_changes, products_over_time, stores_over_time, categories, coverage } = history;
    const files = [daily, changes, newest_changes, products_over_time, stores_over_time, categories, coverage];
    expect(await hashesIn(table)).toEqual(files.map(({ sha256 }) => sha256));
    await wholeTables(page);
    const rows = await table.locator('tbody tr').allTextContents();
    for (const [place, file] of files.entries()) {
      expect(rows[place]).toContain(file.record_count.toLocaleString('en-US'));
    }
    await expectFiles(
      table,
      files.map(({ size }) => size),
    );
    const text = (await page.locator('main').textContent()) ?? '';
    const exports = `${explorer.origin}/v1/exports`;
    for (const part of [
      `shelfpress verify '${explorer.origin}'`,
      `publication 12, revision ${explorer.site.pointer.revision}, published 2025-06-05T22:00:00Z, retrieved from http`,
      'Not stated by the operator.',
      `FROM '${exports}/${explorer.site.pointer.revision}/inventory.parquet'`,
      `FROM '${exports}/daily.parquet'`,
    ]) {
      expect(text).toContain(part);
    }
  });

  test('lists tables for spreadsheets first, and a browser unpacks them to the last row', async () => {
    await using view = await explorer.open('#/data');
    const { page } = view;
    const table = page.locator('table', { hasText: 'Tables for spreadsheets' });
    await table.waitFor();
    expect(await page.locator('main h2').first().textContent()).toBe('For spreadsheets');
    const { csv } = explorer.site.document<ExportManifestDocument>('/v1/exports').data;
    const files = [csv.products, csv.prices, ...csv.daily_months];
    expect(files).toHaveLength(6);
    await expectFiles(
      table,
      files.map(({ size }) => size),
    );
    expect(await linksOf(table)).toEqual(files.map(({ url }) => explorer.origin + url));
    for (const { url, record_count } of files) {
      const [type, text] = await page.evaluate(async (address) => {
        const answer = await fetch(address);
        return [answer.headers.get('content-type'), await answer.text()] as const;
      }, url);
      expect(type).toBe('text/csv; charset=utf-8');
      expect(text.trimEnd().split('\r\n')).toHaveLength(record_count + 1);
    }
    await page.getByRole('button', { name: 'Save these 6 rows as CSV' }).first().waitFor();
  });

  test('links each piece of a long history as NDJSON and Parquet', async () => {
    // The fixtures have too few events for a piece.
    const list = explorer.site.document<ChangePieces>('/v1/exports/changes.json');
    const file = (name: string) => ({ url: `/v1/exports/changes/1.${name}`, size: 9, sha256: name.repeat(4) });
    const piece = {
      ...{ number: 1, first_event: 1, last_event: 10_000, ...file('ndjson.gz') },
      ...{ retrieved: ['2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z'], parquet: file('parquet') },
    };
    await using view = await explorer.open('#/stores');
    await view.page.route('**/v1/exports/changes.json', (route) =>
      route.fulfill({ json: { ...list, pieces: [piece] } }),
    );
    await view.go('#/data');
    await view.page.getByText('1 piece', { exact: true }).click();
    const table = view.page.locator('table', { hasText: 'Pieces of the change history' });
    await table.waitFor();
    expect(await table.locator('.hash').allTextContents()).toEqual([piece.sha256, piece.parquet.sha256]);
    expect(await linksOf(table)).toEqual([piece.url, piece.parquet.url].map((path) => explorer.origin + path));
    await view.page.unrouteAll();
  });

  test('tries an operation on this host and shows its answer unchanged', async () => {
    await using view = await explorer.open('#/api');
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
  });

  test('explains every problem', async () => {
    await using view = await explorer.open('#/problems');
    await view.page.locator('main table').waitFor();
    await wholeTables(view.page);
    expect(await view.page.locator('main tbody a').allTextContents()).toEqual(Object.keys(problemKinds));
    await view.page.getByRole('link', { name: 'SKU_AMBIGUOUS' }).click();
    await view.page.getByRole('heading', { name: problemKinds.SKU_AMBIGUOUS.title }).waitFor();
    expect(await view.page.locator('main').textContent()).toContain(problemKinds.SKU_AMBIGUOUS.remedy);
  });
});
