import { parseBucketAddress } from '../../generator/deploy/bucket-address.ts';
import { deploySite } from '../../generator/deploy/deploy.ts';

/** Says when it starts, so that whoever kills it knows where it is; then deploys. */
const [directory = '', url = '', endpoint = ''] = process.argv.slice(2);
process.stdout.write('started\n');
const options = { concurrency: 8, withDocuments: true, force: false, dryRun: false, plan: null };
await deploySite({ directory, address: parseBucketAddress(url), endpoint, ...options }, () => undefined);
