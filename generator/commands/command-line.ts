import { type Command, InvalidArgumentError } from 'commander';
import { Failure } from '../failure.ts';
import { siteRoot } from '../remote/site-url.ts';

/** Every command's help ends with an example that works as it stands. */
export function withExample(command: Command, example: string): void {
  command.addHelpText('after', `\nExample:\n  ${example}`);
}

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

/** The URL of a site as an argument: one that is none is wrong usage. Gives the public root. */
export function parseSiteUrl(text: string): string {
  try {
    return siteRoot(text);
  } catch (error) {
    if (error instanceof Failure) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/** The URL of a site, or else a folder as it stands. */
export function parseSiteOrFolder(text: string): string {
  return isSiteUrl(text) ? parseSiteUrl(text) : text;
}

export function isSiteUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
