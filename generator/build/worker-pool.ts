import { availableParallelism } from 'node:os';
import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { explainDatabase } from '../database/connection.ts';
import { Failure, failureOf } from '../failure.ts';
import { isCompiled } from '../package-files.ts';
import { RouteTable, type SharedTable } from '../site/route-table.ts';
import { DocumentWriter, type Made, type WriterOptions } from './document-writer.ts';
import { type Job, type JobResult, runJob, weightOf } from './jobs.ts';

/** The report of a worker thread: a finished job with what it made, that none is left, or the reason why a job failed. */
type Report =
  | ({ readonly done: number; readonly result: JobResult } & Made)
  | { readonly done: null }
  | { readonly failure: string; readonly explained: boolean };

/** The jobs that all threads share. `next` is the index of the first job that no thread has taken. */
type SharedJobs = { readonly jobs: readonly Job[]; readonly next: Int32Array };

/**
 * What a thread gets: jobs, and with the first ones the answers of the publication before, if they can be used. `isLast`: there
 * will be no others.
 */
type Batch = SharedJobs & { readonly previous?: SharedTable | null; readonly isLast: boolean };

export type Finished = { readonly job: Job; readonly result: JobResult };

/** Takes the next job; undefined when there is none left. */
function takeJob({ jobs, next }: SharedJobs): { index: number; job: Job } | undefined {
  const index = Atomics.add(next, 0, 1);
  const job = jobs[index];
  return job && { index, job };
}

/** Stops all threads from taking jobs. Jobs under way still end. */
function stopTaking({ jobs, next }: SharedJobs): void {
  Atomics.store(next, 0, jobs.length);
}

const threadMegabytes = 256;

/** A Failure when the system has no room for a thread; any other error as it is. */
function explainThread(error: Error & { readonly code?: string }): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new Failure(`a thread of the build needs more than the ${threadMegabytes} MB of memory that it may use`);
  }
  return error.code === 'ERR_WORKER_INIT_FAILED'
    ? new Failure(`a thread of the build cannot be started: ${error.message}`)
    : error;
}

/** Number of threads that can work beside this one. */
export function otherCores(): number {
  return Math.min(availableParallelism(), 8) - 1;
}

/** What a thread starts with. */
const threadFile = new URL(isCompiled ? 'worker-thread.js' : 'worker.mjs', import.meta.url);

/** The threads that share the jobs of a build with this one. They start at once, and load while this one still plans. */
export class WorkerPool {
  readonly #workers: readonly Worker[];
  readonly #failures: Promise<never>[];
  #isBegun = false;

  constructor(writerOptions: WriterOptions, threads: number) {
    this.#workers = Array.from(
      { length: threads },
      () =>
        new Worker(threadFile, {
          workerData: writerOptions,
          resourceLimits: { maxOldGenerationSizeMb: threadMegabytes, maxYoungGenerationSizeMb: 48 },
        }),
    );
    this.#failures = this.#workers.map(
      (worker) => new Promise((_, reject) => worker.once('error', (error) => reject(explainThread(error)))),
    );
    // A worker may fail before `run` awaits it. This handler keeps Node from ending the process; `run` still gets the
    // failure.
    for (const failure of this.#failures) failure.catch(() => undefined);
  }

  /**
   * Shares the jobs out, the longest first, so that all threads end at about the same time. Runs `own`, which only this
   * thread can do, and then takes jobs too. Everything made ends up in the writer. `isLast`: it is not called again.
   */
  async run(
    writer: DocumentWriter,
    jobs: readonly Job[],
    own: () => void,
    {
      isLast = true,
      onDone = () => undefined,
    }: { readonly isLast?: boolean; readonly onDone?: (job: Job) => void } = {},
  ): Promise<Finished[]> {
    const isShared = this.#workers.length > 0;
    const order = isShared ? jobs.toSorted((a, b) => weightOf(b) - weightOf(a)) : jobs;
    const begin = isShared && !this.#isBegun ? { previous: writer.previous?.share() ?? null } : {};
    this.#isBegun = true;
    const shared: Batch = { jobs: order, next: new Int32Array(new SharedArrayBuffer(4)), isLast, ...begin };
    const finished: Finished[] = [];
    const note = (job: Job, result: JobResult) => {
      finished.push({ job, result });
      onDone(job);
    };
    const ended = this.#workers.map((worker) => listen(worker, shared, writer, note));
    for (const worker of this.#workers) worker.postMessage(shared);
    try {
      own();
      for (let taken = takeJob(shared); taken; taken = takeJob(shared)) note(taken.job, runJob(writer, taken.job));
      await Promise.race([Promise.all(ended), ...this.#failures]);
    } finally {
      stopTaking(shared);
    }
    return finished;
  }

  async dismiss(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Resolves when a worker finds no job left; rejects when it could not do one. */
function listen(
  worker: Worker,
  { jobs }: SharedJobs,
  writer: DocumentWriter,
  note: (job: Job, result: JobResult) => void,
): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    const onReport = (report: Report) => {
      if ('failure' in report) {
        reject(report.explained ? new Failure(report.failure) : new Error(report.failure));
        return;
      }
      if (report.done === null) {
        worker.off('message', onReport);
        resolve();
        return;
      }
      const job = jobs[report.done];
      if (!job) throw new Error(`a worker finished unknown job ${report.done}`);
      writer.take(report);
      note(job, report.result);
    };
    worker.on('message', onReport);
    worker.once('exit', (code) => reject(new Error(`a worker ended with code ${code}`)));
  });
  ended.catch(() => undefined);
  return ended;
}

/** What a worker thread runs: takes jobs until there is none left, and reports each. */
export function workInThread(): void {
  const port = parentPort as MessagePort;
  const writerOptions = workerData as WriterOptions;
  const writer = new DocumentWriter(writerOptions);
  const end = () => {
    writer.close();
    port.close();
  };
  port.on('message', (shared: Batch) => {
    try {
      if (shared.previous) writer.previous = RouteTable.shared(writer.storage, shared.previous);
      for (let taken = takeJob(shared); taken; taken = takeJob(shared)) {
        const { index, job } = taken;
        const result = explainDatabase(writerOptions.database, () => runJob(writer, job));
        port.postMessage({ done: index, result, ...writer.handOver() } satisfies Report);
      }
      port.postMessage({ done: null } satisfies Report);
      if (shared.isLast) end();
    } catch (error) {
      stopTaking(shared);
      port.postMessage(reportOf(error));
      end();
    }
  });
}

function reportOf(error: unknown): Report {
  const failure = failureOf(error);
  if (failure) return { failure: failure.message, explained: true };
  return { failure: (error instanceof Error && error.stack) || String(error), explained: false };
}
