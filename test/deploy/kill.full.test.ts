import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { faultsIn, mirror } from '../mirror/published-sites.ts';
import { programFile } from '../support/programs.ts';
import { integer, seededRandom } from '../support/random.ts';
import { contentOfBucket } from './bucket-content.ts';
import { S3Proxy } from './s3-proxy.ts';
import { type DeployTestBed, withSwift } from './test-bed.ts';
import { contentOfSite } from './wanted-content.ts';

/** At least this many, and as many more as it takes to meet every outcome. */
const kills = 12;
const publications = 4;
/**
 * The most requests until a kill: over a third of what one deploy takes. A limit in time would depend on how busy the
 * machine is.
 */
const longestLife = 60;
const foreignKey = 'objects/of-somebody-else';

withSwift('a deploy', publications, (testBed) => {
  test(`killed at ${kills} random moments or more leaves a whole publication each time, and nothing that nobody needs`, async () => {
    const program = programFile('test/deploy/deploy-child.ts');
    const wanted = Array.from({ length: publications }, (_, index) => contentOfSite(testBed.dist(index + 1)));
    await using proxy = await S3Proxy.start(testBed.swift.endpoint);
    const random = seededRandom(20_251_120);
    const outcomes = { before: 0, moved: 0, ended: 0, given_up: 0 };
    let killed = 0;
    const create = () => KilledBucket.create(testBed, program, wanted, proxy);
    let bucket = await create();
    for (let sequence = 1; killed < kills || Math.min(outcomes.moved, outcomes.given_up) === 0; ) {
      const signal = await bucket.deploy(sequence, integer(random, 1, longestLife));
      if (signal !== null) killed += 1;
      const before = bucket.sequence;
      const found = await bucket.findWhole();
      expect([before, sequence]).toContain(found);
      if (killed % 20 === 10 && found > 0) await bucket.expectReadable(`mirror-${killed}`);
      const isMoved = found === sequence;
      outcomes[signal === null ? 'ended' : isMoved ? 'moved' : 'before'] += 1;
      // Mostly the killed deploy is repeated. Sometimes the next publication is deployed instead.
      if (!isMoved && (random() > 0.2 || sequence - found > 1 || sequence === publications)) continue;
      if (!isMoved) outcomes.given_up += 1;
      else if (random() < 0.4 || sequence === publications) {
        expect(await bucket.deploy(sequence, null)).toBeNull();
        expect(await bucket.content()).toEqual(wanted[sequence - 1]);
      }
      sequence += 1;
      if (sequence <= publications) continue;
      sequence = 1;
      bucket = await create();
    }
    expect(outcomes.before).toBeGreaterThan(5);
  }, 300_000);
});

type Content = ReadonlyMap<string, { readonly size: number; readonly etag: string }>;

/**
 * A bucket to which processes deploy that are killed. `sequence`: the publication that a reader found last, 0 for none.
 */
class KilledBucket {
  sequence = 0;
  readonly #testBed: DeployTestBed;
  readonly #program: string;
  readonly #wanted: readonly Content[];
  readonly #name: string;
  readonly #proxy: S3Proxy;

  private constructor(
    testBed: DeployTestBed,
    program: string,
    wanted: readonly Content[],
    proxy: S3Proxy,
    name: string,
  ) {
    this.#testBed = testBed;
    this.#program = program;
    this.#wanted = wanted;
    this.#proxy = proxy;
    this.#name = name;
  }

  static async create(
    testBed: DeployTestBed,
    program: string,
    wanted: readonly Content[],
    proxy: S3Proxy,
  ): Promise<KilledBucket> {
    const name = await testBed.swift.createBucket();
    await testBed.client.send(new PutObjectCommand({ Bucket: name, Key: foreignKey, Body: 'theirs' }));
    return new KilledBucket(testBed, program, wanted, proxy, name);
  }

  /**
   * Deploys, and resolves with the signal that ended the process. `life`: requests until it is killed; null for no
   * limit.
   */
  async deploy(sequence: number, life: number | null): Promise<NodeJS.Signals | null> {
    const url = `s3://${this.#name}`;
    const args = [this.#program, this.#testBed.dist(sequence), url, this.#proxy.endpoint];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    let left = life ?? Number.POSITIVE_INFINITY;
    this.#proxy.fate = () => {
      left -= 1;
      if (left === 0) child.kill('SIGKILL');
      return 'pass';
    };
    const signal = await ended(child);
    if (signal === null) expect(child.exitCode).toBe(0);
    return signal;
  }

  /** The content of the bucket without the foreign key, which must still be there. */
  async content(): Promise<Content> {
    const content = await contentOfBucket(this.#testBed.client, this.#name);
    expect(content.delete(foreignKey)).toBe(true);
    return content;
  }

  /**
   * The sequence of the publication that a reader finds. Checks that every file it leads to exists and every object is
   * intact.
   */
  async findWhole(): Promise<number> {
    const held = await this.content();
    const pointer = held.get('current.json');
    this.sequence = this.#wanted.findIndex((content) => content.get('current.json')?.etag === pointer?.etag) + 1;
    expect(this.sequence > 0).toBe(pointer !== undefined);
    for (const [key, what] of this.#wanted[this.sequence - 1] ?? []) {
      if (key.startsWith('objects/')) expect([key, held.get(key)]).toEqual([key, what]);
      else expect([key, held.has(key)]).toEqual([key, true]);
    }
    return this.sequence;
  }

  /** Reads the whole bucket as a mirror of a plain host does. */
  async expectReadable(folder: string): Promise<void> {
    const { swift, sites } = this.#testBed;
    const { pointer } = await mirror(swift.publicUrl(this.#name), sites.at(folder));
    expect(pointer.sequence).toBe(this.sequence);
    expect(await faultsIn(sites.at(folder))).toEqual([]);
  }
}

/** The signal that ended the process, or null. */
async function ended(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode;
}
