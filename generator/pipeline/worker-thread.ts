import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../failure.ts';
import type { Report, WorkerData } from './crew.ts';
import { runJob } from './jobs.ts';
import { Workshop } from './workshop.ts';

/** Takes jobs until there is none left, and reports each. */
function work({ assignment, jobs, next }: WorkerData, report: (report: Report) => void): void {
  const workshop = new Workshop(assignment);
  try {
    for (let index = Atomics.add(next, 0, 1); index < jobs.length; index = Atomics.add(next, 0, 1)) {
      const job = jobs[index];
      if (!job) return;
      const result = runJob(workshop, job);
      const { routes, written, bytes } = workshop.made;
      report({ done: index, result, routes: routes.splice(0), written, bytes });
      workshop.made.written = 0;
      workshop.made.bytes = 0;
    }
  } catch (error) {
    const explained = error instanceof Failure;
    const failure = error instanceof Error ? (explained ? error.message : (error.stack ?? error.message)) : String(error);
    report({ failure, explained });
  } finally {
    workshop.close();
  }
}

work(workerData as WorkerData, (report) => parentPort?.postMessage(report));
