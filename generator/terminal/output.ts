import { styleText } from 'node:util';
import type { Command } from 'commander';
import { printable } from '../../contract/text.ts';
import { asFailure, Failure } from '../files/failure.ts';
import { ProgressMeter } from './progress-meter.ts';

/** Puts examples at the top of a command's help. They must work as printed. */
export function withExample(command: Command, ...examples: readonly string[]): void {
  const heading = examples.length === 1 ? 'Example' : 'Examples';
  command.description(`${command.summary()}\n\n${[`${heading}:`, ...examples].join('\n  ')}`);
}

/** `isQuiet` prints only results and errors; `isVerbose` adds stack traces to errors. */
type Verbosity = { readonly isQuiet: boolean; readonly isVerbose: boolean; readonly isJson: boolean };

type Style = 'red' | 'yellow' | 'cyan' | 'bold';

type Head = { readonly text: string; readonly style: Style };

type Row = { readonly title: string; readonly text: string; readonly style?: Style };

/** Milliseconds after which work counts as long and first logs its progress, and between two such lines. */
const firstLogMs = 15_000;
const logEveryMs = 30_000;

/** Results go to standard output, as lines or JSON. Errors, notices and progress go to standard error. */
export class Output {
  readonly #out: NodeJS.WriteStream;
  readonly #terminal: NodeJS.WriteStream;
  readonly #meter = new ProgressMeter();
  #verbosity: Verbosity = { isQuiet: false, isVerbose: false, isJson: false };
  #shown: string | null = null;
  /** A JSON result has already said `"ok": false`, so the failure needs no object of its own. */
  #hasPrintedFailure = false;
  #onError: ((text: string) => void) | null = null;
  #drawnAt = Number.NEGATIVE_INFINITY;
  /** The steps of a command share the log. */
  #log = { nextAt: performance.now() + firstLogMs };

  constructor(out: NodeJS.WriteStream = process.stdout, terminal: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
    this.#terminal = terminal;
  }

  /**
   * An output for one step of a command. The step's lines on standard error go to `onError`, its progress to this
   * output.
   */
  forStep(onError: (text: string) => void): Output {
    const step = new Output(this.#out, this.#terminal);
    step.#verbosity = this.#verbosity;
    step.#onError = onError;
    step.#log = this.#log;
    return step;
  }

  setVerbosity(verbosity: Verbosity): void {
    this.#verbosity = verbosity;
  }

  get isQuiet(): boolean {
    return this.#verbosity.isQuiet;
  }

  get isJson(): boolean {
    return this.#verbosity.isJson;
  }

  /** Escapes control characters and line breaks, as in errors and progress. */
  line(text: string): void {
    this.write(`${printable(text)}\n`);
  }

  /** Writes text to standard output unchanged. */
  write(text: string): void {
    this.clearProgress();
    this.#out.write(text);
  }

  json(value: object): void {
    this.write(`${JSON.stringify(value)}\n`);
    if ('ok' in value && value.ok === false) this.#hasPrintedFailure = true;
  }

  /** Prints a result: one object with `--json`, otherwise lines for people. */
  result(value: object, lines: readonly string[]): void {
    if (this.#verbosity.isJson) this.json(value);
    else for (const line of lines) this.line(line);
  }

  /** `done` and `total` count units of a stage. Without a terminal, long work prints a line now and then. */
  progress(stage: string, done = 0, total = 1): void {
    if (this.#verbosity.isQuiet) return;
    const text = printable(this.#meter.text(stage, done, total));
    const now = performance.now();
    if (!this.#terminal.isTTY) {
      if (now < this.#log.nextAt) return;
      this.#log.nextAt = now + logEveryMs;
      this.#terminal.write(`${text}\n`);
      return;
    }
    if (this.#shown?.startsWith(printable(stage)) && now - this.#drawnAt < 100 && done < total) return;
    this.#terminal.write(`\r\u001b[2K${text.slice(0, (this.#terminal.columns || 80) - 1)}`);
    this.#shown = text;
    this.#drawnAt = now;
  }

  clearProgress(): void {
    if (this.#shown !== null) this.#terminal.write('\r\u001b[2K');
    this.#shown = null;
  }

  notice(text: string): void {
    if (!this.#verbosity.isQuiet) this.error(text);
  }

  /** `head` comes before the text, styled where styles are shown. */
  error(text: string, head: Head | null = null): void {
    if (this.#onError !== null) this.#onError(head === null ? text : `${head.text} ${text}`);
    else this.writeError(`${head === null ? '' : `${this.style(head.text, head.style)} `}${printable(text)}\n`);
  }

  /** Writes text to standard error unchanged. */
  writeError(text: string): void {
    this.clearProgress();
    this.#terminal.write(text);
  }

  /**
   * Explains why a command failed: for people on standard error, and with `--json` as one object on standard output,
   * `{"ok": false, "error": {"code": …, "message": …}}`.
   */
  failure(failure: Failure, cause: unknown = failure): void {
    this.explain(failure);
    this.trace(cause);
    if (this.#verbosity.isJson && !this.#hasPrintedFailure)
      this.json({ ok: false, error: { code: failure.code, message: failure.message, ...failure.facts } });
  }

  trace(cause: unknown): void {
    if (this.#verbosity.isVerbose && cause instanceof Error) for (const line of stackLines(cause)) this.error(line);
  }

  /** `what` says what the failure ended, in front of its last line. */
  explain({ code, message, lines }: Failure, what = ''): void {
    for (const text of lines.slice(0, -1)) this.error(text);
    this.error(`${what}${lines.at(-1) ?? message} [${code}]`, { text: 'shelfpress:', style: 'red' });
    if (this.#terminal.isTTY) this.error(`shelfpress help ${code}: why, and what to do`);
  }

  /** With `--json`, reports a wrong command line. People have already read about it on standard error. */
  wrongUsage(message: string): void {
    if (this.#verbosity.isJson) this.json({ ok: false, error: { code: 'wrong_usage', message } });
  }

  /** Escaped text, styled where styles are shown. */
  style(text: string, style: Style): string {
    const shown = printable(text);
    return showsColours(this.#terminal) ? styleText(style, shown, { validateStream: false }) : shown;
  }

  /** Says where a server is: one line on standard output, or rows if that is a terminal. */
  served(line: string, rows: readonly Row[]): void {
    if (!this.#out.isTTY || !this.#terminal.isTTY) {
      for (const { title, text } of rows) if (title === 'Explorer') this.line(`${title}: ${text}`);
      this.line(line);
      return;
    }
    const texts = rows.map(({ title, text, style }) => {
      return `  ${this.style(title.padEnd(8), 'bold')} ${style ? this.style(text, style) : printable(text)}`;
    });
    for (const text of ['', ...texts, '']) this.write(`${text}\n`);
  }
}

/** A message with line breaks stays one line. */
function stackLines({ stack = '' }: Error): string[] {
  return stack.split(/\n(?= {4}at )/);
}

/** Colours are for terminals, unless NO_COLOR (no-color.org) or FORCE_COLOR says otherwise. */
function showsColours(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY === true && !NO_COLOR && stream.hasColors();
}

/** Ends a command with exit code 1: the answer is no, and there is nothing more to print. */
export class NegativeAnswer extends Error {
  override readonly name = 'NegativeAnswer';
}

/** Anything but a Failure is a bug, and says so. */
export function failureFrom(error: unknown): Failure {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return (
    asFailure(error) ??
    new Failure('program', `this is a bug in shelfpress; please report it with the output of --verbose: ${message}`)
  );
}
