/** Where commands speak: plain lines or JSON on standard output, progress on a terminal only. */
export class Output {
  readonly #out: NodeJS.WriteStream;
  readonly #terminal: NodeJS.WriteStream;
  #shown = false;

  constructor(out = process.stdout, terminal = process.stderr) {
    this.#out = out;
    this.#terminal = terminal;
  }

  line(text: string): void {
    this.#out.write(`${text}\n`);
  }

  json(value: unknown): void {
    this.line(JSON.stringify(value));
  }

  /** Replaces the progress line; shows nothing where standard error is not a terminal. */
  progress(text: string): void {
    if (!this.#terminal.isTTY) return;
    this.#terminal.write(`\r\u001b[2K${text.slice(0, (this.#terminal.columns ?? 80) - 1)}`);
    this.#shown = true;
  }

  clearProgress(): void {
    if (this.#shown) this.#terminal.write('\r\u001b[2K');
    this.#shown = false;
  }

  error(text: string): void {
    this.clearProgress();
    this.#terminal.write(`${text}\n`);
  }
}
