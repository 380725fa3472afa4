import { hash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { insertQuarantinedRows } from '../../generator/database/publications.ts';
import { inspectDatabase } from '../../generator/verify/inspect/database-report.ts';
import { outcomeInProcess } from '../support/command-in-process.ts';
import { editDatabase } from '../support/edited-database.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { publishFixtures } from '../units/fixture-series.ts';

const folder = temporaryFolder();
const database = join(folder, 'publication.sqlite');
beforeAll(() => publishFixtures(database));
afterAll(() => removeFolder(folder));

const inspect = (...args: string[]) => outcomeInProcess('inspect', ...args);

/** A copy of the database in which publications set rows aside. */
function withRowsSetAside(): string {
  const file = join(folder, 'quarantine.sqlite');
  copyFileSync(database, file);
  const connection = openForPublishing(file);
  const row = {
    file: 'catalog.ndjson',
    reason: 'price: expected cents, got "\u001b[2J"',
    text: '{"price":"\u001b[2J"}',
  };
  insertQuarantinedRows(connection, 8, [
    { ...row, line: 12 },
    { ...row, line: 3 },
    { file: 'curation.json', line: null, reason: 'brands[2].slug: expected a slug, got nothing', text: '{}' },
  ]);
  connection.close();
  editDatabase(file, '');
  return file;
}

test('a database is described publication by publication', async () => {
  const { text, failure } = await inspect(database);
  expect(failure).toBeNull();
  const lines = text.split('\n');
  expect(lines[0]).toMatch(/^\S+publication\.sqlite: 12 publications, \d+ kB, schema version \d+$/);
  expect(lines.find((line) => line.startsWith('          8 '))).toBe(
    '          8  2025-04-25T22:00:00Z  e884d162-1931-594f-8d8c-7edc3aaf6eca        50      17    749      84  fixture data, pairs never checked, rows set aside',
  );
  expect(lines.slice(-5)).toEqual([
    'retention: change events 365 days, exports 30 days; sites keep the exports of 4 publications',
    'next to expire: the exports of publication 9, at the first publication after 2025-06-09T21:00:00Z',
    'next to expire: the change events of publication 1, at the first publication after 2026-03-03T22:00:00Z',
    'rows set aside by publish: none',
    '',
  ]);
});

test('what the operator states is one line', async () => {
  const file = join(folder, 'stated.sqlite');
  copyFileSync(database, file);
  const state = async (columns: string, values: string) => {
    editDatabase(file, `DELETE FROM about_version; INSERT INTO about_version (${columns}) VALUES (${values})`);
    return (await inspect(file)).text.split('\n')[1];
  };
  const all = "3, 'Orchard prices', 'Orchard Board', 'CC0-1.0'";
  expect(await state('first_publication, title, agency, license_name', all)).toBe(
    'about: Orchard prices, as reported by Orchard Board; license CC0-1.0',
  );
  expect(await state('first_publication, contact', "3, 'a@example.org'")).toBe('about: no title; no license');
  expect(await state('first_publication, last_publication, title', "3, 11, 'Orchard'")).toBe('about: nothing stated');
});

test('--json has the same, exactly', async () => {
  const report = JSON.parse((await inspect(database, '--json')).text);
  expect(report).toEqual(inspectDatabase(database));
  const last = report.publications.at(-1);
  expect(last).toMatchObject({ sequence: 12, products: 53, stores: 17, pairs: 765, events: 92, last_event: 1149 });
  expect(last.warnings).toEqual(['FIXTURE_DATA', 'INVENTORY_COVERAGE_PARTIAL', 'UPSTREAM_PRODUCT_UNAVAILABLE']);
});

test('rows that were set aside are counted by publication, part and reason, and printed with --quarantine', async () => {
  const file = withRowsSetAside();
  expect((await inspect(file)).text.split('\n').slice(-4)).toEqual([
    'rows set aside by publish: 3',
    '  publication 8, catalog.ndjson: 2 rows: price: expected cents, got "\\u{1b}[2J"',
    '  publication 8, curation.json: 1 row: brands[2].slug: expected a slug, got nothing',
    '',
  ]);
  expect((await inspect(file, '--quarantine')).text.split('\n').slice(0, 2)).toEqual([
    'publication 8, catalog.ndjson, line 3: price: expected cents, got "\\u{1b}[2J"',
    '  {"price":"\\u{1b}[2J"}',
  ]);
  const rows = (await inspect(file, '--quarantine', '--json')).text.trimEnd().split('\n');
  expect(rows.map((row) => JSON.parse(row).line)).toEqual([3, 12, null]);
  expect(JSON.parse(rows[2] ?? '')).toMatchObject({ publication: 8, file: 'curation.json', text: '{}' });
});

test('nothing changes', async () => {
  const before = [hash('sha256', readFileSync(database)), readdirSync(folder).sort()];
  await inspect(database);
  await inspect(database, '--quarantine');
  expect([hash('sha256', readFileSync(database)), readdirSync(folder).sort()]).toEqual(before);
});
