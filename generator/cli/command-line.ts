import { styleText } from 'node:util';
import type { Command } from 'commander';
import { printable } from '../../contract/text.ts';
import { asFailure, countOf, countText, Failure } from '../files/failure.ts';
import type { SettingsFile } from './settings-file.ts';

/** Puts examples at the top of a command's help. They must work as printed. */
export function withExample(command: Command, ...examples: readonly string[]): void {
  const heading = examples.length === 1 ? 'Example' : 'Examples';
  command.description(`${command.summary()}\n\n${[`${heading}:`, ...examples].join('\n  ')}`);
}

/** All commands, for those that use others. */
export type OtherCommands = {
  /** What each command does, by its name. */
  readonly summaries: Readonly<Record<string, string>>;
  /** Gives a command the options and arguments of the command of that name. */
  readonly define: (name: string, command: Command, output: Output) => Promise<void>;
  /** Runs a command line and resolves to its exit code. */
  readonly run: (args: readonly string[], output: Output) => Promise<number>;
  /** A command with the options and arguments that the settings give it. Throws a Failure for a wrong setting. */
  readonly configured: (name: string, from: SettingsFile, output: Output) => Promise<Command>;
};

/** How much a command prints: `isQuiet` prints only results and errors, `isVerbose` adds stack traces to errors. */
type Voice = { readonly isQuiet: boolean; readonly isVerbose: boolean; readonly isJson: boolean };

type Style = 'red' | 'yellow' | 'cyan' | 'bold';

type Head = { readonly text: string; readonly style: Style };

/** A row with a title. `style` is the style of its text. */
type Row = { readonly title: string; readonly text: string; readonly style?: Style };

/** When work counts as long in a log, and how often it says how far it is, in milliseconds. */
const firstLogMs = 15_000;
const logEveryMs = 30_000;

/**
 * The output of commands. Results go to standard output, as plain lines or as JSON. Errors, notices and the progress
 * line go to standard error.
 */
export class Output {
  readonly #out: NodeJS.WriteStream;
  readonly #terminal: NodeJS.WriteStream;
  readonly #meter = new ProgressMeter();
  #voice: Voice = { isQuiet: false, isVerbose: false, isJson: false };
  #shown: string | null = null;
  /** Whether a JSON result has already said `"ok": false`, so that the failure needs no object of its own. */
  #hasSaidNo = false;
  #onError: ((text: string) => void) | null = null;
  #drawnAt = Number.NEGATIVE_INFINITY;
  /** When progress may be logged. The steps of a command share it. */
  #log = { nextAt: performance.now() + firstLogMs };

  constructor(out: NodeJS.WriteStream = process.stdout, terminal: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
    this.#terminal = terminal;
  }

  /** An output for one step of a command: its lines on standard error go to `onError`, its progress to this output. */
  forStep(onError: (text: string) => void): Output {
    const step = new Output(this.#out, this.#terminal);
    step.#voice = this.#voice;
    step.#onError = onError;
    step.#log = this.#log;
    return step;
  }

  /** Obeys the options that every command has. */
  speakAs(voice: Voice): void {
    this.#voice = voice;
  }

  get isQuiet(): boolean {
    return this.#voice.isQuiet;
  }

  get isJson(): boolean {
    return this.#voice.isJson;
  }

  /** Prints one line. Control characters and line breaks in it are escaped, as in errors and progress. */
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
    if ('ok' in value && value.ok === false) this.#hasSaidNo = true;
  }

