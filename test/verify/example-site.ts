import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { noProof, writeProof } from '../../generator/verify/proof.ts';
import { madeOnce } from '../support/made-once.ts';
import { builtFixtures, copyBuiltFixtures } from '../units/built-fixtures.ts';
import { temporaryFolder } from '../units/fixture-series.ts';
import { proofBeside } from './edited-site.ts';

export type ExampleSite = { readonly folder: string; readonly remove: () => void };

/**
 * A site of the bundled snapshots, built after each of these numbers of snapshots. The publications before the last are
 * kept with their documents, and a proof of the one before the last is beside the site.
 */
export async function buildExampleSite(...builds: readonly number[]): Promise<ExampleSite> {
  const { path, remove } = temporaryFolder();
  const folder = join(path, 'site');
  await copyExample(folder, builds);
  return { folder, remove };
}

/** The same for all tests of a file. It is there from the first test to the last. */
export function useExampleSite(...builds: readonly number[]): { readonly folder: string } {
  const { path, remove } = temporaryFolder();
  const folder = join(path, 'site');
  beforeAll(() => copyExample(folder, builds));
  afterAll(remove);
  return { folder };
}

async function copyExample(folder: string, builds: readonly number[]): Promise<void> {
  await copyBuiltFixtures(folder, ...builds);
  if (builds.length < 2) return;
  copyFileSync(await proofOf(builds.slice(0, -1)), proofBeside(folder));
}

/** The proof of a site, made once. */
function proofOf(builds: readonly number[]): Promise<string> {
  return madeOnce(`proof-${builds.join('-')}`, async (file) => {
    const site = await builtFixtures('none', ...builds);
    const { proof } = await verifySite(site, { proof: noProof });
    if (proof === null) throw new Error('the site before has a fault');
    writeProof(file, proof);
  });
}
