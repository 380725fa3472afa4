import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { type DeployingRecord, deployingFile, type Pointer } from '../contract/formats/site.ts';
import { jsonMediaType } from '../contract/headers.ts';
import { pathOf, pointerFile, signatureFile } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { groupBy } from '../group-by.ts';
import { digestsOf } from '../site/checked-files.ts';
import { keepingLines, refuseOlderOrForeign } from '../site/pointer-trust.ts';
import { type BucketAddress, bucketUrl, type ClientOptions, openClient, S3Bucket } from './bucket.ts';
import { type HeldBefore, readBucketNames, readHeldBefore } from './bucket-state.ts';
import { amountsOf, type DeployPlan, planDeploy, type Removal, writePlan } from './deploy-plan.ts';
import { type LocalSite, readLocalSite } from './local-site.ts';
import { type Delivery, documentName, plainDelivery, soundBody, type Upload } from './upload.ts';

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
export type DeploySummary = Awaited<ReturnType<typeof deploySite>>;

/**
 * Updates a bucket to a built site. Puts what the pointer names first and the pointer last, then deletes what deploys
 * of this site put there and no pointer names any more. A deploy that is killed at any moment leaves a whole
 * publication, and the next run continues. Throws a Failure when the site is not whole, when the bucket cannot be read
 * or written, or when another deploy is at work there. Without `force`, also throws one when the bucket holds a newer
 * publication, another site, a signed site where the new one is not signed, or documents that are not to be deployed.
 * The folder is not locked, so a build may run meanwhile: earlier publications are kept, and a missing object ends
 * the deploy before the pointer moves.
 */
