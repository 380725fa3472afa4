import { type Command, InvalidArgumentError } from 'commander';
import { Failure } from '../failure.ts';
import { siteRoot } from '../remote/site-url.ts';

/** Ends the help of a command with an example, which must work as printed. */
export function withExample(command: Command, example: string): void {
  command.addHelpText('after', `\nExample:\n  ${example}`);
}

/** The output of commands: plain lines or JSON on standard output, progress on a terminal only. */
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

  /** Replaces the progress line. Shows nothing when standard error is not a terminal. */
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

/** Parses the URL of a site. Returns its public root. Any other text is wrong usage. */
export function parseSiteUrl(text: string): string {
  try {
    return siteRoot(text);
  } catch (error) {
    if (error instanceof Failure) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/** Parses the URL of a site. Returns any other text unchanged, as a folder. */
export function parseSiteOrFolder(text: string): string {
  return isSiteUrl(text) ? parseSiteUrl(text) : text;
}

export function isSiteUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
