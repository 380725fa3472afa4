import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { SmallSites } from '../support/small-sites.ts';
import { copySite, faultsIn, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const noMount = 'this user may not mount a disk';

const sites = SmallSites.use(2);
const host = StaticHost.use(sites.at('dist-1'));
beforeAll(async () => {
  await mirror(host.url, sites.at('whole'));
});

/** A copy of the mirror. */
function copied(): string {
  const folder = sites.fresh();
  copySite(sites.at('whole'), folder);
  return folder;
}

/** Runs a command that must fail. Returns its message, one line and nothing else. */
async function refusal(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(...args);
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^shelfpress: [^\n]+ \[[a-z_]+\]\n$/),
  });
  return stderr.slice('shelfpress: '.length).replace(/ \[[a-z_]+\]\n$/, '');
}

/** A file of a mirror, and what replaces its content: null for a folder, undefined for nothing. */
const inMirror: readonly (readonly [file: string, content: string | null | undefined, message: RegExp])[] = [
  ['build.lock', null, /build\.lock: expected a lock file, got a folder; move it away if it is yours, or delete it/],
  ['build.lock', 'mine', /build\.lock: expected an empty lock file, got one with content; move it away/],
  ['current.json', null, /current\.json: expected a file or folder that a mirror can read and write, got EISDIR/],
  ['current.json', '\0\0', /: current\.json is not the pointer of a site.+; pass --force to accept it$/],
  ['mirror.json', '{"a":', /: mirror\.json: expected the record of a mirror, got .+; pass --force to accept it$/],
  ['mirror.json', undefined, /expected a mirror or an empty folder, got a site without mirror\.json/],
];

describe('mirror', () => {
  test.each(inMirror)('into a mirror with %s for %j', async (file, content, message) => {
    const folder = copied();
    rmSync(join(folder, file));
    if (content === null) mkdirSync(join(folder, file));
    else if (content !== undefined) writeFileSync(join(folder, file), content);
    expect(await refusal('mirror', host.url, folder)).toMatch(message);
    if (!message.source.includes('--force')) return;
    expect((await mirror(host.url, folder, { force: true })).changed).toBe(true);
    expect(await faultsIn(folder)).toEqual([]);
  });

  test('into a file, below a file, and where files replace its folders', async () => {
    const file = sites.fresh();
    writeFileSync(file, 'mine');
    expect(await refusal('mirror', host.url, file)).toBe(`${file}: expected a folder, got a file`);
    expect(await refusal('mirror', host.url, join(file, 'a'))).toMatch(
      /expected a folder that can be written, got ENOTDIR/,
    );
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const taken = copied();
    rmSync(join(taken, 'site'));
    mkdirSync(join(taken, 'site'));
    expect(await refusal('mirror', host.url, taken)).toMatch(
      /site: expected a symbolic link to the current checkout, got a folder, left by a copy that follows links; delete it/,
    );
  });

  test('where the link to the current checkout cannot be made, so that the pointer, which moves after it, stays', async () => {
    const folder = copied();
    const pointer = readFileSync(join(folder, 'current.json'));
    // The place where the link is made before it gets its name.
    mkdirSync(join(folder, 'site.tmp'));
    await using later = await StaticHost.start(sites.at('dist-2'));
    await expect(mirror(later.url, folder)).rejects.toThrow(/site\.tmp/);
    expect(readFileSync(join(folder, 'current.json'))).toEqual(pointer);
    rmdirSync(join(folder, 'site.tmp'));
    expect((await mirror(later.url, folder)).pointer.sequence).toBe(2);
    expect(await faultsIn(folder)).toEqual([]);
  });

  test('onto a full disk, and then one with room', async ({ skip }) => {
    using disk = SmallDisk.mount(256 * 1024) ?? skip(noMount);
    const folder = join(disk.path, 'mirror');
    expect(await refusal('mirror', host.url, folder)).toMatch(
      /: (out of space, ENOSPC \(the disk is full\); the next run continues from here|needs \d+ more bytes, \d+ are free)$/,
    );
    const roomy = sites.fresh();
    copySite(folder, roomy);
    await mirror(host.url, roomy);
    expect(await faultsIn(roomy)).toEqual([]);
  });

  test('onto a read-only disk', async ({ skip }) => {
    using disk = SmallDisk.mount(16 * 1024 * 1024) ?? skip(noMount);
    const folder = join(disk.path, 'mirror');
    await mirror(host.url, folder);
    if (!disk.makeReadOnly()) skip(noMount);
    expect(await refusal('mirror', host.url, folder)).toMatch(
      /build\.lock: expected a lock file that can be written, got EROFS/,
    );
    expect(await refusal('mirror', host.url, join(disk.path, 'new'))).toMatch(
      /disk: expected a folder that can be written, got EROFS/,
    );
    expect(await refusal('bundle', folder, join(disk.path, 'x.zip'))).toMatch(
      /x\.zip: expected a file that can be written, got EROFS/,
    );
    expect(await refusal('follow', host.url, '--once', '--output', join(disk.path, 'x.ndjson'))).toMatch(/got EROFS/);
  });
});

test('bundle onto a full disk leaves nothing there', async ({ skip }) => {
  using disk = SmallDisk.mount(32 * 1024) ?? skip(noMount);
  const message = await refusal('bundle', sites.at('whole'), join(disk.path, 'x.zip'));
  expect(message).toMatch(/x\.zip: expected a file that can be written, got ENOSPC/);
  expect(readdirSync(disk.path)).toEqual([]);
});

test('follow onto a full disk: the next run removes what was cut short', async ({ skip }) => {
  using disk = SmallDisk.mount(64 * 1024) ?? skip(noMount);
  const [output, full] = [join(disk.path, 'x.ndjson'), join(disk.path, 'full')];
  const args = ['--once', '--output', output, '--state', join(disk.path, 'state')];
  await using plain = await StaticHost.start(sites.at('dist-1/site'));
  expect(await runInProcess('follow', `${plain.url}`, ...args)).toMatchObject({ code: 0, stderr: '' });
  plain.folder = sites.at('dist-2/site');
  expect(() => writeFileSync(full, Buffer.alloc(1024 * 1024))).toThrow('ENOSPC');
  expect(await refusal('follow', plain.url, ...args)).toMatch(/: expected a file that can be written, got ENOSPC/);
  rmSync(full);
  expect(await runInProcess('follow', plain.url, ...args)).toMatchObject({ code: 0, stderr: '' });
  const lines = readFileSync(output, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).number)).toEqual(lines.map((_, index) => index + 1));
  expect(lines.length).toBeGreaterThan(4);
});
