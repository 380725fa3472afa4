import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { verifySite } from '../../generator/verify/verify.ts';
import { brokenObjects, readSite, treeOf } from '../build/site-tree.ts';
import { eventually } from '../serve/running-server.ts';
import { isCheck } from '../support/check-mode.ts';
import { programFile } from '../support/programs.ts';
import { seededRandom } from '../support/random.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { SmallSites } from '../support/small-sites.ts';
import { copySite, faultsIn, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const kills = 5;
const sites = SmallSites.use(2);

async function startMirror(url: string, folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [programFile('test/mirror/mirror-child.ts'), url, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

test(`a mirror killed at ${kills} random moments is one whole publication each time`, async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const [folder, before] = [sites.at('mirror'), sites.at('before')];
  await mirror(host.url, before);
  host.folder = sites.at('dist-2');
  copySite(before, folder);
  const whole = await startMirror(host.url, folder);
  const started = performance.now();
  await ended(whole);
  let longest = performance.now() - started;
  const random = seededRandom(20_251_120);
  for (let killed = 0; killed < kills; killed += 1) {
    // Every fifth run begins with an empty folder, the others with the previous publication. A run that was killed
    // before it finished is continued.
    if (killed % 5 === 0 || readSequence(folder) === 2) {
      rmSync(folder, { recursive: true, force: true });
      if (killed % 5 !== 0) copySite(before, folder);
    }
    const child = await startMirror(host.url, folder);
    await setTimeout(random() * longest);
    child.kill('SIGKILL');
    await ended(child);
    const sequence = readSequence(folder);
    // The time of a mirror depends on the load of the machine. This adapts, so that some runs end before the kill and
    // most do not.
    longest *= sequence === 2 ? 0.8 : 1.2;
    if (sequence === null) continue;
    expect(brokenObjects(folder)).toEqual([]);
    if (killed % 5 === 3) expect(await faultsIn(folder)).toEqual([]);
  }
  await ended(await startMirror(host.url, folder));
  expect(readSequence(folder)).toBe(2);
  expect(await faultsIn(folder)).toEqual([]);
  expect(await leftoversIn(folder)).toEqual([]);
}, 300_000);

/** Files in a folder that no reader needs. */
async function leftoversIn(folder: string): Promise<string[]> {
  const { unnamed_objects, unnamed_checkouts } = (await verifySite(folder)).counts;
  const files = [...treeOf(folder).keys()].filter((name) => name.endsWith('.tmp') || name === 'mirror.unfinished');
  return [...files, ...Array(unnamed_objects).fill('object'), ...Array(unnamed_checkouts).fill('checkout')];
}

describe.runIf(isCheck)('what a killed run left goes', () => {
  /** A mirror of the first publication. Its run for the second one was killed after some objects had arrived. */
  async function killed(host: StaticHost, folder: string): Promise<void> {
    host.folder = sites.at('dist-1');
    await mirror(host.url, folder);
    host.folder = sites.at('dist-2');
    let answered = 0;
    host.intercept = ({ url = '' }) => {
      answered += 1;
      return url.startsWith('/objects/') && answered > 20;
    };
    const child = await startMirror(host.url, folder);
    expect(await eventually(() => answered > 30)).toBe(true);
    child.kill('SIGKILL');
    await ended(child);
    host.intercept = () => false;
    expect((await leftoversIn(folder)).length).toBeGreaterThan(5);
  }

  test('when nothing is new, and then nothing is looked at any more', async () => {
    await using host = await StaticHost.start(sites.at('dist-1'));
    const folder = sites.at('killed-then-nothing');
    await killed(host, folder);
    host.folder = sites.at('dist-1');
    const { changed, requests, deleted } = await mirror(host.url, folder);
    expect({ changed, requests }).toEqual({ changed: false, requests: 1 });
    expect(deleted).toBeGreaterThan(5);
    expect(await leftoversIn(folder)).toEqual([]);
    expect(await faultsIn(folder)).toEqual([]);
    mkdirSync(join(folder, 'objects/00'), { recursive: true });
    writeFileSync(join(folder, `objects/00/${'0'.repeat(64)}`), 'not looked at');
    expect(await mirror(host.url, folder)).toMatchObject({ changed: false, requests: 1, deleted: 0 });
    expect(await leftoversIn(folder)).toEqual(['object']);
  });

  test('with the next publication, and with a run that looks at everything', async () => {
    await using host = await StaticHost.start(sites.at('dist-1'));
    const [next, forced] = [sites.at('killed-then-next'), sites.at('killed-then-forced')];
    await killed(host, next);
    writeFileSync(join(next, 'current.json.tmp'), '{');
    await mirror(host.url, next);
    expect(await leftoversIn(next)).toEqual([]);
    await killed(host, forced);
    host.folder = sites.at('dist-1');
    await mirror(host.url, forced, { force: true });
    expect(await leftoversIn(forced)).toEqual([]);
    expect(await faultsIn(forced)).toEqual([]);
  });

  test('before the next one, where it takes the room that this needs', async ({ skip }) => {
    using disk = SmallDisk.mount(8 * 1024 * 1024) ?? skip('this user may not mount');
    await using host = await StaticHost.start(sites.at('dist-1'));
    const folder = join(disk.path, 'mirror');
    await mirror(host.url, folder);
    const { bavail, bsize } = statfsSync(folder);
    mkdirSync(join(folder, 'objects/00'), { recursive: true });
    writeFileSync(join(folder, `objects/00/${'0'.repeat(64)}`), Buffer.alloc(bavail * bsize - 64 * 1024));
    host.folder = sites.at('dist-2');
    await expect(mirror(host.url, folder)).rejects.toThrow(/expected room for/);
    expect(await mirror(host.url, folder)).toMatchObject({ changed: true, pointer: { sequence: 2 } });
    expect(await leftoversIn(folder)).toEqual([]);
    expect(await faultsIn(folder)).toEqual([]);
  });

  test('after the pointer has moved: objects, a checkout, files of no address; and not what readers have', async () => {
    await using host = await StaticHost.start(sites.at('dist-2'));
    const folder = sites.at('killed-while-sweeping');
    await mirror(host.url, folder);
    // A run with a smaller selection removes nothing of the current publication.
    const only = ['/v1/brands'];
    await mirror(host.url, folder, { only });
    const before = [...treeOf(folder).keys()];
    const { revision } = readSite(folder).pointer;
    const old = join(folder, 'checkouts/11111111-1111-4111-8111-111111111111');
    mkdirSync(old);
    writeFileSync(join(old, 'x'), '');
    writeFileSync(join(folder, `checkouts/${revision}/v1/brands.json.tmp`), '');
    mkdirSync(join(folder, 'objects/00'), { recursive: true });
    writeFileSync(join(folder, `objects/00/${'0'.repeat(64)}.tmp`), '');
    writeFileSync(join(folder, 'mirror.unfinished'), '');
    expect(await mirror(host.url, folder, { only })).toMatchObject({ changed: false, requests: 1 });
    expect(await leftoversIn(folder)).toEqual([]);
    const after = treeOf(folder);
    const lost = before.filter((name) => !after.has(name) && !name.startsWith('objects/'));
    expect(lost.filter((name) => name.startsWith(`checkouts/${revision}/`))).toEqual([]);
    expect(await faultsIn(folder)).toEqual([]);
  });
});

function readSequence(folder: string): number | null {
  return existsSync(join(folder, 'current.json')) ? readSite(folder).pointer.sequence : null;
}
