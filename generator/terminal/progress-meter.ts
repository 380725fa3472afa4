import { countText } from '../files/failure.ts';
import { durationText } from './texts.ts';

type Mark = { readonly at: number; readonly done: number };

/** The rate is measured over this time, so that it reflects the current speed. */
const windowMs = 5000;

/** Makes a progress line: stage, share done, rate over the last seconds, and time left at this rate. */
export class ProgressMeter {
  readonly #now: () => number;
  #stage = '';
  #marks: Mark[] = [];

  /** `now`: a clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A `total` of 1 or less is not worth counting. */
  text(stage: string, done: number, total: number): string {
    const at = this.#now();
    if (stage !== this.#stage) this.#marks = [];
    this.#stage = stage;
    this.#marks.push({ at, done });
    while (this.#marks.length > 2 && at - (this.#marks[1] as Mark).at >= windowMs) this.#marks.shift();
    if (total <= 1) return stage;
    const share = Math.floor((100 * done) / total);
    const counts = `${stage}: ${share} % (${countText(done)} of ${countText(total)})`;
    const rate = this.#rate();
    if (rate === null || done >= total) return counts;
    return `${counts}, ${rateText(rate)}, ${durationText((total - done) / rate)} left`;
  }

  /** Units per second. Null in the first seconds of a stage, which say little. */
  #rate(): number | null {
    const first = this.#marks.at(0);
    const last = this.#marks.at(-1);
    if (!first || !last || last.at - first.at < 3000 || last.done <= first.done) return null;
    return ((last.done - first.done) * 1000) / (last.at - first.at);
  }
}

/** Two significant digits: `3,400/s`, `0.25/s`. */
function rateText(rate: number): string {
  const rounded = Number(rate.toPrecision(2));
  return `${rounded >= 10 ? countText(rounded) : rounded}/s`;
}
