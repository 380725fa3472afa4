import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { isNight } from '../support/check-mode.ts';
import { programFile } from '../support/programs.ts';
import { seededRandom } from '../support/random.ts';
import { build, expectAsFromNothing, publishFixtures, temporaryFolder } from './fixture-series.ts';
import { brokenObjects, readSite } from './site-tree.ts';

const kills = isNight ? 10 : 4;
const folder = temporaryFolder();
const database = join(folder.path, 'db.sqlite');
const dist = join(folder.path, 'dist');
afterAll(folder.remove);

/** Starts a build with this many threads besides the main one. */
async function startBuild(threads: 0 | 1): Promise<ChildProcess> {
  const child = spawn(process.execPath, [programFile('test/units/build-child.ts'), database, dist, `${threads}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

test(`a build killed at ${kills} random moments leaves one whole publication each time`, async () => {
  const random = seededRandom(20_250_303);
  const steps = isNight ? 5 : 2;
  let killed = 0;
  // How long a build takes depends on its threads and on the load of the machine. This adapts, so that few builds end
  // before the kill, and those do not count.
  const longestMs = [300, 600];
  for (let step = 0; step < steps; step += 1) {
    rmSync(database, { force: true });
    await publishFixtures(database, 0, step + 1);
    const until = Math.round((kills * (step + 1)) / steps);
    while (killed < until) {
      const threads = killed % 5 === 2 ? 1 : 0;
      const child = await startBuild(threads);
      const longest = longestMs[threads] ?? 0;
      await setTimeout(random() * longest);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      if (child.signalCode !== null) killed += 1;
      longestMs[threads] = longest * (child.signalCode === null ? 0.8 : 1.1);
      if (!existsSync(join(dist, 'current.json'))) continue;
      expect(brokenObjects(dist)).toEqual([]);
      // Verifying everything would take longer than the build.
      if (killed % 5 === 0) expect((await verifySite(dist)).faults).toEqual([]);
      expect(readSite(dist).pointer.sequence).toBeGreaterThanOrEqual(step);
    }
    await build(database, dist, { threads: 0 });
    expect(readSite(dist).pointer.sequence).toBe(step + 1);
  }
  expect((await verifySite(dist)).faults).toEqual([]);
  await expectAsFromNothing(database, dist);
}, 240_000);