export async function deploySite(options: DeployOptions, progress: DeployProgress) {
  progress('reading the site', 0, 1);
  const site = readLocalSite(options.directory, options.withDocuments);
  const bucket = new S3Bucket(options.address, await openClient(options));
  try {
    progress('listing the bucket', 0, 1);
    const before = await readHeldBefore(bucket, site.signature, options.force);
    if (!options.force) refuseSurprises(options, site, before);
    const pointers = pointersOf(site, before);
    const isSpare = (name: string) => before.listing.has(name) && !site.uploads.has(name);
    const names = await readBucketNames(pointers.slice(1), { bucket, site, force: options.force }, isSpare);
    const plan = planDeploy(site, before, names);
    if (options.plan !== null) writePlan(options.plan, options.address, plan);
    const puts = amountsOf(plan.puts);
    const { unchanged, removals } = plan;
    // A record without other work comes from a run that was killed at its very end.
    const changed = plan.puts.length > 0 || removals.length > 0 || before.listing.has(deployingFile);
    let deleted = removals.length;
    if (changed && !options.dryRun) {
      const record = { format: 'shelfpress-deploying', format_version: 1, run: randomUUID(), pointers } as const;
      deleted = await new DeployRun({ ...options, bucket, site, before, plan, record, progress }).finish();
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

type DeployProgress = (stage: string, done: number, of: number) => void;

/** The data of a run. */
type Work = {
  readonly concurrency: number;
  readonly progress: DeployProgress;
  readonly bucket: S3Bucket;
  readonly site: LocalSite;
  readonly before: HeldBefore;
  readonly plan: DeployPlan;
  readonly record: DeployingRecord;
};

/** The most keys that are deleted without a check whether another deploy has begun. */
const deletedAtOnce = 128;

const recordDelivery = plainDelivery(jsonMediaType, 'no-store');

/**
 * Carries a plan out. Puts `deploying.json` first and deletes it last. While it is there, it names every pointer whose
 * files may be in the bucket, and lets two deploys at once notice each other.
 */
class DeployRun {
  readonly #work: Work;
  readonly #record: Buffer;

  constructor(work: Work) {
    this.#work = work;
    this.#record = Buffer.from(`${JSON.stringify(work.record)}\n`);
  }

  /** Resolves to the number of deleted keys. */
  async finish(): Promise<number> {
    const { bucket, plan } = this.#work;
    await this.#putBytes(deployingFile, this.#record, recordDelivery);
    await this.#upload(plan.puts.filter(({ kind }) => kind !== 'signature' && kind !== 'pointer'));
    await this.#expectAlone();
    await this.#turn();
    const deleted = await this.#delete(plan.removals.filter(({ name }) => name !== signatureFile));
    if (await this.#isOwnRecord()) await bucket.remove(deployingFile);
    return deleted + plan.removals.filter(({ name }) => name === signatureFile).length;
  }

  /** Uploads step by step, so that a file goes up after everything that it leads to. */
  async #upload(puts: readonly Upload[]): Promise<void> {
    const { bucket, site } = this.#work;
    let done = 0;
    const put = async (upload: Upload) => {
      const body = await soundBody(site.directory, upload);
      await bucket.put(upload.name, { ...upload, body });
      done += 1;
      this.#work.progress('uploading', done, puts.length);
    };
    for (const step of stepsOf(puts)) await pMap(step, put, { concurrency: this.#work.concurrency });
  }

  /** Moves the pointer, after a signature that fits both the present pointer and the new one. */
  async #turn(): Promise<void> {
    const { bucket, site, before, plan } = this.#work;
    for (const { kind, delivery } of plan.puts) {
      if (kind === 'signature' && site.signature) {
        await this.#putBytes(signatureFile, keepingLines(site.signature, before.signature, before.bytes), delivery);
      }
    }
    if (plan.removals.some(({ name }) => name === signatureFile)) await bucket.remove(signatureFile);
    for (const { kind, delivery } of plan.puts) {
      if (kind === 'pointer') await this.#putBytes(pointerFile, site.bytes, delivery);
    }
  }

  /**
   * Deletes keys. Resolves to their number. Stops when another deploy has begun, because that one has read this run's
   * record: it deletes the rest, and it may rely on keys that are not deleted yet.
   */
  async #delete(removals: readonly Removal[]): Promise<number> {
    let done = 0;
    const remove = async ({ name }: Removal) => {
      await this.#work.bucket.remove(name);
      done += 1;
      this.#work.progress('deleting what is past retention', done, removals.length);
    };
    for (const step of stepsOf(removals)) {
      for (let start = 0; start < step.length; start += deletedAtOnce) {
        if (!(await this.#isOwnRecord())) return done;
        await pMap(step.slice(start, start + deletedAtOnce), remove, { concurrency: this.#work.concurrency });
      }
    }
    return done;
  }

  /**
   * Throws a Failure when another deploy has begun or ended during this run. A record from before this run may be of a
   * deploy that was still at work and has deleted keys that this run found. In that case the bucket is listed once
   * more.
   */
  async #expectAlone(): Promise<void> {
    const { bucket, site, before } = this.#work;
    if (!(await this.#isOwnRecord())) this.#refuse(deployingFile, 'that of this run');
    if (!isSame(await bucket.read(pointerFile), before.bytes)) this.#refuse(pointerFile, 'as it was at the beginning');
    if (!before.listing.has(deployingFile)) return;
    const listing = await bucket.list();
    for (const { name, md5, size } of site.uploads.values()) {
      const listed = listing.get(name);
      if (listed?.etag !== md5 || listed.size !== size) this.#refuse(name, `${size} bytes with MD5 ${md5}`);
    }
  }

  async #isOwnRecord(): Promise<boolean> {
    return isSame(await this.#work.bucket.read(deployingFile), this.#record);
  }

  #refuse(name: string, expected: string): never {
    throw new Failure(
      `${this.#work.bucket.url(name)}: expected ${expected}, got another: another deploy is at work there; run again when it has ended`,
    );
  }

  async #putBytes(name: string, bytes: Uint8Array, delivery: Delivery): Promise<void> {
    await this.#work.bucket.put(name, { body: () => bytes, ...digestsOf(bytes), delivery });
  }
}

/** Groups of items with the same step, lowest step first. */
function stepsOf<Item extends { readonly step: number }>(items: readonly Item[]): Item[][] {
  return [...groupBy(items, ({ step }) => step)].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function isSame(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
