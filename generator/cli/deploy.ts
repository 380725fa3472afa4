import { type Command, InvalidArgumentError, Option } from 'commander';
import { type BucketAddress, bucketUrl, parseBucketAddress } from '../copies/deploy/bucket-address.ts';
import type { DeployOptions, DeploySummary } from '../copies/deploy/deploy.ts';
import { requireS3Package } from '../copies/deploy/s3-package.ts';
import { countOf } from '../files/failure.ts';
import { refuseCredentials } from '../http/urls.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { durationText, publicationText, sizeText, stopwatch } from '../terminal/texts.ts';
import { parsedArgument, wholeNumber } from './options.ts';

export type DeployCommandOptions = {
  endpoint?: string;
  only?: 'objects';
  concurrency: number;
  dryRun: boolean;
  plan?: string;
  force: boolean;
  json: boolean;
};

export function defineDeploy(command: Command, output: Output): void {
  command
    .argument('<site>', 'folder of the site, or of a complete mirror')
    .argument('<bucket>', 's3://BUCKET or s3://BUCKET/PREFIX', parseBucket)
    .option('--endpoint <url>', 'server of the bucket, if it is not Amazon S3', parseEndpoint)
    .addOption(
      new Option('--only <what>', 'upload no documents, for a bucket that only mirrors and the worker read').choices([
        'objects',
      ]),
    )
    .option('--concurrency <n>', 'number of parallel requests, 1 to 256', wholeNumber(1, 256), 16)
    .option('--dry-run', 'change nothing; print what a deploy would do', false)
    .option('--plan <file>', 'write the planned steps as NDJSON, one line per key, in order')
    .option(
      '--force',
      'accept an older publication or another site, replace unreadable files, and drop a signature or documents',
      false,
    )
    .option('--json', 'print the summary as one JSON object', false)
    .action(async (directory: string, address: BucketAddress, options: DeployCommandOptions) => {
      const { facts, lines } = await deployTo(directory, address, options, output);
      output.result(facts, lines);
    });
  withExample(command, 'shelfpress deploy dist s3://example-bucket/site --endpoint https://s3.example.org');
}

export async function deployTo(
  directory: string,
  address: BucketAddress,
  { only, json: _, ...rest }: DeployCommandOptions,
  output: Output,
) {
  requireS3Package();
  const elapsed = stopwatch();
  const withDocuments = only !== 'objects';
  const options: DeployOptions = { endpoint: null, plan: null, ...rest, directory, address, withDocuments };
  // The SDK takes longer to load than most commands take to run.
  const { deploySite } = await import('../copies/deploy/deploy.ts');
  const summary = await deploySite(options, (stage, done, of) => {
    output.progress(stage, done, of);
  });
  const seconds = elapsed();
  return { facts: deployFacts(options, summary, seconds), lines: deployLines(options, summary, seconds) };
}

function parseBucket(text: string): BucketAddress {
  refuseCredentials(text);
  return parsedArgument(() => parseBucketAddress(text));
}

function parseEndpoint(text: string): string {
  refuseCredentials(text, '; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY hold them');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('expected an http or https URL, without a query');
  }
  return url.href.replace(/\/+$/, '');
}

function deployFacts({ address, dryRun, withDocuments }: DeployOptions, summary: DeploySummary, seconds: number) {
  const { pointer, changed, puts, deleted, unchanged, requests } = summary;
  const { revision, sequence, published_at } = pointer;
  const place = { bucket: address.bucket, prefix: address.prefix, only: withDocuments ? null : 'objects' };
  const counts = { puts, deletes: deleted, unchanged, requests };
  return { revision, sequence, published_at, ...place, dry_run: dryRun, changed, ...counts, seconds };
}

function deployLines({ address, dryRun }: DeployOptions, summary: DeploySummary, seconds: number): string[] {
  const { pointer, changed, puts, deleted, unchanged, requests } = summary;
  const publication = publicationText(pointer);
  const url = bucketUrl(address);
  const cost = `${countOf(requests, 'request')}; ${durationText(seconds)}`;
  if (!changed) return [`nothing new: ${url} holds ${publication}`, `${unchanged} keys unchanged; ${cost}`];
  const amounts = Object.entries(puts).map(([kind, { count, bytes }]) => {
    return `${count} ${kind.replace('_', ' ')} (${sizeText(bytes)})`;
  });
  const did = dryRun ? 'would put' : 'put';
  return [
    `${dryRun ? 'would deploy' : 'deployed'} ${publication}, to ${url}`,
    `${did} ${amounts.join(', ')}; ${unchanged} unchanged, ${deleted} deleted; ${cost}`,
  ];
}
