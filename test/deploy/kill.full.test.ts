import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { faultsIn, mirror } from '../mirror/published-sites.ts';
import { programFile } from '../support/programs.ts';
import { integer, seededRandom } from '../support/random.ts';
import { contentOfSite } from './bucket-content.ts';
import { S3Proxy } from './s3-proxy.ts';
import { withSwift } from './test-bed.ts';

const publications = 3;
const killsOfEach = 2;
/**
 * The most requests until a kill: over a third of what one deploy takes. A limit in time would depend on how busy the
 * machine is.
 */
const longestLife = 60;
const foreignKey = 'objects/of-somebody-else';

withSwift('a deploy', publications, (testBed) => {
  test('killed at random moments leaves a whole publication each time, and nothing that no reader needs', async () => {
    const program = programFile('test/deploy/deploy-child.ts');
    const wanted = Array.from({ length: publications }, (_, index) => contentOfSite(testBed.dist(index + 1)));
    await using proxy = await S3Proxy.start(testBed.swift.endpoint);
    const random = seededRandom(20_251_120);
    const { bucket, content, put } = await testBed.freshBucket();
    await put(foreignKey, 'theirs');

    /** Deploys in a process that is killed after so many requests; null for no limit. */
    const deployed = async (sequence: number, life: number | null): Promise<void> => {
      const args = [program, testBed.dist(sequence), `s3://${bucket}`, proxy.endpoint];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      const ended = once(child, 'exit');
      let requests = 0;
      proxy.fate = () => {
        requests += 1;
        if (requests === life) child.kill('SIGKILL');
        return 'pass';
      };
      const [code] = await ended;
      if (child.signalCode === null) expect(code).toBe(0);
    };

    /** The sequence of the publication that a reader finds, 0 for none, with every file that it leads to. */
    const found = async (): Promise<number> => {
      const held = await content();
      expect(held.has(foreignKey)).toBe(true);
      const pointer = held.get('current.json');
      const sequence = wanted.findIndex((one) => one.get('current.json')?.etag === pointer?.etag) + 1;
      expect(sequence > 0).toBe(pointer !== undefined);
      for (const [key, what] of wanted[sequence - 1] ?? []) {
        if (key.startsWith('objects/')) expect([key, held.get(key)]).toEqual([key, what]);
        else expect([key, held.has(key)]).toEqual([key, true]);
      }
      return sequence;
    };

    let previous = 0;
    for (let sequence = 1; sequence <= publications; sequence += 1) {
      for (let kill = 0; kill < killsOfEach; kill += 1) {
        await deployed(sequence, integer(random, 1, longestLife));
        const now = await found();
        expect([previous, sequence]).toContain(now);
        previous = now;
      }
      // The deploy of the second publication is given up, and the third one is deployed instead.
      if (sequence !== 2) {
        await deployed(sequence, null);
        const held = await content();
        held.delete(foreignKey);
        expect(held).toEqual(wanted[sequence - 1]);
        previous = sequence;
      }
    }
    const folder = testBed.sites.fresh();
    await mirror(testBed.swift.publicUrl(bucket), folder);
    expect(await faultsIn(folder)).toEqual([]);
  }, 300_000);
});