  /** Prints what a command has done: one object with `--json`, otherwise lines for people. */
  result(value: object, lines: readonly string[]): void {
    if (this.#voice.isJson) this.json(value);
    else for (const line of lines) this.line(line);
  }

  /**
   * Replaces the progress line: the stage of the work, and how many of its `total` units are done. If standard error is
   * not a terminal, long work prints a line now and then.
   */
  progress(stage: string, done = 0, total = 1): void {
    if (this.#voice.isQuiet) return;
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

  /** Prints a notice on standard error. */
  notice(text: string): void {
    if (!this.#voice.isQuiet) this.error(text);
  }

  /** Prints one line on standard error. `head` comes before the text, styled where styles are shown. */
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
    if (this.#voice.isJson && !this.#hasSaidNo)
      this.json({ ok: false, error: { code: failure.code, message: failure.message, ...failure.facts } });
  }

  /** With `--verbose`, prints where an error comes from. */
  trace(cause: unknown): void {
    if (this.#voice.isVerbose && cause instanceof Error) for (const line of stackLines(cause)) this.error(line);
  }

  /** Explains a failure on standard error. `what` says what it ended, in front of its last line. */
  explain({ code, message, lines }: Failure, what = ''): void {
    for (const text of lines.slice(0, -1)) this.error(text);
    this.error(`${what}${lines.at(-1) ?? message} [${code}]`, { text: 'shelfpress:', style: 'red' });
    if (this.#terminal.isTTY) this.error(`shelfpress help ${code}: why, and what to do`);
  }

  /** With `--json`, reports a wrong command line. People have already read about it on standard error. */
  wrongUsage(message: string): void {
    if (this.#voice.isJson) this.json({ ok: false, error: { code: 'wrong_usage', message } });
  }

  /** Escaped text, styled where styles are shown. */
  style(text: string, style: Style): string {
    const shown = printable(text);
    return showsColours(this.#terminal) ? styleText(style, shown, { validateStream: false }) : shown;
  }

  /** Says where a server is: one line on standard output, or rows for a person if that is a terminal. */
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

/** The lines of a stack trace. A message with line breaks stays one line. */
function stackLines({ stack = '' }: Error): string[] {
  return stack.split(/\n(?= {4}at )/);
}

/** Colours are for terminals, unless NO_COLOR (no-color.org) or FORCE_COLOR says otherwise. */
function showsColours(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY === true && !NO_COLOR && stream.hasColors();
}

/**
 * Ends a command with exit code 1 after it has printed its whole answer, which is no. There is nothing left to explain.
 */
export class NegativeAnswer extends Error {
  override readonly name = 'NegativeAnswer';
}

/** An error as a Failure: one that nobody foresaw is a bug, and says so. */
export function failureFrom(error: unknown): Failure {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return (
    asFailure(error) ??
    new Failure('program', `this is a bug in shelfpress; please report it with the output of --verbose: ${message}`)
  );
}

/** Starts a stopwatch. The returned function gives the seconds since then, to hundredths. */
export function stopwatch(): () => number {
  const started = performance.now();
  return () => Number(((performance.now() - started) / 1000).toFixed(2));
}

/** How commands name a publication in their output. */
export function publicationText({ sequence, revision, published_at }: Named): string {
  return `publication ${sequence}, revision ${revision}, published ${published_at}`;
}

type Named = { readonly sequence: number; readonly revision: string; readonly published_at: string };

type Mark = { readonly at: number; readonly done: number };

/** The rate is measured over this time, so that it reflects the current speed. */
const windowMs = 5000;

/**
 * Turns counts of work into the text of a progress line: the stage, the share done, the rate over the last
 * seconds, and the time left at this rate.
 */
export class ProgressMeter {
  readonly #now: () => number;
  #stage = '';
  #marks: Mark[] = [];

  /** `now`: a clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes note that `done` of `total` units of a stage are done. A total of 1 or less is not worth counting. */
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

/** A rate with two significant digits: `3,400/s`, `0.25/s`. */
function rateText(rate: number): string {
  const rounded = Number(rate.toPrecision(2));
  return `${rounded >= 10 ? countText(rounded) : rounded}/s`;
}

/** A column of a table for people: its title, and its text in a row. Numbers are right-aligned. */
type TableColumn<Row> = readonly [title: string, text: (row: Row) => string, align?: 'right'];

/** The lines of a table, with two spaces between columns. The first line has the titles. No line ends in a space. */
export function tableLines<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): string[] {
  const padded = columns.map(([title, text, align]) => {
    const cells = [title, ...rows.map(text)];
    const width = Math.max(...cells.map(({ length }) => length));
    return cells.map((cell) => (align === 'right' ? cell.padStart(width) : cell.padEnd(width)));
  });
  return [...rows.keys(), rows.length].map((at) =>
    padded
      .map((cells) => cells[at])
      .join('  ')
      .trimEnd(),
  );
}

const byteUnits = ['kB', 'MB', 'GB', 'TB', 'PB'];

/** A size with at most three digits, in powers of 1000: `812 bytes`, `7.5 kB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte');
  let value = bytes;
  let unit = '';
  for (const next of byteUnits) {
    if (Number(value.toPrecision(3)) < 1000) break;
    value /= 1000;
    unit = next;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** A duration: `0.4 s`, `24 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** An age, as exact as a person needs it: `40 s`, `12 min`, `26 h 10 min`, `4 days 3 h`, `90 days`. */
export function ageText(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 72) return `${hours} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
  const days = countOf(Math.floor(hours / 24), 'day');
  return hours % 24 === 0 || hours >= 30 * 24 ? days : `${days} ${hours % 24} h`;
}
