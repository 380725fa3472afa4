import { setImmediate as otherWork } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Route } from '../../contract/schemas/site-files.ts';
import { explainDatabase } from '../database/connection.ts';
import { asFailure, Failure, type FailureCode } from '../files/failure.ts';
import { DocumentWriter, type Made, type PreviousRoute, type WriterOptions } from './document-writer.ts';
import { type Contents, type Kind, kindsIn, type Stages, type Unit } from './kind.ts';

/** A unit to make, and the routes that it wrote in the last build. */
export type Task = { readonly unit: Unit; readonly kind: string; readonly previous: readonly Route[] };

/** A task as another thread gets it, which does not need the inputs. */
type SharedTask = Pick<Task, 'kind'> & Pick<Unit, 'facts'> & { readonly previous: readonly PreviousRoute[] };

/** The report of a worker thread: what a batch wrote, that no batch is left, or why a unit failed. */
type Report =
  | { readonly done: number; readonly made: readonly Made[] }
  | { readonly done: null }
  | { readonly failed: { readonly code: FailureCode | null; readonly message: string } };

/**
 * The batches that all threads share. There are `count`, and `next` is the index of the first one that no thread has
 * taken. Batches are serialized for the other threads, so that a thread has in its memory only the batch that it is
 * making.
 */
type SharedBatches = {
  readonly serialized: readonly SharedArrayBuffer[];
  readonly count: number;
  readonly next: Int32Array;
};

/** The least weight of a batch, in documents. A thread reports after each batch. */
const batchWeight = 1_000;

/** Puts tasks in batches, the heaviest first, so that all threads end at about the same time. */
function inBatches(tasks: readonly Task[]): Task[][] {
  const batches: { weight: number; tasks: Task[] }[] = [];
  for (const task of tasks) {
    const last = batches.at(-1);
    if (last && last.weight < batchWeight) {
      last.tasks.push(task);
      last.weight += task.unit.weight;
    } else batches.push({ weight: task.unit.weight, tasks: [task] });
  }
  return batches.sort((a, b) => b.weight - a.weight).map(({ tasks }) => tasks);
}

function sharedTask({ kind, unit: { facts }, previous }: Task): SharedTask {
  return { kind, facts, previous: previous.map(({ path, cache, sha256, size }) => ({ path, cache, sha256, size })) };
}

function serializeBatch(batch: readonly Task[]): SharedArrayBuffer {
  const bytes = serialize(batch.map(sharedTask));
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

function deserializeBatch(batch: SharedArrayBuffer): readonly SharedTask[] {
  // The bytes are copied, because `deserialize` cannot read memory that another thread could change.
  return deserialize(Uint8Array.from(new Uint8Array(batch)));
}

/** Takes and makes batches until none is left. Yields the index of each, and what its units wrote. */
function* makeBatches(
  { count, next }: SharedBatches,
  batchAt: (index: number) => readonly SharedTask[],
  writer: DocumentWriter,
  kinds: Readonly<Record<string, Kind>>,
): Generator<readonly [index: number, made: readonly Made[]]> {
  for (let index = Atomics.add(next, 0, 1); index < count; index = Atomics.add(next, 0, 1)) {
    const made = batchAt(index).map(({ kind, facts, previous }) =>
      writer.record(previous, () => kinds[kind]?.makeShared?.(writer, facts)),
    );
    yield [index, made];
  }
}

/** Stops all threads from taking more batches. They still finish the ones they have taken. */
function stopTaking({ count, next }: SharedBatches): void {
  Atomics.store(next, 0, count);
}

/** The most memory of a thread, in MB: each holds all products and stores. */
function megabytesFor(products: number): number {
  return 256 + Math.ceil(products / 50);
}

/** Turns a lack of memory or of threads into a Failure. Other errors stay as they are. */
function explainThread(error: Error & { readonly code?: string }, megabytes: number): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new Failure('too_large', `a thread of the build needs more than its limit of ${megabytes} MB of memory`);
  }
  return error.code === 'ERR_WORKER_INIT_FAILED'
    ? new Failure('program', `cannot start a thread of the build: ${error.message}`)
    : error;
}

