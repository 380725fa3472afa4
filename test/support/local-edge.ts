import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Log, LogLevel, Miniflare, type WorkerOptions } from 'miniflare';
import { pointerFile } from '../../contract/paths.ts';
import { bundleWorker } from '../../generator/copies/hosts/worker-bundle.ts';
import { readWranglerConfig } from '../../generator/copies/hosts/worker-files.ts';

/** A worker over a bucket; several may share one. */
export type LocalWorker = {
  readonly name: string;
  readonly bucket: string;
  /** Variables and secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Null: the binding is left out. */
  readonly ratePerMinute: number | null;
  /** Statements that run before the worker's own code. */
  readonly banner?: string;
};

/** A line of the log of any of the workers. */
export type EdgeLine = { readonly level: string; readonly msg?: string } & Readonly<Record<string, unknown>>;

/** Miniflare's own type needs a package of types that nothing else here uses. */
type WritableBucket = { put(key: string, bytes: Uint8Array): Promise<unknown> };

/** Objects that are uploaded at the same time. */
const uploadsAtOnce = 16;

const linePatienceMs = 10_000;

/**
 * Workers in workerd, Cloudflare's runtime, on ports of the loopback interface. Miniflare provides the buckets and rate
 * limits. Nothing leaves the machine.
 */
export class LocalEdge implements AsyncDisposable {
  readonly lines: EdgeLine[];
  readonly #miniflare: Miniflare;
  /** The buckets by worker. Finding a worker's bucket takes longer than putting an object into it. */
  readonly #buckets = new Map<string, Promise<WritableBucket>>();
  /** The folder of the buckets. Miniflare would remove its own folder too late for a process that is ending. */
  readonly #folder: string;

  private constructor(miniflare: Miniflare, lines: EdgeLine[], folder: string) {
    this.#miniflare = miniflare;
    this.#folder = folder;
    this.lines = lines;
  }

  static async start(workers: readonly LocalWorker[]): Promise<LocalEdge> {
    const lines: EdgeLine[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'shelfpress-edge-'));
    const miniflare = new Miniflare({
      workers: await Promise.all(workers.map(workerOptions)),
      defaultPersistRoot: folder,
      // Otherwise miniflare would look up its location over the network.
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: ({ message }: { message: string }) => {
        if (message.startsWith('{')) lines.push(JSON.parse(message) as EdgeLine);
      },
    });
    const edge = new LocalEdge(miniflare, lines, folder);
    try {
      await miniflare.ready;
      return edge;
    } catch (error) {
      await edge[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The URL of a worker, without the edge in front of it. */
  urlOf(name: string): Promise<URL> {
    return this.#miniflare.unsafeGetDirectURL(name);
  }

  /** The URL of the first worker behind miniflare's edge, which replaces Accept-Encoding as Cloudflare does. */
  get edgeUrl(): Promise<URL> {
    return this.#miniflare.ready;
  }

  /** Puts a built site, or these objects of it, into the bucket of a worker, the pointer last. */
  async upload(dist: string, name: string, keys: readonly string[] = objectsOf(dist)): Promise<void> {
    for (let i = 0; i < keys.length; i += uploadsAtOnce) {
      await Promise.all(keys.slice(i, i + uploadsAtOnce).map((key) => this.put(name, key, join(dist, key))));
    }
    await this.put(name, pointerFile, join(dist, pointerFile));
  }

  async put(name: string, key: string, file: string): Promise<void> {
    const bucket =
      this.#buckets.get(name) ?? (this.#miniflare.getR2Bucket('SITE', name) as unknown as Promise<WritableBucket>);
    this.#buckets.set(name, bucket);
    await (await bucket).put(key, new Uint8Array(readFileSync(file)));
  }

  /** The first line with these fields. Waits for it, because a line arrives a little later than its answer. */
  async logged(fields: Readonly<Record<string, unknown>>): Promise<EdgeLine> {
    const deadline = performance.now() + linePatienceMs;
    for (;;) {
      const found = this.lines.find((line) => Object.entries(fields).every(([name, value]) => line[name] === value));
      if (found) return found;
      if (performance.now() > deadline)
        throw new Error(`no line of ${this.lines.length} has ${JSON.stringify(fields)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#miniflare.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Resolves at once, or at the start of the next minute if this one ends soon. Miniflare counts requests by the minute
 * of the real clock.
 */
export async function enoughOfMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left));
}

function objectsOf(dist: string): string[] {
  const folders = readdirSync(join(dist, 'objects')).sort();
  return folders.flatMap((folder) =>
    readdirSync(join(dist, 'objects', folder)).map((file) => `objects/${folder}/${file}`),
  );
}

/**
 * Worker bundles by their banner. Some tests start dozens of workers, and bundling each takes longer than its start.
 */
const bundles = new Map<string, Promise<string>>();

function bundleOf(banner = ''): Promise<string> {
  const bundle = bundles.get(banner) ?? bundleWorker(banner);
  bundles.set(banner, bundle);
  return bundle;
}

async function workerOptions(worker: LocalWorker): Promise<WorkerOptions> {
  const { compatibility_date, r2_buckets, ratelimits } = readWranglerConfig();
  const { name, bucket, variables, ratePerMinute, banner } = worker;
  const [{ name: limiter, simple, ...others }] = ratelimits;
  const limit = { [limiter]: { ...others, simple: { ...simple, limit: ratePerMinute ?? 1 } } };
  return {
    name,
    // Otherwise miniflare would read the whole text of a one-file script to find its imports.
    modules: [{ type: 'ESModule', path: 'worker.js', contents: await bundleOf(banner) }],
    compatibilityDate: compatibility_date,
    bindings: { ...variables },
    r2Buckets: { [r2_buckets[0].binding]: bucket },
    ...(ratePerMinute === null ? {} : { ratelimits: limit }),
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}
