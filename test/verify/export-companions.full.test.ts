import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const pathOf = (site: EditedSite, name: string, back = 0) =>
  `/v1/exports/${site.pointer.publications[back]?.revision}/${name}`;

const checksums: [what: string, edit: (text: string) => string][] = [
  ['another digest', (text) => text.replace(/[0-9a-f]/, (digit) => (digit === '0' ? '1' : '0'))],
  ['another name', (text) => text.replace('stores', 'shops')],
  ['a line missing', (text) => text.split('\n').slice(1).join('\n')],
  ['a line more', (text) => `${text}${text.split('\n')[0]}\n`],
];
const packages: [what: string, edit: (document: Package) => unknown][] = [
  ['another time', (document) => Object.assign(document, { created: '2025-06-05T22:00:01Z' })],
  ['another size', ({ resources }) => Object.assign(resources[1] ?? {}, { bytes: 1 })],
  ['another hash', ({ resources }) => Object.assign(resources[2] ?? {}, { hash: `sha256:${'0'.repeat(64)}` })],
];
type Package = { created: string; resources: Record<string, unknown>[] };

test('checksums and data packages that say otherwise', async () => {
  const site = new EditedSite(example.folder);
  const expected: string[] = [];
  for (const [back, [, edit]] of checksums.entries()) {
    const path = pathOf(site, 'SHA256SUMS', back);
    site.replace(path, Buffer.from(edit(site.bytes(site.objectOf(path)).toString())));
    expected.push(`export_companion ${path}`);
  }
  for (const [back, [, edit]] of packages.entries()) {
    const path = pathOf(site, 'datapackage.json', back);
    site.editDocument(path, edit);
    expected.push(`export_companion ${path}`);
  }
  expect((await site.faults()).sort()).toEqual(expected.sort());
});

test.each<[string, (text: string) => string]>([
  ['another day', (text) => text.replace(/date-released: "[^"]+"/, 'date-released: "2024-01-01"')],
  ['a line missing', (text) => text.split('\n').slice(1).join('\n')],
  ['a line more', (text) => `${text}doi: "10.5281/zenodo.1"\n`],
])('a citation with %s', async (_, edit) => {
  const site = new EditedSite(example.folder);
  const path = pathOf(site, 'CITATION.cff');
  site.replace(path, Buffer.from(edit(site.bytes(site.objectOf(path)).toString())));
  expect(await site.faults()).toEqual([`export_companion ${path}`]);
});

test('checksums and a data package that are not there', async () => {
  const site = new EditedSite(example.folder);
  for (const name of ['SHA256SUMS', 'datapackage.json']) site.removeRoute(pathOf(site, name));
  expect([...new Set(await site.faults())]).toEqual(
    ['SHA256SUMS', 'datapackage.json'].map((name) => `route_missing ${pathOf(site, name)}`),
  );
});

test('an export file with other bytes than they speak of', async () => {
  const site = new EditedSite(example.folder);
  const lines = gunzipSync(site.bytes(site.objectOf(pathOf(site, 'stores.ndjson.gz'))));
  site.replace(pathOf(site, 'stores.ndjson.gz'), gzipSync(lines, { level: 1 }));
  expect(await site.faults()).toEqual(
    ['SHA256SUMS', 'datapackage.json'].map((name) => `export_companion ${pathOf(site, name)}`),
  );
});