/** The threads that help this one with a build. They start at once, and load while this thread is still planning. */
export class WorkerPool {
  readonly #kinds: Readonly<Record<string, Kind>>;
  readonly #workers: readonly Worker[];
  readonly #failures: Promise<never>[];

  /** `products`: how many the publication has. */
  constructor(writerOptions: WriterOptions, { stages, threadFile }: Contents, threads: number, products: number) {
    this.#kinds = kindsIn(stages);
    const megabytes = megabytesFor(products);
    this.#workers = Array.from(
      { length: threads },
      () =>
        new Worker(threadFile, {
          workerData: writerOptions,
          resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 48 },
        }),
    );
    this.#failures = this.#workers.map(
      (worker) => new Promise((_, reject) => worker.once('error', (error) => reject(explainThread(error, megabytes)))),
    );
    // A worker may fail before `run` awaits it. This handler keeps Node from ending the process. `run` still sees the
    // failure.
    for (const failure of this.#failures) failure.catch(() => undefined);
  }

  /**
   * Shares out the tasks. This thread runs `makeHere`, which no other thread can do, and then takes batches too.
   * `onMade` gets what each unit wrote. Between batches this thread yields to other work, such as signals.
   */
  async run(
    writer: DocumentWriter,
    tasks: readonly Task[],
    makeHere: () => Promise<void> | void,
    onMade: (task: Task, made: Made) => void,
  ): Promise<void> {
    const order = inBatches(tasks);
    const serialized = this.#workers.length > 0 ? order.map(serializeBatch) : [];
    const next = new Int32Array(new SharedArrayBuffer(4));
    const shared: SharedBatches = { serialized, count: order.length, next };
    const ownBatch = (index: number) => (order[index] as readonly Task[]).map(sharedTask);
    const note = (index: number, made: readonly Made[]) => {
      for (const [place, one] of made.entries()) onMade(order[index]?.[place] as Task, one);
    };
    const ended = this.#workers.map((worker) => listen(worker, note));
    for (const worker of this.#workers) worker.postMessage(shared);
    try {
      await makeHere();
      for (const [index, made] of makeBatches(shared, ownBatch, writer, this.#kinds)) {
        note(index, made);
        await otherWork();
      }
      await Promise.race([Promise.all(ended), ...this.#failures]);
    } finally {
      stopTaking(shared);
    }
  }

  async dismiss(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Resolves when a worker finds no batch left; rejects when a unit fails. */
function listen(worker: Worker, note: (index: number, made: readonly Made[]) => void): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    const onReport = (report: Report) => {
      if ('failed' in report) {
        const { code, message } = report.failed;
        reject(code === null ? new Error(message) : new Failure(code, message));
      } else if (report.done === null) {
        worker.off('message', onReport);
        resolve();
      } else note(report.done, report.made);
    };
    worker.on('message', onReport);
    worker.once('exit', (code) => reject(new Error(`a worker ended with code ${code}`)));
  });
  ended.catch(() => undefined);
  return ended;
}

/** The program of a worker thread: makes batches until none is left, and reports each. */
export function workInThread(stages: Stages): void {
  const kinds = kindsIn(stages);
  const port = parentPort as MessagePort;
  const writerOptions = workerData as WriterOptions;
  const writer = new DocumentWriter(writerOptions);
  port.on('message', (shared: SharedBatches) => {
    try {
      explainDatabase(writerOptions.database, () => {
        const batchAt = (index: number) => deserializeBatch(shared.serialized[index] as SharedArrayBuffer);
        for (const [done, made] of makeBatches(shared, batchAt, writer, kinds))
          port.postMessage({ done, made } satisfies Report);
      });
      port.postMessage({ done: null } satisfies Report);
    } catch (error) {
      stopTaking(shared);
      port.postMessage(failureReport(error));
      writer.close();
      port.close();
    }
  });
}

function failureReport(error: unknown): Report {
  const failure = asFailure(error);
  if (failure) return { failed: { code: failure.code, message: failure.message } };
  return { failed: { code: null, message: (error instanceof Error && error.stack) || String(error) } };
}
