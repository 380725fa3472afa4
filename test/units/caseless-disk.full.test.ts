import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StaticHost } from '../mirror/static-host.ts';
import { RunningServer } from '../serve/running-server.ts';
import { CaselessDisk } from '../support/caseless-disk.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { SmallSites } from '../support/small-sites.ts';
import { readTree } from './site-tree.ts';

const sites = SmallSites.use(2);

test('a disk without links and with one name for both cases has copies, said once', { timeout: 120_000 }, async ({
  skip,
}) => {
  using disk = CaselessDisk.make(256 * 1024 * 1024) ?? skip('exFAT cannot be mounted here');
  writeFileSync(join(disk.path, 'Case'), '');
  expect(existsSync(join(disk.path, 'cASE'))).toBe(true);
  const site = join(disk.path, 'site');
  const copies = `the disk of ${site} has no hard links and no symbolic links, so files are copied; the file site names the current checkout, which plain web servers cannot follow\n`;
  for (const count of [1, 2]) {
    const build = ['build', '--db', sites.at(`${count}.sqlite`), '--out', site, '--no-explorer'];
    expect(await runInProcess(...build)).toMatchObject({ code: 0, stderr: copies });
    expect(await runInProcess(...build)).toMatchObject({ code: 0, stderr: '' });
    expect(await runInProcess('verify', site)).toMatchObject({ code: 0, stderr: '' });
  }
  // The same bytes as on any other disk.
  const objects = (folder: string) =>
    [...readTree(folder)].flatMap(([name, { sha256 }]) => (name.startsWith('objects/') ? [`${name} ${sha256}`] : []));
  expect(objects(site)).toEqual(objects(sites.at('dist-2')));
  const link = readFileSync(join(site, 'site'), 'utf8');
  expect(existsSync(join(site, link, 'v1/metadata.json'))).toBe(true);
  await using server = await RunningServer.start([site]);
  expect((await fetch(`http://${server.host}:${server.port}/v1/products`)).status).toBe(200);

  await using host = await StaticHost.start(sites.at('dist-2'));
  const mirror = join(disk.path, 'mirror');
  expect(await runInProcess('mirror', host.url, mirror)).toMatchObject({
    code: 0,
    stderr: copies.replace(site, mirror),
  });
  expect(await runInProcess('verify', mirror)).toMatchObject({ code: 0, stderr: '' });
  // Anything else in the place of the link is refused as on other disks.
  writeFileSync(join(site, 'site'), 'elsewhere');
  const refused = await runInProcess('build', '--db', sites.at('2.sqlite'), '--out', site, '--no-explorer');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('expected a symbolic link') });
});
