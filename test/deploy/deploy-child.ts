import { parseBucketAddress } from '../../generator/deploy/bucket.ts';
import { deploySite } from '../../generator/deploy/deploy.ts';

/** A deploy in a process of its own, which a test kills. */
const [directory = '', url = '', endpoint = ''] = process.argv.slice(2);
const options = { concurrency: 8, withDocuments: true, force: false, dryRun: false, plan: null };
await deploySite({ directory, address: parseBucketAddress(url), endpoint, ...options }, () => undefined);
