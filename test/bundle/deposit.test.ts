import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportFiles, objectPath } from '../../contract/paths.ts';
import { depositPublication, zenodoFile } from '../../generator/catalogs/deposit.ts';
import { copySite } from '../mirror/published-sites.ts';
import { outcomeInProcess } from '../support/command-in-process.ts';
import { SmallSites } from '../support/small-sites.ts';
import { readSite } from '../units/site-tree.ts';

const sites = SmallSites.use(2);
const dist = sites.at('dist-2');

test('has the files of a publication, whose checksums hold, and the metadata of the deposit', () => {
  const { publications } = readSite(dist).pointer;
  expect(publications.length).toBe(2);
  for (const [index, { revision, sequence }] of publications.entries()) {
    const folder = sites.at(`deposit-${sequence}`);
    const { files } = depositPublication(dist, folder, index === 0 ? null : revision);
    const names = [...exportFiles(revision).keys(), 'SHA256SUMS', 'CITATION.cff', 'datapackage.json', zenodoFile];
    expect(readdirSync(folder).sort()).toEqual(names.sort());
    expect(files).toBe(names.length);
    expect(execFileSync('sha256sum', ['-c', '--ignore-missing', 'SHA256SUMS'], { cwd: folder }).toString()).toContain(
      'OK',
    );
    const { metadata } = JSON.parse(readFileSync(`${folder}/${zenodoFile}`, 'utf8'));
    // These sites state no license, and Zenodo would add one to an open deposit.
    expect(metadata).toMatchObject({ upload_type: 'dataset', version: revision, access_right: 'closed' });
    expect(metadata.creators[0].name).toBeTruthy();
    expect(metadata.keywords).toContain('store inventory');
    // Other users can read it, as far as the umask allows.
    expect(statSync(folder).mode & 0o777).toBe(0o777 & ~process.umask());
  }
});

test('an existing folder, another revision, and a damaged file leave everything as it was', async () => {
  const existing = sites.fresh();
  depositPublication(dist, existing, null);
  expect((await outcomeInProcess('deposit', dist, existing)).failure).toContain('already exists');
  const other = sites.at('other');
  const unknown = await outcomeInProcess('deposit', dist, other, '--revision', 'nothing');
  expect(unknown.failure).toContain('nothing: expected the revision of a retained publication, one of');
  const damaged = sites.at('damaged');
  copySite(dist, damaged);
  const { routes, pointer } = readSite(damaged);
  const path = `/v1/exports/${pointer.revision}/inventory.parquet`;
  const object = `${damaged}/${objectPath(routes.get(path)?.sha256 ?? '')}`;
  execFileSync('sh', [
    '-c',
    `cp "${object}" "${object}.x" && printf x >> "${object}.x" && mv "${object}.x" "${object}"`,
  ]);
  expect((await outcomeInProcess('deposit', damaged, other)).failure).toContain(
    `${path}: expected its file with SHA-256`,
  );
  expect(existsSync(other)).toBe(false);
  expect(readdirSync(sites.at('.')).filter((name) => name.includes('.deposit-'))).toEqual([]);
});
