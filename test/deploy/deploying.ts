import { parseBucketAddress } from '../../generator/deploy/bucket.ts';
import { type DeployOptions, deploySite } from '../../generator/deploy/deploy.ts';

/** Deploys with the defaults of the command. */
export function deploy(directory: string, url: string, endpoint: string, options: Partial<DeployOptions> = {}) {
  const defaults = { concurrency: 16, withDocuments: true, force: false, dryRun: false, plan: null };
  const address = parseBucketAddress(url);
  return deploySite({ directory, address, endpoint, ...defaults, ...options }, () => undefined);
}

/** How many files a deploy uploaded, of all kinds. */
export function putsOf({ puts }: Awaited<ReturnType<typeof deploySite>>): number {
  return Object.values(puts).reduce((sum, { count }) => sum + count, 0);
}
