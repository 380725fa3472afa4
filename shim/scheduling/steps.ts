import type { Work } from './work.ts';

/** A computation in steps: yields the units of each when it is done, and returns the result. */
export type Steps<Result> = Generator<number, Result>;

/** Takes the steps, and lets others through between them. */
export async function inSteps<Result>(steps: Steps<Result>, work: Work): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    // Most steps are small, and waiting for nothing would cost more than they do.
    const turn = work.spend(step.value);
    if (turn) await turn;
  }
}

/** Takes all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
