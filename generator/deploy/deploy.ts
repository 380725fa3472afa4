import { randomUUID } from 'node:crypto';
import type { Pointer } from '../contract/formats/site.ts';
import { deployingFile } from '../contract/formats/site-records.ts';
import { pathOf, signatureFile } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { refuseOlderOrForeign } from '../site/pointer-trust.ts';
import { type BucketAddress, bucketUrl, S3Bucket } from './bucket.ts';
import { type HeldBefore, readHeldBefore, readKnownNames } from './bucket-state.ts';
import { type Amount, amountsOf, planDeploy, writePlan } from './deploy-plan.ts';
import { type DeployProgress, DeployRun } from './deploy-run.ts';
import { type LocalSite, readLocalSite } from './local-site.ts';
import { type ClientOptions, openClient } from './s3-client.ts';
import { documentName, type UploadKind } from './upload.ts';

export type DeployOptions = ClientOptions & {
  readonly directory: string;
  readonly address: BucketAddress;
  /** False: the bucket gets no documents, because only mirrors and the worker read it. */
  readonly withDocuments: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** The file for the plan; null: none. */
  readonly plan: string | null;
};

/** What a deploy did, or with `dryRun` would do. `requests` counts repeated ones too. */
export type DeploySummary = {
  readonly pointer: Pointer;
  readonly changed: boolean;
  readonly puts: Readonly<Record<UploadKind, Amount>>;
  readonly deleted: number;
  readonly unchanged: number;
  readonly requests: number;
};

/**
 * Updates a bucket to a built site. Puts what the pointer names first and the pointer last, then deletes what deploys
 * of this site put there and no pointer names any more. A deploy that is killed at any moment leaves a whole
 * publication, and the next run continues. Throws a Failure when the site is not whole, when the bucket cannot be read
 * or written, or when another deploy is at work there. Without `force`, also throws one when the bucket holds a newer
 * publication, another site, a signed site where the new one is not signed, or documents that are not to be deployed.
 * The folder is not locked, so a build may run meanwhile: superseded publications are kept, and a missing object ends
 * the deploy before the pointer moves.
 */
export async function deploySite(options: DeployOptions, progress: DeployProgress): Promise<DeploySummary> {
  progress('reading the site', 0, 1);
  const site = readLocalSite(options.directory, options.withDocuments);
  const bucket = new S3Bucket(options.address, await openClient(options));
  try {
    progress('listing the bucket', 0, 1);
    const before = await readHeldBefore(bucket, site.signature, options.force);
    if (!options.force) refuseSurprises(options, site, before);
    const pointers = pointersOf(site, before);
    const isSpare = (name: string) => before.listing.has(name) && !site.uploads.has(name);
    const known = await readKnownNames(pointers.slice(1), { bucket, site, force: options.force }, isSpare);
    const plan = planDeploy(site, before, known);
    if (options.plan !== null) writePlan(options.plan, options.address, plan);
    const puts = amountsOf(plan.puts);
    const { unchanged, removals } = plan;
    // A record without other work comes from a run that was killed at its very end.
    const changed = plan.puts.length > 0 || removals.length > 0 || before.listing.has(deployingFile);
    let deleted = removals.length;
    if (changed && !options.dryRun) {
      const record = { format: 'shelfpress-deploying', format_version: 1, run: randomUUID(), pointers } as const;
      deleted = await new DeployRun({ bucket, site, before, plan, record }, options.concurrency, progress).finish();
    }
    return { pointer: site.pointer, changed, puts, deleted, unchanged, requests: bucket.requests };
  } finally {
    bucket.close();
  }
}

/** The new pointer, then the other pointers whose files may be in the bucket, each once. */
function pointersOf({ pointer }: LocalSite, { pointer: before, record }: HeldBefore): [Pointer, ...Pointer[]] {
  const found = new Map<string, Pointer>();
  for (const one of [...(before ? [before] : []), ...(record?.pointers ?? [])]) found.set(JSON.stringify(one), one);
  return [pointer, ...found.values()];
}

function refuseSurprises(
  { directory, address, withDocuments }: DeployOptions,
  site: LocalSite,
  before: HeldBefore,
): void {
  const url = bucketUrl(address);
  if (before.pointer) {
    refuseOlderOrForeign({ pointer: before.pointer, source: url }, { pointer: site.pointer, source: directory });
  }
  if (before.signature && !site.signature) {
    throw new Failure(
      `${url} is signed: expected a signed site, got none of ${signatureFile} in ${directory}; --force takes it`,
    );
  }
  if (before.pointer && !withDocuments && before.listing.has(documentName(pathOf('service_index')))) {
    throw new Failure(
      `${url} has documents: expected them to be deployed too, got --only objects, which would delete them; --force does`,
    );
  }
}
