import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { mirrorSite } from '../../generator/copies/mirror/mirror.ts';
import { SmallSites } from '../support/small-sites.ts';
import { build } from '../units/fixture-series.ts';
import { readSite } from '../units/site-tree.ts';
import { copySite, faultsIn, hasty, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

/* A host that builds its publication again, with a different base URL. */

const baseUrl = 'https://stock.example';
const sites = SmallSites.use(2);
beforeAll(async () => {
  copySite(sites.at('dist-2'), sites.at('again'));
  await build(sites.at('publication.sqlite'), sites.at('again'), { baseUrl });
});

const isAgain = (folder: string, name: string) => readFileSync(join(folder, 'site/v1', name), 'utf8').includes(baseUrl);
const names = ['index.json', 'products.json', 'stores.json', 'changes.json'];

test('plain servers of a mirror show all of the old answers, and then all of the new ones', async () => {
  await using host = await StaticHost.start(sites.at('dist-2'));
  const folder = sites.at('mirror');
  await mirror(host.url, folder);
  host.folder = sites.at('again');
  const seen: string[] = [];
  const options = { url: host.url, directory: folder, only: null, key: null, force: false, patience: hasty };
  await mirrorSite(options, () => {
    seen.push(names.map((name) => isAgain(folder, name)).join());
  });
  seen.push(names.map((name) => isAgain(folder, name)).join());
  expect([...new Set(seen)]).toEqual(['false,false,false,false', 'true,true,true,true']);
  expect(await faultsIn(folder)).toEqual([]);
  expect(readdirSync(join(folder, 'checkouts'))).not.toContain(`${readSite(folder).pointer.revision}.next`);
});

test('a run that was killed after plain servers switched is finished when nothing is new', async () => {
  await using host = await StaticHost.start(sites.at('dist-2'));
  const folder = sites.at('killed');
  await mirror(host.url, folder);
  const { revision } = readSite(folder).pointer;
  // The folder with the name of the publication has older answers.
  const [own, beside] = [`checkouts/${revision}`, `checkouts/${revision}.next`];
  execFileSync('cp', ['-a', join(folder, own), join(folder, beside)]);
  for (const name of ['products.json', 'stores.json']) rmSync(join(folder, own, 'v1', name));
  writeFileSync(join(folder, own, 'v1/stores.json'), '{}');
  rmSync(join(folder, 'site'));
  symlinkSync(beside, join(folder, 'site'));
  writeFileSync(join(folder, 'mirror.unfinished'), '');
  expect(await mirror(host.url, folder)).toMatchObject({ changed: false, requests: 1 });
  expect((await verifySite(folder)).counts).toMatchObject({ faults: 0, unnamed_checkouts: 0, unnamed_objects: 0 });
});
