import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSite } from '../../generator/build/build.ts';
import { type MirrorOptions, mirrorSite } from '../../generator/mirror/mirror.ts';
import type { SigningKey } from '../../generator/site/keys.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { publishFixtures, temporaryFolder } from '../build/fixture-series.ts';

/** One site at its first publications: `dist-1`, `dist-2`, … are its folder after each of them. */
export class PublishedSites {
  readonly #folder = temporaryFolder();

  static async build(count: number, key: SigningKey | null = null): Promise<PublishedSites> {
    const sites = new PublishedSites();
    for (let sequence = 1; sequence <= count; sequence += 1) {
      const database = sites.at(`${sequence}.sqlite`);
      await publishFixtures(database, 0, sequence);
      const out = sites.at(`dist-${sequence}`);
      if (sequence > 1) copySite(sites.at(`dist-${sequence - 1}`), out);
      const options = { baseUrl: null, exports: 'retained', keepAll: false, full: false } as const;
      await buildSite({ database, out, ...options }, () => undefined, key);
    }
    return sites;
  }

  at(name: string): string {
    return join(this.#folder.path, name);
  }

  remove(): void {
    this.#folder.remove();
  }
}

/** Copies a site to a new folder, with its hard links and times, which a copy made by Node would lose. */
export function copySite(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

/** Patience that is short enough for a test. */
export const hasty = {
  attempts: 3,
  firstWaitMs: 5,
  longestWaitMs: 3000,
  // A machine that is busy may need long.
  idleMs: 30_000,
  windowMs: 30_000,
  leastBytesPerWindow: 1,
};

export function mirror(url: string, directory: string, options: Partial<MirrorOptions> = {}) {
  const defaults = { only: null, key: null, force: false, patience: hasty };
  return mirrorSite({ url, directory, ...defaults, ...options }, () => undefined);
}

export async function faultsIn(site: string): Promise<string[]> {
  const { faults } = await verifySite(site);
  return faults.map(({ code, path, expected, got }) => `${code} ${path}: expected ${expected}, got ${got}`);
}
