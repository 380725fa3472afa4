import type { Work } from './work.ts';

/** Decides when questions that take more than a lookup are answered. Kept by the host, which knows its runtime. */
export interface Scheduler {
  /** Runs a client's computation in its turn. Rejects with a {@link BusyError} when too many wait already. */
  run<Result>(client: string, compute: (work: Work) => Promise<Result>): Promise<Result>;
}

/** Too many questions wait, all together or of this client. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  /** Seconds until it is worth asking again. */
  readonly retryAfter = 1;
}
