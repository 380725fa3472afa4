import { destination } from 'pino';

/** Lines are written together: so many, or those of so long. Writing each by itself would cost more than answering. */
const linesTogether = 256;
const flushEveryMs = 200;

/** Should nobody read the log, what does not fit is dropped and not kept in memory. */
const keptBytes = 8 * 1024 * 1024;

const flushWithinMs = 1000;

/** Where a log goes: a file descriptor, written to without waiting. What is still held is written at the process' exit. */
export class LineBuffer {
  readonly #destination: ReturnType<typeof destination>;
  #lines: string[] = [];

  constructor(fd: number) {
    // With a least length of 0 it would not tell when all is written.
    this.#destination = destination({ fd, sync: false, minLength: 1, maxLength: keptBytes });
    setInterval(() => this.#hand(), flushEveryMs).unref();
    process.once('exit', () => {
      this.#hand();
      this.#destination.flushSync();
    });
  }

  write(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= linesTogether) this.#hand();
  }

  /** Resolves when every line is written, or is not within a second: a log that nobody reads holds nothing up. */
  flush(): Promise<void> {
    this.#hand();
    return new Promise((resolve) => {
      setTimeout(resolve, flushWithinMs).unref();
      this.#destination.flush(() => resolve());
    });
  }

  #hand(): void {
    if (this.#lines.length === 0) return;
    const lines = this.#lines;
    this.#lines = [];
    this.#destination.write(lines.join(''));
  }
}
