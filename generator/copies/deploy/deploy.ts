import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { jsonMediaType } from '../../../contract/headers.ts';
import { formatPath, pointerFile, signatureFile } from '../../../contract/paths.ts';
import { type DeployingRecord, deployingFile, type Pointer } from '../../../contract/schemas/site-files.ts';
import { Failure } from '../../files/failure.ts';
import { digestBytes } from '../../site/checked-files.ts';
import { refuseBadCheckpoint, refuseOlderOrForeign } from '../../trust/pointer-trust.ts';
import { keepingLines, signedIn } from '../../trust/signature-file.ts';
import { type ClientOptions, openClient, type S3Bucket, s3Bucket } from './bucket.ts';
import { type BucketAddress, bucketUrl } from './bucket-address.ts';
import { type HeldBefore, readBucketNames, readHeldBefore } from './bucket-state.ts';
import { type DeployPlan, planDeploy, type Removal, sumByKind, writePlan } from './deploy-plan.ts';
import { type LocalSite, readLocalSite } from './local-site.ts';
import { type Delivery, documentName, plainDelivery, soundBody, type Upload } from './upload.ts';

export type DeployOptions = ClientOptions & {
  readonly directory: string;
  readonly address: BucketAddress;
  /** If false, the bucket gets no documents: only mirrors and the worker read it. */
  readonly withDocuments: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** The file to write the plan to; null for none. */
  readonly plan: string | null;
};

/** What a deploy did or, with `dryRun`, would do. `requests` includes repeated ones. */
export type DeploySummary = Awaited<ReturnType<typeof deploySite>>;

/**
 * Makes a bucket match a built site. Puts what the pointer names first and the pointer last, then deletes what deploys
 * of this site put there and no pointer names any longer. A deploy that is killed at any moment leaves a whole
 * publication, and the next run continues. Throws a Failure if the site is not whole, if the bucket cannot be read or
 * written, or if another deploy is at work there. Without `force`, also throws one if the bucket holds a newer
 * publication, another site, a signed site where the new one is not signed, or documents that are not to be deployed.
 * The folder is not locked, so a build may run meanwhile: earlier publications are kept, and a missing object ends the
 * deploy before the pointer moves.
 */
export async function deploySite(options: DeployOptions, progress: DeployProgress) {
  progress('reading the site', 0, 1);
  const site = readLocalSite(options.directory, options.withDocuments);
  const bucket = s3Bucket(options.address, await openClient(options));
  try {
    progress('listing the bucket', 0, 1);
    const before = await readHeldBefore(bucket, site.signature, options.force);
    if (!options.force) await refuseSurprises(options, site, before);
    const pointers = knownPointers(site, before);
    const isSpare = (name: string) => before.listing.has(name) && !site.uploads.has(name);
    const names = await readBucketNames(pointers.slice(1), { bucket, site, force: options.force }, isSpare);
    const plan = planDeploy(site, before, names);
    if (options.plan !== null) writePlan(options.plan, options.address, plan);
    const puts = sumByKind(plan.puts);
    const { unchanged, removals } = plan;
    // A run that was killed at its very end leaves a record without other work.
    const changed = plan.puts.length > 0 || removals.length > 0 || before.listing.has(deployingFile);
    let deleted = removals.length;
    if (changed && !options.dryRun) {
      const record: DeployingRecord = {
        format: 'shelfpress-deploying',
        format_version: 1,
        run: randomUUID(),
        pointers,
      };
      const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
      deleted = await carryOut({ ...options, bucket, site, before, plan, record: bytes, progress });
    }
    return { pointer: site.pointer, changed, puts, deleted, unchanged, requests: bucket.requests };
  } finally {
    bucket.close();
  }
}

/** The new pointer, then the others whose files may be in the bucket, each once. */
function knownPointers({ pointer }: LocalSite, { pointer: before, record }: HeldBefore): [Pointer, ...Pointer[]] {
  const found = new Map<string, Pointer>();
  for (const one of [...(before ? [before] : []), ...(record?.pointers ?? [])]) found.set(JSON.stringify(one), one);
  return [pointer, ...found.values()];
}

async function refuseSurprises(
  { directory, address, withDocuments }: DeployOptions,
  site: LocalSite,
  before: HeldBefore,
): Promise<void> {
  const url = bucketUrl(address);
  if (before.pointer) {
    refuseOlderOrForeign({ pointer: before.pointer, source: url }, { pointer: site.pointer, source: directory });
  }
  if (before.signature && !site.signature) {
    throw new Failure(
      'would_lose',
      `${url} is signed: expected a signed site, got no ${signatureFile} in ${directory}; pass --force to accept it`,
    );
  }
  const [signed, held] = [signedIn(site.bytes, site.signature), signedIn(before.bytes, before.signature)];
  // Readers who remember what the bucket showed would refuse the site.
  if (signed && held) await refuseBadCheckpoint(directory, signed, held.checkpoint, Date.now());
  if (before.pointer && !withDocuments && before.listing.has(documentName(formatPath('service_index')))) {
    throw new Failure(
      'would_lose',
      `${url} has documents: expected them to be deployed too, got --only objects, which would delete them; pass --force to delete them`,
    );
  }
}

