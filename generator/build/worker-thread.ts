import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { explainDatabase } from '../database/explain-database.ts';
import { failureOf } from '../failure.ts';
import { type Assignment, Workshop } from './document-writer.ts';
import { runJob } from './jobs.ts';
import { type Report, type SharedJobs, stopTaking, takeJob } from './worker-pool.ts';

/** Takes jobs until there is none left, and reports each. */
function work(workshop: Workshop, shared: SharedJobs, report: (report: Report) => void): void {
  try {
    for (let taken = takeJob(shared); taken; taken = takeJob(shared)) {
      const { job } = taken;
      const result = explainDatabase(database, () => runJob(workshop, job));
      report({ done: taken.index, result, ...workshop.handOver() });
    }
  } catch (error) {
    stopTaking(shared);
    const failure = failureOf(error);
    if (failure) report({ failure: failure.message, explained: true });
    else report({ failure: (error instanceof Error && error.stack) || String(error), explained: false });
  }
}

const port = parentPort as MessagePort;
// What a thread makes beside the first one has no variants.
const assignment = workerData as Assignment;
const { database } = assignment;
const workshop = new Workshop(assignment, new Map());
port.once('message', (shared: SharedJobs) => {
  work(workshop, shared, (report) => port.postMessage(report));
  workshop.close();
  port.close();
});
