import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { SigningKey } from '../../generator/site/keys.ts';
import { build, publishParts } from '../build/fixture-series.ts';
import { randomWorld } from './random-world.ts';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';

/**
 * Sites of a world in which everything changes, so small that a mirror or an upload takes a second: `dist-1`, `dist-2`,
 * ….
 */
export class SmallSites {
  readonly #folder = temporaryFolder();
  #paths = 0;

  static async build(count: number, key: SigningKey | null = null): Promise<SmallSites> {
    const sites = new SmallSites();
    await sites.#add(count, key);
    return sites;
  }

  /** The same for all tests of a file. They are there from the first test to the last. */
  static use(count: number, key: SigningKey | null = null): SmallSites {
    const sites = new SmallSites();
    beforeAll(() => sites.#add(count, key));
    afterAll(() => sites.remove());
    return sites;
  }

  async #add(count: number, key: SigningKey | null): Promise<void> {
    const database = this.at('publication.sqlite');
    const snapshots = randomWorld({ seed: 4, products: 3, stores: 2, publications: count });
    for (const [index, snapshot] of snapshots.entries()) {
      await publishParts(database, snapshot);
      const out = this.at(`dist-${index + 1}`);
      if (index > 0) cpSync(this.at(`dist-${index}`), out, { recursive: true, verbatimSymlinks: true });
      await build(database, out, {}, key);
    }
  }

  at(name: string): string {
    return join(this.#folder, name);
  }

  /** A path where nothing is yet. */
  fresh(): string {
    this.#paths += 1;
    return this.at(`fresh-${this.#paths}`);
  }

  remove(): void {
    removeFolder(this.#folder);
  }
}
