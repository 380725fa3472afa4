import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headerKey } from '../../generator/contract/formats/parquet.ts';
import { metadataOf } from '../../generator/encode/parquet.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { curationOf, headerOf, productLine } from '../support/snapshot-writer.ts';
import { build, publishParts, temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

const folder = temporaryFolder();
const database = join(folder.path, 'db.sqlite');
const dist = join(folder.path, 'dist');
afterAll(folder.remove);

const url = 'https://creativecommons.org/licenses/by/4.0/';
const stated = {
  title: 'Orchard <prices>',
  agency: 'Orchard Board',
  notice: 'Reports of the board.',
  license: { name: 'CC-BY-4.0', url },
  source_url: 'https://board.example/lists',
  contact: 'prices@orchard.example',
};
const later = { ...stated, title: null, license: null, contact: 'https://orchard.example/contact' };

/** Publishes a snapshot with these facts about it on this day of March, and returns its revision. */
async function publish(day: number, about: object | null): Promise<string> {
  const curation = curationOf(about === null ? {} : { about });
  const parts = { products: [productLine('000001')], stores: [], curation };
  const header = headerOf({ published_at: `2025-03-0${day}T12:00:00Z` }, parts);
  return (await publishParts(database, { header, ...parts })).revision;
}

type Document = Readonly<Record<string, unknown>>;

function answers(out = dist) {
  const { revision } = readSite(out).pointer;
  return {
    about: documentAt<{ data: Document }>(out, '/v1/metadata').data.about,
    info: documentAt<{ info: Document }>(out, '/v1/openapi.json').info,
    package: packageOf(revision, out),
    feed: readFileSync(join(out, 'site/v1/metadata/publications.atom'), 'utf8'),
  };
}

const packageOf = (revision: string, out = dist) =>
  documentAt<Document>(out, `/v1/exports/${revision}/datapackage.json`);

const revisions: string[] = [];
const seen: ReturnType<typeof answers>[] = [];
beforeAll(async () => {
  for (const [index, about] of [null, stated, later].entries()) {
    revisions.push(await publish(index + 1, about));
    await build(database, dist);
    seen.push(answers());
  }
  expect((await verifySite(dist)).faults).toEqual([]);
});

const fileOf = (revision: string, name: string) => readFileSync(join(dist, 'site/v1/exports', revision, name));

/** The header record of an export, and that in the footer of its Parquet twin. */
function headersOf(revision: string): Document[] {
  const [line = ''] = gunzipSync(fileOf(revision, 'products.ndjson.gz')).toString().split('\n');
  const { key_value_metadata } = metadataOf(fileOf(revision, 'products.parquet'));
  const footer = key_value_metadata?.find(({ key }) => key === headerKey)?.value ?? '';
  return [JSON.parse(line).header, JSON.parse(footer)];
}

describe('what the operator states', () => {
  test('is in the header of the exports of its publication, and nowhere where nothing is stated', () => {
    const [before = '', first = '', second = ''] = revisions;
    for (const header of headersOf(before)) expect(header).not.toHaveProperty('about');
    for (const header of headersOf(first)) expect(header.about).toEqual(stated);
    for (const header of headersOf(second)) expect(header.about).toEqual(later);
  });

  test('is in the citation of its publication', () => {
    const [before = '', first = '', second = ''] = revisions;
    expect(fileOf(before, 'CITATION.cff').toString()).toBe(`cff-version: "1.2.0"
type: "dataset"
message: "Please cite the revision that you used, and the day on which you downloaded it."
title: "Reported inventory"
version: "${before}"
date-released: "2025-03-01"
authors:
  - name: "The operator of this service"
`);
    expect(fileOf(first, 'CITATION.cff').toString()).toBe(`cff-version: "1.2.0"
type: "dataset"
message: "Please cite the revision that you used, and the day on which you downloaded it."
title: "Orchard <prices>"
abstract: "Reports of the board."
version: "${first}"
date-released: "2025-03-02"
license: "CC-BY-4.0"
license-url: "${url}"
url: "https://board.example/lists"
authors:
  - name: "Orchard Board"
contact:
  - name: "Orchard <prices>"
    email: "prices@orchard.example"
`);
    const [title, website] = [
      'title: "Reported inventory of Orchard Board"',
      'website: "https://orchard.example/contact"',
    ];
    for (const text of [title, website]) expect(fileOf(second, 'CITATION.cff').toString()).toContain(text);
  });

  test('is nothing: every document is as it is without', () => {
    const [{ about, info, package: described, feed }] = seen as [(typeof seen)[number]];
    expect(about).toBeNull();
    expect(info).toMatchObject({ contact: { name: 'The operator of this service' } });
    expect(info).not.toHaveProperty('x-data-license');
    expect(described).not.toHaveProperty('licenses');
    expect(described).not.toHaveProperty('contributors');
    expect(described.sources).toEqual([
      { title: 'Catalog, store directory and inventory of the agency, as retrieved by this service' },
    ]);
    expect(feed).toContain('<title>Publications of the Reported Inventory and Change-History Read Service</title>');
    expect(feed).not.toContain('<rights>');
  });

  test('is in metadata, the description, the data package and the feed', () => {
    const { about, info, package: described, feed } = seen[1] as (typeof seen)[number];
    expect(about).toEqual(stated);
    expect(info).toMatchObject({
      license: { identifier: 'MIT' },
      contact: { name: stated.title, email: stated.contact },
      'x-data-license': { name: 'CC-BY-4.0', path: url },
    });
    expect(described).toMatchObject({
      title: stated.title,
      description: expect.stringMatching(/^Reports of the board\. This service is independent of the agency/),
      sources: [
        {
          title: 'Catalog, store directory and inventory of Orchard Board, as retrieved by this service',
          path: stated.source_url,
        },
      ],
      contributors: [{ title: stated.title, email: stated.contact, role: 'publisher' }],
      licenses: [{ name: 'CC-BY-4.0', path: url }],
    });
    for (const element of [
      '<title>Publications of Orchard &lt;prices&gt;</title>',
      `<author><name>Orchard &lt;prices&gt;</name><email>${stated.contact}</email></author>`,
      `<rights>CC-BY-4.0, ${url}</rights>`,
    ]) {
      expect(feed).toContain(element);
    }
  });

  test('may be a part only', () => {
    const { about, info, package: described, feed } = seen[2] as (typeof seen)[number];
    expect(about).toEqual(later);
    expect(info).toMatchObject({ contact: { name: 'The operator of this service', url: later.contact } });
    expect(described).toMatchObject({
      contributors: [{ title: 'The operator of this service', path: later.contact, role: 'publisher' }],
    });
    expect(feed).toContain(`<uri>${later.contact}</uri></author>`);
  });

  test('stays in the package of its publication, also when a build makes all anew', async () => {
    const anew = join(folder.path, 'anew');
    await build(database, anew);
    for (const [index, revision] of revisions.entries()) {
      expect([packageOf(revision), packageOf(revision, anew)]).toEqual([seen[index]?.package, seen[index]?.package]);
    }
  });
});

describe('the license of the option', () => {
  const [name, path] = ['CC0-1.0', 'https://creativecommons.org/publicdomain/zero/1.0/'];

  test('goes before that of the operator, from the next publication on', async () => {
    revisions.push(await publish(4, later));
    await build(database, dist, { dataLicense: { name, path } });
    const { about, info, package: described, feed } = answers();
    expect(about).toEqual(later);
    expect(info).toMatchObject({ license: { identifier: 'MIT' }, 'x-data-license': { name, path } });
    expect(described.licenses).toEqual([{ name, path }]);
    expect(feed).toContain(`<rights>${name}, ${path}</rights>`);
    for (const header of headersOf(revisions[3] ?? '')) {
      expect(header.about).toEqual({ ...later, license: { name, url: path } });
    }
    expect(packageOf(revisions[2] ?? '')).toEqual(seen[2]?.package);
    expect((await verifySite(dist)).faults).toEqual([]);
  });

  test('is refused if it is no name, or if a document cannot hold its URL as it is', async () => {
    const out = join(folder.path, 'refused');
    const urls = ['', 'ftp://x.org', 'https://', 'https://x.org/a b', 'https://x.org/\n', 'https://x.org/<"'];
    for (const value of ['', 'CC BY', ...urls.map((one) => `CC0-1.0=${one}`)]) {
      const { code, stderr } = await runInProcess('build', '--db', database, '--out', out, `--data-license=${value}`);
      expect([code, stderr], value).toEqual([2, expect.stringContaining('expected a name of letters, digits and .-_')]);
    }
  });
});
