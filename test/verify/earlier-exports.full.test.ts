import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeFields } from '../../generator/contract/formats/export.ts';
import { objectPath } from '../../generator/contract/paths.ts';
import { readExport } from '../../generator/site/export-reader.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

/* Files of an earlier publication, as a version made them that did not have a column of today yet. */

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(11, 12);
});
afterAll(() => example.remove());

const column = 'age_statement_of_test';

type Field = { name: string; type?: string; meaning: string };

/** Rewrites an export of a publication, and the checksums and data package beside it. */
function editExport(
  site: EditedSite,
  revision: string,
  edit: { fields: (fields: Field[]) => Field[]; record: (record: Record<string, unknown>) => void },
): void {
  const path = `/v1/exports/${revision}/stores.ndjson.gz`;
  const before = site.route(path).sha256;
  const [header, ...records] = gunzipSync(site.bytes(site.objectOf(path)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  header.header.fields = edit.fields(header.header.fields);
  for (const record of records) edit.record(record);
  const bytes = gzipSync([header, ...records].map((record) => `${JSON.stringify(record)}\n`).join(''));
  site.replace(path, bytes);
  const after = hash('sha256', bytes);
  const sums = `/v1/exports/${revision}/SHA256SUMS`;
  site.replace(sums, Buffer.from(site.bytes(site.objectOf(sums)).toString().replace(before, after)));
  site.editDocument(`/v1/exports/${revision}/datapackage.json`, ({ resources }) => {
    const resource = resources.find(({ name }: Field) => name === 'stores');
    Object.assign(resource, { bytes: bytes.length, hash: `sha256:${after}` });
    const [type, head, ...columns] = resource.schema.fields;
    resource.schema.fields = [type, head, ...edit.fields(columns)];
  });
}

const without = (name: string) => ({
  fields: (fields: Field[]) => fields.filter((field) => field.name !== name),
  record: (record: Record<string, unknown>) => delete record[name],
});

function revisions(site: EditedSite): { current: string; earlier: string } {
  const [current, earlier] = site.pointer.publications.map(({ revision }) => revision);
  return { current: current ?? '', earlier: earlier ?? '' };
}

test('an earlier file without a column that was added since is sound, and can be read', async () => {
  const site = new EditedSite(example.folder);
  const { earlier } = revisions(site);
  editExport(site, earlier, without('regular_hours'));
  expect(await site.faults()).toEqual([]);
  const { sha256, size } = site.route(`/v1/exports/${earlier}/stores.ndjson.gz`);
  const file = site.locate(objectPath(sha256));
  for await (const records of readExport({ file, size, resource: 'stores', name: 'stores' })) {
    for (const record of records) expect(record).not.toHaveProperty('regular_hours');
  }
});

test('a file of the current publication has every column', async () => {
  const site = new EditedSite(example.folder);
  const { current } = revisions(site);
  editExport(site, current, without('regular_hours'));
  expect(new Set(await site.faults())).toContain(`export_header /v1/exports/${current}/stores.ndjson.gz`);
});

test('an earlier file has the columns that its header names, in the order and with the types of today', async () => {
  const site = new EditedSite(example.folder);
  const { earlier } = revisions(site);
  const path = `/v1/exports/${earlier}/stores.ndjson.gz`;
  const { fields } = without('regular_hours');
  const nothing = () => undefined;
  editExport(site, earlier, { fields, record: nothing });
  expect(new Set(await site.faults())).toEqual(new Set([`export_record ${path}`]));
  const edits: ((all: Field[]) => Field[])[] = [
    (all) => [...all].reverse(),
    (all) => [...all, { name: column, type: 'string', meaning: 'Unknown' }],
    (all) => all.map((field) => (field.name === 'city' ? { ...field, type: 'integer' } : field)),
  ];
  for (const edit of edits) {
    const edited = new EditedSite(example.folder);
    editExport(edited, earlier, { fields: edit, record: nothing });
    expect(await edited.faults()).toContain(`export_header ${path}`);
  }
});

test('another wording of an earlier header is no fault', async () => {
  const site = new EditedSite(example.folder);
  const { earlier } = revisions(site);
  const reworded = describeFields('stores').map(({ name }) => name);
  editExport(site, earlier, {
    fields: (all) =>
      all.map((field) => ({
        ...field,
        ...('meaning' in field ? { meaning: `Earlier ${reworded.indexOf(field.name)}` } : {}),
        ...('description' in field ? { description: `Earlier ${reworded.indexOf(field.name)}` } : {}),
      })),
    record: () => undefined,
  });
  expect(await site.faults()).toEqual([]);
});
