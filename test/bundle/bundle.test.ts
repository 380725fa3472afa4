import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkoutPath, objectPath } from '../../contract/paths.ts';
import { bundleSite } from '../../generator/copies/bundle/bundle.ts';
import { ZipWriter } from '../../generator/copies/bundle/zip-writer.ts';
import { lockName } from '../../generator/files/file-lock.ts';
import { copySite, mirror } from '../mirror/published-sites.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { needing, program } from '../support/installed-programs.ts';
import { SmallSites } from '../support/small-sites.ts';
import { readSite, readTree } from '../units/site-tree.ts';

const sites = SmallSites.use(2);
const dist = sites.at('dist-2');

function bundle(site: string, name: string) {
  return bundleSite(site, sites.at(name), () => undefined);
}

/** What another project's program prints for a ZIP file `z`, whose sizes and checksums it can check. */
function python(file: string, script: string, ...args: string[]): string {
  const text = `import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\n${script}`;
  const { stdout, stderr } = spawnSync(program('python3'), ['-c', text, file, ...args], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

test('the same publication makes the same bytes, also from a mirror, whatever its history', async () => {
  const { files, bytes, pointer } = bundle(dist, 'a.zip');
  bundle(dist, 'b.zip');
  await using host = await StaticHost.start(sites.at('dist-1'));
  await mirror(host.url, sites.at('mirror'));
  host.folder = dist;
  await mirror(host.url, sites.at('mirror'));
  bundle(sites.at('mirror'), 'c.zip');
  const [a, b, c] = ['a.zip', 'b.zip', 'c.zip'].map((name) => readFileSync(sites.at(name)));
  expect(a?.equals(b ?? Buffer.alloc(0)) && a.equals(c ?? Buffer.alloc(0))).toBe(true);
  expect([bytes, pointer.sequence]).toEqual([a?.length, 2]);
  expect(files).toBeGreaterThan(readSite(dist).routes.size);
  expect(existsSync(sites.at('a.zip.tmp'))).toBe(false);
});

describe('unpacked', needing('python3'), () => {
  let folder: string;
  beforeAll(() => {
    bundle(dist, 'unpacked.zip');
    const script = 'assert z.testzip() is None\nz.extractall(sys.argv[2])';
    python(sites.at('unpacked.zip'), script, sites.at('unpacked'));
    folder = sites.at('unpacked/publication-2');
  });

  test('has every resource, the pointer and the route table, and its checksums hold', () => {
    const { routes } = readSite(folder);
    for (const [path, { sha256 }] of routes) {
      const bytes = readFileSync(join(folder, checkoutPath(path)));
      expect(bytes.equals(readFileSync(join(dist, objectPath(sha256)))), path).toBe(true);
    }
    const checked = spawnSync('sha256sum', ['-c', '--quiet', '--strict', 'SHA256SUMS'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([checked.status, checked.stdout]).toEqual([0, '']);
    const named = readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(66));
    expect(named.sort()).toEqual([...readTree(folder).keys()].filter((name) => name !== 'SHA256SUMS').sort());
    expect(readFileSync(join(folder, 'README.txt'), 'utf8')).toContain(
      `Publication 2, revision ${readSite(dist).pointer.revision}`,
    );
  });

  test('keeps Parquet as it is, and packs what can be packed', () => {
    const listed = python(sites.at('unpacked.zip'), 'for i in z.infolist(): print(i.compress_type, i.filename)');
    const stored = [...listed.matchAll(/^0 publication-2\/(.+)$/gm)].map(([, name]) => name);
    const downloads = [...readSite(dist).routes.keys()].filter((path) => /\.(parquet|ndjson\.gz|csv\.gz)$/.test(path));
    expect(downloads.filter((path) => path.endsWith('.parquet'))).toHaveLength(2 * 4 + 3 + 4 + 4);
    expect(stored.sort()).toEqual(downloads.map((path) => path.slice(1)).sort());
    const readme = readFileSync(join(folder, 'README.txt'), 'utf8');
    for (const name of ['daily', 'changes', 'changes/newest']) {
      expect(readme).toContain(` v1/exports/${name}.parquet `);
      expect(existsSync(join(folder, `v1/exports/${name}.parquet`))).toBe(true);
    }
  });

  test('is a site for any static server: lists lead from file to file to their end', () => {
    let rows = 0;
    for (let next: string | null = '/v1/changes.json'; next !== null; ) {
      const list = JSON.parse(readFileSync(join(folder, next), 'utf8'));
      rows += list.data.length;
      next = list.links.next;
    }
    expect(rows).toBe(JSON.parse(readFileSync(join(folder, 'v1/metadata.json'), 'utf8')).data.counts.change_events);
  });
});

describe('refuses, and leaves nothing behind', () => {
  test('a file that is there', () => {
    writeFileSync(sites.at('there.zip'), 'precious');
    expect(() => bundle(dist, 'there.zip')).toThrow('there.zip already exists');
    expect(readFileSync(sites.at('there.zip'), 'utf8')).toBe('precious');
  });

  test('a ZIP file that another run is writing, and not what a killed run left', () => {
    const lock = lockName(sites.at('busy.zip'));
    expect(() => bundle(dist, 'busy.zip')).toThrow('another run is writing');
    lock?.release();
    writeFileSync(sites.at('busy.zip.tmp'), 'of a killed run');
    writeFileSync(sites.at('busy.zip.lock'), '');
    bundle(dist, 'busy.zip');
    expect(['.tmp', '.lock'].filter((end) => existsSync(sites.at(`busy.zip${end}`)))).toEqual([]);
    bundle(dist, 'undisturbed.zip');
    expect(readFileSync(sites.at('busy.zip')).equals(readFileSync(sites.at('undisturbed.zip')))).toBe(true);
    symlinkSync('nowhere', sites.at('link.zip'));
    expect(() => bundle(dist, 'link.zip')).toThrow('link.zip already exists');
    expect(existsSync(sites.at('link.zip.tmp'))).toBe(false);
  });

  test.each([
    ['damaged', (file: string) => writeFileSync(file, 'damaged'), 'v1/brands.json: expected the bytes of'],
    ['missing', () => undefined, 'v1/brands.json: expected its bytes at'],
  ])('a site with an object that is %s', (name, change, message) => {
    const site = sites.at(`site-${name}`);
    copySite(dist, site);
    const file = join(site, objectPath(readSite(site).routes.get('/v1/brands')?.sha256 ?? ''));
    rmSync(file);
    change(file);
    expect(() => bundle(site, `${name}.zip`)).toThrow(message);
    expect(existsSync(sites.at(`${name}.zip`)) || existsSync(sites.at(`${name}.zip.tmp`))).toBe(false);
  });
});

test('more files than two bytes can count make a ZIP64', needing('python3'), () => {
  const pieces: Uint8Array[] = [];
  const zip = new ZipWriter((bytes) => void pieces.push(bytes));
  for (let i = 0; i < 70_000; i += 1) zip.add(`file-${i}`, Buffer.from(`${i}`), true);
  zip.end();
  writeFileSync(sites.at('many.zip'), Buffer.concat(pieces));
  const script = 'print(len(z.namelist()), z.read("file-69999").decode())';
  expect(python(sites.at('many.zip'), script)).toBe('70000 69999\n');
});
