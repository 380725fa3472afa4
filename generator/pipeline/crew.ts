import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PendingRoute } from '../representations/representation.ts';
import { Failure } from '../failure.ts';
import { type Job, type JobResult, runJob } from './jobs.ts';
import type { Assignment, Workshop } from './workshop.ts';

/** What a worker thread reports: a finished job with what it made, or why it could not. */
export type Report =
  | { readonly done: number; readonly result: JobResult; readonly routes: PendingRoute[]; readonly written: number; readonly bytes: number }
  | { readonly failure: string; readonly explained: boolean };

export type WorkerData = { readonly assignment: Assignment; readonly jobs: readonly Job[]; readonly next: Int32Array };

/** Starting a thread costs more than this many documents. */
const worthThreads = 3_000;

export type Finished = { readonly job: Job; readonly result: JobResult };

/**
 * Does the jobs of a build: in this thread when there is little to do, else in one thread a core, each of which takes
 * the next job as it is free. `meanwhile` is done in this thread. Everything made ends up in the workshop.
 */
export async function doJobs(
  workshop: Workshop,
  assignment: Assignment,
  jobs: readonly Job[],
  weight: number,
  meanwhile: () => void,
  onDone: (finished: number) => void,
): Promise<Finished[]> {
  if (weight < worthThreads) {
    meanwhile();
    return jobs.map((job, index) => {
      const result = runJob(workshop, job);
      onDone(index + 1);
      return { job, result };
    });
  }
  const next = new Int32Array(new SharedArrayBuffer(4));
  const finished: Finished[] = [];
  const workers = Array.from({ length: Math.min(availableParallelism(), 8) }, () =>
    startWorker({ assignment, jobs, next }, (report) => {
      const job = jobs[report.done];
      if (!job) throw new Error(`worker finished unknown job ${report.done}`);
      for (const route of report.routes) workshop.made.routes.push(route);
      workshop.made.written += report.written;
      workshop.made.bytes += report.bytes;
      finished.push({ job, result: report.result });
      onDone(finished.length);
    }),
  );
  try {
    meanwhile();
    await Promise.all(workers.map(({ ended }) => ended));
  } finally {
    await Promise.all(workers.map(({ worker }) => worker.terminate()));
  }
  return finished;
}

function startWorker(data: WorkerData, onDone: (report: Extract<Report, { done: number }>) => void) {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: 160 },
  });
  const ended = new Promise<void>((resolve, reject) => {
    worker.on('message', (report: Report) => {
      if ('done' in report) onDone(report);
      else reject(report.explained ? new Failure(report.failure) : new Error(report.failure));
    });
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with code ${code}`))));
  });
  // What is said to it before somebody listens is an answer all the same.
  ended.catch(() => undefined);
  return { worker, ended };
}
