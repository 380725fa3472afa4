import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../bench/random.ts';
import { brokenObjects, readSite } from '../build/site-tree.ts';
import { programFile } from '../support/programs.ts';
import { SmallSites } from '../support/small-sites.ts';
import { copySite, faultsIn, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const kills = 50;
let sites: SmallSites;
beforeAll(async () => {
  sites = await SmallSites.build(2);
});
afterAll(() => sites.remove());

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
  const outcomes = { none: 0, first: 0, second: 0 };
  for (let killed = 0; killed < kills; killed += 1) {
    // Every fifth begins with nothing, the others with the publication before; one that was killed early goes on.
    if (killed % 5 === 0 || readSequence(folder) === 2) {
      rmSync(folder, { recursive: true, force: true });
      if (killed % 5 !== 0) copySite(before, folder);
    }
    const child = await startMirror(host.url, folder);
    await setTimeout(random() * longest);
    child.kill('SIGKILL');
    await ended(child);
    const sequence = readSequence(folder);
    outcomes[sequence === 2 ? 'second' : sequence === 1 ? 'first' : 'none'] += 1;
    // How long a mirror takes changes with what else the machine does: some are to end before, and most are not.
    longest *= sequence === 2 ? 0.8 : 1.1;
    if (sequence === null) continue;
    expect(brokenObjects(folder)).toEqual([]);
    if (killed % 5 === 3) expect(await faultsIn(folder)).toEqual([]);
  }
  expect(outcomes.first + outcomes.none).toBeGreaterThan(5);
  expect(outcomes.second).toBeGreaterThan(5);
  await ended(await startMirror(host.url, folder));
  expect(readSequence(folder)).toBe(2);
  expect(await faultsIn(folder)).toEqual([]);
}, 300_000);

function readSequence(folder: string): number | null {
  return existsSync(join(folder, 'current.json')) ? readSite(folder).pointer.sequence : null;
}
