import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { SigningKey } from '../../generator/trust/keys.ts';
import { build, publishParts } from '../units/fixture-series.ts';
import { madeOnce } from './made-once.ts';
import { randomWorld } from './random-world.ts';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';

/**
 * Sites of a world in which everything changes, so small that a mirror or an upload takes a second: `dist-1`, `dist-2`
 * and so on. Their databases are `1.sqlite`, `2.sqlite` and so on; the last one is also `publication.sqlite`.
 */
export class SmallSites {
  readonly #folder = temporaryFolder();
  #paths = 0;

  static async build(count: number, key: SigningKey | null = null): Promise<SmallSites> {
    const sites = new SmallSites();
    await sites.#add(count, key);
    return sites;
  }

  /** The same for all tests in a file. They exist from the first test to the last. */
  static use(count: number, key: SigningKey | null = null): SmallSites {
    const sites = new SmallSites();
    beforeAll(() => sites.#add(count, key));
    afterAll(() => sites.remove());
    return sites;
  }

  async #add(count: number, key: SigningKey | null): Promise<void> {
    if (key === null) copyTo(this.#folder, await unsignedSites(count));
    else for (let number = 1; number <= count; number += 1) await addSite(this.#folder, number, key);
  }

  at(name: string): string {
    return join(this.#folder, name);
  }

  /** A path where there is nothing yet. */
  fresh(): string {
    this.#paths += 1;
    return this.at(`fresh-${this.#paths}`);
  }

  remove(): void {
    removeFolder(this.#folder);
  }
}

const world = randomWorld({ seed: 4, products: 3, stores: 2, publications: 5 });

/** The folder of the first sites without a signature, which the first test that needs them makes for all. */
function unsignedSites(count: number): Promise<string> {
  return madeOnce(`small-sites-${count}`, async (folder) => {
    mkdirSync(folder);
    if (count > 1) copyTo(folder, await unsignedSites(count - 1));
    await addSite(folder, count, null);
  });
}

/** Publishes the next snapshot, and builds its site beside the earlier ones. */
async function addSite(folder: string, number: number, key: SigningKey | null): Promise<void> {
  const [database, out] = [join(folder, 'publication.sqlite'), join(folder, `dist-${number}`)];
  const snapshot = world[number - 1];
  if (!snapshot) throw new Error(`there are ${world.length} small sites, and not ${number}`);
  await publishParts(database, snapshot);
  if (number > 1) cpSync(join(folder, `dist-${number - 1}`), out, { recursive: true, verbatimSymlinks: true });
  await build(database, out, {}, key);
  copyFileSync(database, join(folder, `${number}.sqlite`));
}

/** Unlike a copy made by Node, this one has the hard links and times of the original. */
function copyTo(folder: string, original: string): void {
  execFileSync('cp', ['-a', `${original}/.`, folder]);
}
