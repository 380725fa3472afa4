import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSite } from '../../generator/build/build.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { publishFixtures, temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

const folder = temporaryFolder();
const database = join(folder.path, 'db.sqlite');
const dist = join(folder.path, 'dist');
const license = { name: 'CC-BY-4.0', path: 'https://creativecommons.org/licenses/by/4.0/' };

beforeAll(() => publishFixtures(database, 0, 1));
afterAll(folder.remove);

async function buildWith(dataLicense: typeof license | null) {
  const options = { database, out: dist, baseUrl: null, exports: 'retained', keepAll: false, full: false } as const;
  await buildSite({ ...options, dataLicense }, () => undefined);
  const { revision } = readSite(dist).pointer;
  return {
    revision,
    info: documentAt<{ info: Record<string, unknown> }>(dist, '/v1/openapi.json').info,
    package: documentAt<Record<string, unknown>>(dist, `/v1/exports/${revision}/datapackage.json`),
  };
}

function aboutIn(revision: string): unknown {
  const bytes = readFileSync(join(dist, 'site/v1/exports', revision, 'stores.ndjson.gz'));
  return JSON.parse(gunzipSync(bytes).toString().split('\n')[0] ?? '').header.about;
}

test('the license of the data is in the description and in packages made since; the site is sound', async () => {
  const without = await buildWith(null);
  expect(without.info).not.toHaveProperty('x-data-license');
  expect(without.package).not.toHaveProperty('licenses');
  await publishFixtures(database, 1, 2);
  const stated = await buildWith(license);
  expect(stated.info).toMatchObject({ license: { identifier: 'MIT' }, 'x-data-license': license });
  expect(stated.package.licenses).toEqual([license]);
  const nothing = { title: null, agency: null, notice: null, source_url: null, contact: null };
  const { name, path: url } = license;
  expect(aboutIn(stated.revision)).toEqual({ ...nothing, license: { name, url } });
  expect(aboutIn(without.revision)).toBeUndefined();
  const before = documentAt<Record<string, unknown>>(dist, `/v1/exports/${without.revision}/datapackage.json`);
  expect(before).toEqual(without.package);
  expect((await verifySite(dist)).faults).toEqual([]);
});

test('a license that is no name, or whose URL a document cannot hold as it is, is refused', async () => {
  const out = join(folder.path, 'refused');
  const urls = ['', 'ftp://x.org', 'https://', 'https://x.org/a b', 'https://x.org/\n', 'https://x.org/<"'];
  for (const value of ['', 'CC BY', ...urls.map((url) => `CC0-1.0=${url}`)]) {
    const { code, stderr } = await runInProcess('build', '--db', database, '--out', out, `--data-license=${value}`);
    expect([code, stderr], value).toEqual([2, expect.stringContaining('expected a name of letters, digits and .-_')]);
  }
});
