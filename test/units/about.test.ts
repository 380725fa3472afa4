import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceName } from '../../contract/schemas/metadata.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { Storage } from '../../generator/site/storage.ts';
import { TableFile } from '../../generator/tables/table-file.ts';
import { readLedger } from '../../generator/units/ledger.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { curationOf, headerOf, productLine } from '../support/snapshot-writer.ts';
import { build, publishParts, temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

const folder = temporaryFolder();
const database = join(folder.path, 'db.sqlite');
const dist = join(folder.path, 'dist');
afterAll(folder.remove);

const url = 'https://creativecommons.org/licenses/by/4.0/';
const [title, contact, source_url] = ['Orchard <prices>', 'prices@orchard.example', 'https://board.example/lists'];
const license = { name: 'CC-BY-4.0', url };
const doi = '10.5281/zenodo.1234567';
const stated = {
  title,
  agency: 'Orchard Board',
  notice: 'Reports of the board.',
  license,
  source_url,
  contact,
  doi,
  spatial_coverage: 'Orchard County',
};
const website = 'https://orchard.example/contact';
const partly = { ...stated, title: null, license: null, contact: website };
const optional = { name: 'CC0-1.0', path: 'https://creativecommons.org/publicdomain/zero/1.0/' };

type Document = Readonly<Record<string, unknown>>;
type Shown = { about: unknown; info: Document; package: Document; feed: string };

function shownNow(): Shown {
  return {
    about: documentAt<{ data: Document }>(dist, '/v1/metadata').data.about,
    info: documentAt<{ info: Document }>(dist, '/v1/openapi.json').info,
    package: dataPackage(readSite(dist).pointer.revision),
    feed: readFileSync(join(dist, 'site/v1/metadata/publications.atom'), 'utf8'),
  };
}

const exportFile = (revision: string, name: string) => join(dist, 'site/v1/exports', revision, name);
const readExport = (revision: string, name: string) => readFileSync(exportFile(revision, name));
const dataPackage = (revision: string): Document => documentAt(dist, `/v1/exports/${revision}/datapackage.json`);

/** The header record of an export, and the header in the footer of its Parquet file. */
function readHeaders(revision: string): Document[] {
  const [line = ''] = gunzipSync(readExport(revision, 'products.ndjson.gz')).toString().split('\n');
  const table = readExport(revision, 'products.parquet');
  const { header = '' } = new TableFile(exportFile(revision, 'products.parquet'), table.length);
  return [JSON.parse(line).header, JSON.parse(header)];
}

/** Four publications: without a statement, with all of it, with a part, and with the part and --data-license. */
const revisions: string[] = [];
const shown: Shown[] = [];
beforeAll(async () => {
  for (const [index, about] of [null, stated, partly, partly].entries()) {
    const curation = curationOf(about === null ? {} : { about });
    const parts = { products: [productLine('000001')], stores: [], curation };
    const header = headerOf({ published_at: `2025-03-0${index + 1}T12:00:00Z` }, parts);
    revisions.push((await publishParts(database, { header, ...parts })).revision);
    await build(database, dist, index === 3 ? { dataLicense: optional } : {});
    shown.push(shownNow());
  }
});

describe('what the operator states', () => {
  test.each([
    {
      what: 'nothing',
      about: null,
      info: { contact: { name: serviceName } },
      described: {
        sources: [{ title: 'Catalog, store directory and inventory of the agency, as retrieved by this service' }],
      },
      elements: ['<title>Publications of the Reported Inventory and Change-History Read Service</title>'],
      absent: ['x-data-license', '"license"', 'licenses', 'contributors', '<rights>'],
    },
    {
      what: 'all',
      about: stated,
      info: {
        contact: { name: title, email: contact },
        license: { name: 'CC-BY-4.0', url },
        'x-data-license': { name: 'CC-BY-4.0', path: url },
      },
      described: {
        title,
        description: expect.stringMatching(/^Reports of the board\. This service is independent of the agency/),
        sources: [
          {
            title: 'Catalog, store directory and inventory of Orchard Board, as retrieved by this service',
            path: source_url,
          },
        ],
        contributors: [{ title, email: contact, role: 'publisher' }],
        licenses: [{ name: 'CC-BY-4.0', path: url }],
      },
      elements: [
        '<title>Publications of Orchard &lt;prices&gt;</title>',
        `<author><name>Orchard &lt;prices&gt;</name><email>${contact}</email></author>`,
        `<rights>CC-BY-4.0, ${url}</rights>`,
      ],
      absent: [],
    },
    {
      what: 'a part',
      about: partly,
      info: { contact: { url: website } },
      described: { contributors: [{ title: new URL(website).host, path: website, role: 'publisher' }] },
      elements: [`<uri>${website}</uri></author>`],
      absent: ['x-data-license', '"license"', 'licenses', '<rights>'],
    },
    {
      what: 'a part, with --data-license',
      about: partly,
      info: { 'x-data-license': optional },
      described: { licenses: [optional] },
      elements: [`<rights>${optional.name}, ${optional.path}</rights>`],
      absent: [],
    },
  ])('$what: in metadata, the description, the data package and the feed', (row) => {
    const index = ['nothing', 'all', 'a part'].indexOf(row.what);
    const { about, info, package: described, feed } = shown.at(index) as Shown;
    expect(about).toEqual(row.about);
    expect(info).toMatchObject(row.info);
    expect(described).toMatchObject(row.described);
    for (const element of row.elements) expect(feed).toContain(element);
    for (const name of row.absent) expect(JSON.stringify([info, described, feed])).not.toContain(name);
  });

  test('stays in the exports and the data package of its publication', async () => {
    const abouts = [undefined, stated, partly, { ...partly, license: { name: optional.name, url: optional.path } }];
    for (const [index, revision] of revisions.entries()) {
      for (const header of readHeaders(revision)) expect(header.about).toEqual(abouts[index]);
      expect(dataPackage(revision)).toEqual(shown[index]?.package);
    }
    expect((await verifySite(dist)).faults).toEqual([]);
  });

  test('is in the citation of its publication', () => {
    const [before = '', first = '', second = ''] = revisions;
    const unstated = readExport(before, 'CITATION.cff').toString();
    expect(unstated).toMatch(/^title: "Reported inventory"$/m);
    expect(unstated).toMatch(/^authors:\n {2}- name: "unnamed"\n$/m);
    expect(readExport(first, 'CITATION.cff').toString()).toBe(`cff-version: "1.2.0"
type: "dataset"
message: "Please cite the revision that you used, and the day on which you downloaded it."
title: "Orchard <prices>"
abstract: "Reports of the board."
version: "${first}"
doi: "${doi}"
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
    const citation = readExport(second, 'CITATION.cff').toString();
    expect(citation).toContain('title: "Reported inventory of Orchard Board"');
    expect(citation).toContain(`website: "${website}"`);
  });
});

test('--data-license is refused if it is not a name, or if a document cannot contain its URL as it is', async () => {
  const out = join(folder.path, 'refused');
  const urls = ['', 'ftp://x.org', 'https://', 'https://x.org/a b', 'https://x.org/\n', 'https://x.org/<"'];
  for (const value of ['', 'CC BY', ...urls.map((one) => `CC0-1.0=${one}`)]) {
    const { code, stderr } = await runInProcess('build', '--db', database, '--out', out, `--data-license=${value}`);
    expect([code, stderr], value).toEqual([2, expect.stringContaining('expected a name of letters, digits and .-_')]);
  }
});

test('the OpenAPI description is kept when a publication changes nothing that it states', async () => {
  const parts = { products: [productLine('000001'), productLine('000002')] };
  await publishParts(database, { header: headerOf({ published_at: '2025-03-05T12:00:00Z' }, parts), ...parts });
  await build(database, dist, { dataLicense: optional });
  const { service, OpenAPI } = readLedger(new Storage(dist))?.units ?? {};
  expect([service?.made, OpenAPI?.made]).toEqual([5, 4]);
  expect(shownNow().info).toEqual(shown[3]?.info);
});
