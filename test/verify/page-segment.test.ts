import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PageIndex, PageSegment } from '../../generator/contract/formats/page-index.ts';
import type { Route } from '../../generator/contract/formats/site.ts';
import { objectPath, pathOf } from '../../generator/contract/paths.ts';
import { ObjectLedger, SiteFiles } from '../../generator/site/checked-files.ts';
import { CheckedTable } from '../../generator/site/checked-table.ts';
import { FaultList } from '../../generator/site/fault.ts';
import { Documents } from '../../generator/verify/documents.ts';
import { PageIndexCheck } from '../../generator/verify/page-index.ts';
import { Addresses } from '../../generator/verify/references.ts';
import { temporaryFolder } from '../build/fixture-series.ts';

const product = '00000000-0000-4000-8000-000000000001';
const stores = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const pageCount = 101;

/** Page n was retrieved and published in minute n, and is about one of two stores. */
function factsOf(number: number) {
  const at = new Date(Date.UTC(2025, 0, 1, 0, number)).toISOString().replace('.000Z', 'Z');
  return {
    count: 100,
    retrieved: [at, at],
    published: [at, at],
    types: ['store_inventory_changed'],
    store: number % 2,
  } as const;
}

function summaryOf(number: number): PageSegment['pages'][number] {
  const { count, retrieved, published, types, store } = factsOf(number);
  return {
    number,
    count,
    retrieved: [...retrieved],
    published: [...published],
    types: [...types],
    stores: [store],
    products: [0],
  };
}

/** A list of 101 sealed pages: a segment of 100, and one page after it. */
function listOf101Pages(): { index: PageIndex; segment: PageSegment } {
  const tables = { stores, products: [product] };
  const numbers = Array.from({ length: 100 }, (_, i) => i + 1);
  const span: [string, string] = [factsOf(1).retrieved[0], factsOf(100).retrieved[0]];
  const index: PageIndex = {
    page_size: 100,
    page_path: '/v1/changes/pages/{number}.json',
    first_page: 1,
    segments: [
      {
        number: 1,
        path: pathOf('changes_segment', { number: '1' }),
        count: 10_000,
        retrieved: span,
        published: span,
        types: ['store_inventory_changed'],
        stores: [0, 1],
      },
    ],
    pages: [summaryOf(pageCount)],
    ...tables,
  };
  return { index, segment: { number: 1, pages: numbers.map(summaryOf), ...tables } };
}

/** The faults that the check finds when it reads these pages. */
function faultsOf({ index, segment }: { index: PageIndex; segment: PageSegment }): string[] {
  const { path: folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const faults = new FaultList();
  const bytes = Buffer.from(JSON.stringify(segment));
  const sha256 = hash('sha256', bytes);
  const file = join(folder, objectPath(sha256));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  const route: Route = {
    path: pathOf('changes_segment', { number: '1' }),
    sha256,
    size: bytes.length,
    etag: `"${hash('md5', bytes)}"`,
    media_type: 'application/json',
    encoding: null,
    cache: 'immutable',
    last_modified: '2025-01-01T00:00:00Z',
  };
  const pagePath = (number: number) => pathOf('changes_page', { number: String(number) });
  const pages = Array.from({ length: pageCount }, (_, i) => ({ ...route, path: pagePath(i + 1) }));
  const table = new CheckedTable(new Map([route, ...pages].map((one) => [one.path, one])), 0, new Set());
  const documents = new Documents(new ObjectLedger(new SiteFiles(folder), faults), faults, [route], () => undefined);
  const site = { table, documents, faults, addresses: new Addresses(table, faults, '') };
  const check = new PageIndexCheck(site, '/v1/changes/pages.json', index);
  for (let number = pageCount; number >= 1; number -= 1) {
    const { store, ...facts } = factsOf(number);
    check.meet(number, pagePath(number), { ...facts, stores: [stores[store] ?? ''], products: [product] });
  }
  check.finish();
  return faults.first().map(({ path, expected }) => `${path}: ${expected}`);
}

test('pages in a segment and after it are as the walk meets them', () => {
  expect(faultsOf(listOf101Pages())).toEqual([]);
});

type List = ReturnType<typeof listOf101Pages>;
const inSegment = '/v1/changes/segments/1.json: ';
const inIndex = '/v1/changes/pages.json: ';

test.each<[string, (list: List) => unknown, string]>([
  [
    'stores of a page',
    ({ segment }) => Object.assign(segment.pages[56] ?? {}, { stores: [0] }),
    `${inSegment}page 57 with stores`,
  ],
  ['page numbers', ({ segment }) => segment.pages.reverse(), `${inSegment}segment 1 with pages 1 to 100`],
  [
    'count of a segment',
    ({ index }) => Object.assign(index.segments[0] ?? {}, { count: 9_999 }),
    `${inIndex}segment 1 with count 10000`,
  ],
  [
    'stores of a segment',
    ({ index }) => Object.assign(index.segments[0] ?? {}, { stores: [1] }),
    `${inIndex}segment 1 with stores`,
  ],
  [
    'address of a segment',
    ({ index }) => Object.assign(index.segments[0] ?? {}, { path: '/v1/changes/segments/2.json' }),
    `${inIndex}an address of its segment 1`,
  ],
])('wrong %s', (_, edit, expected) => {
  const list = listOf101Pages();
  edit(list);
  const [fault, ...more] = faultsOf(list);
  expect(fault?.slice(0, expected.length)).toBe(expected);
  expect(more).toEqual([]);
});

test('a segment that is not listed leaves its pages without a summary', () => {
  const list = listOf101Pages();
  list.index.segments.pop();
  const faults = faultsOf(list);
  expect(faults).toHaveLength(100);
  expect(faults).toContain(`${inIndex}a summary of page 57`);
});
