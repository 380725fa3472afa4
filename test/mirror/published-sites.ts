import { execFileSync } from 'node:child_process';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { type MirrorOptions, mirrorSite } from '../../generator/copies/mirror/mirror.ts';
import { readTree } from '../units/site-tree.ts';

/** Copies a site to a new folder, with its hard links and times, which a copy made by Node would lose. */
export function copySite(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

/** Patience short enough for a test. */
export const hasty = {
  attempts: 3,
  firstWaitMs: 5,
  longestWaitMs: 3000,
  // A busy machine may take long.
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

/** All files of a publication, without the private files of building and mirroring. */
export function readContent(folder: string): Map<string, string> {
  const internal = /^(build\.lock|build-ledger\.json|mirror\.json|site\/)/;
  const files = [...readTree(folder)].filter(([name]) => !internal.test(name));
  return new Map(files.map(([name, { sha256 }]) => [name, sha256]));
}