type DeployProgress = (stage: string, done: number, of: number) => void;

type Run = {
  readonly concurrency: number;
  readonly progress: DeployProgress;
  readonly bucket: S3Bucket;
  readonly site: LocalSite;
  readonly before: HeldBefore;
  readonly plan: DeployPlan;
  readonly record: Buffer;
};

/** Keys deleted before checking again whether another deploy has begun. */
const deletedAtOnce = 128;

const recordDelivery = plainDelivery(jsonMediaType, 'no-store');

/**
 * Puts `deploying.json` first and deletes it last. Meanwhile it names every pointer whose files may be in the bucket,
 * and lets two deploys at once notice each other. Resolves to the number of deleted keys.
 */
async function carryOut(run: Run): Promise<number> {
  const { bucket, plan, record } = run;
  await putBytes(bucket, deployingFile, record, recordDelivery);
  await upload(
    run,
    plan.puts.filter(({ kind }) => kind !== 'signature' && kind !== 'pointer'),
  );
  await expectAlone(run);
  await movePointer(run);
  const removals = plan.removals.filter(({ name }) => name !== signatureFile);
  const deleted = await remove(run, removals);
  if (await isOwnRecord(run)) await bucket.remove(deployingFile);
  return deleted + plan.removals.length - removals.length;
}

/** Uploads step by step, so that a file goes up after everything that it leads to. */
async function upload({ bucket, site, concurrency, progress }: Run, puts: readonly Upload[]): Promise<void> {
  let done = 0;
  const put = async (one: Upload) => {
    const body = await soundBody(site.directory, one);
    await bucket.put(one.name, { ...one, body });
    done += 1;
    progress('uploading', done, puts.length);
  };
  for (const step of groupByStep(puts)) await pMap(step, put, { concurrency });
}

/** Puts a signature that fits both pointers before the new pointer. */
async function movePointer({ bucket, site, before, plan }: Run): Promise<void> {
  for (const { kind, delivery } of plan.puts) {
    if (kind !== 'signature' || !site.signature) continue;
    await putBytes(bucket, signatureFile, keepingLines(site.signature, before.signature, before.bytes), delivery);
  }
  if (plan.removals.some(({ name }) => name === signatureFile)) await bucket.remove(signatureFile);
  for (const { kind, delivery } of plan.puts)
    if (kind === 'pointer') await putBytes(bucket, pointerFile, site.bytes, delivery);
}

/**
 * Resolves to the number of deleted keys. Stops if another deploy has begun. That one has read this run's record: it
 * deletes the rest, and may rely on keys that are not deleted yet.
 */
async function remove(run: Run, removals: readonly Removal[]): Promise<number> {
  let done = 0;
  const removeOne = async ({ name }: Removal) => {
    await run.bucket.remove(name);
    done += 1;
    run.progress('deleting what is past retention', done, removals.length);
  };
  for (const step of groupByStep(removals)) {
    for (let start = 0; start < step.length; start += deletedAtOnce) {
      if (!(await isOwnRecord(run))) return done;
      await pMap(step.slice(start, start + deletedAtOnce), removeOne, { concurrency: run.concurrency });
    }
  }
  return done;
}

/**
 * Throws a Failure if another deploy has begun or ended during this run. A record from before this run may belong to a
 * deploy that was still at work and has since deleted keys that this run found. In that case the bucket is listed once
 * more.
 */
async function expectAlone(run: Run): Promise<void> {
  const { bucket, site, before } = run;
  const refuse = (name: string, expected: string): never => {
    throw new Failure(
      'busy',
      `${bucket.url(name)}: expected ${expected}, got another: another deploy is at work there; run again when it has ended`,
    );
  };
  if (!(await isOwnRecord(run))) refuse(deployingFile, 'the record of this run');
  if (!isSame(await bucket.read(pointerFile), before.bytes))
    refuse(pointerFile, 'the pointer from the start of this run');
  if (!before.listing.has(deployingFile)) return;
  const listing = await bucket.list();
  for (const { name, md5, size } of site.uploads.values()) {
    const listed = listing.get(name);
    if (listed?.etag !== md5 || listed.size !== size) refuse(name, `${size} bytes with MD5 ${md5}`);
  }
}

async function isOwnRecord({ bucket, record }: Run): Promise<boolean> {
  return isSame(await bucket.read(deployingFile), record);
}

async function putBytes(bucket: S3Bucket, name: string, bytes: Uint8Array, delivery: Delivery): Promise<void> {
  await bucket.put(name, { body: () => bytes, ...digestBytes(bytes), delivery });
}

/** Groups items by their step, with the lowest step first. */
function groupByStep<Item extends { readonly step: number }>(items: readonly Item[]): Item[][] {
  return [...Map.groupBy(items, ({ step }) => step)].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function isSame(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
