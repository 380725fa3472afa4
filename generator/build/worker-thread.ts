import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { explainDatabase } from '../database/explain-database.ts';
import { failureOf } from '../failure.ts';
import { DocumentWriter, type WriterOptions } from './document-writer.ts';
import { runJob } from './jobs.ts';
import { type Report, type SharedJobs, stopTaking, takeJob } from './worker-pool.ts';

/** Takes jobs until there is none left, and reports each. */
function work(writer: DocumentWriter, shared: SharedJobs, report: (report: Report) => void): void {
  try {
    for (let taken = takeJob(shared); taken; taken = takeJob(shared)) {
      const { job } = taken;
      const result = explainDatabase(database, () => runJob(writer, job));
      report({ done: taken.index, result, ...writer.handOver() });
    }
  } catch (error) {
    stopTaking(shared);
    const failure = failureOf(error);
    if (failure) report({ failure: failure.message, explained: true });
    else report({ failure: (error instanceof Error && error.stack) || String(error), explained: false });
  }
}

const port = parentPort as MessagePort;
// Jobs make no documents with variants, so this writer needs no previous routes.
const writerOptions = workerData as WriterOptions;
const { database } = writerOptions;
const writer = new DocumentWriter(writerOptions, new Map());
port.once('message', (shared: SharedJobs) => {
  work(writer, shared, (report) => port.postMessage(report));
  writer.close();
  port.close();
});
