import { isUtf8 } from 'node:buffer';
import { cut } from './problem.ts';
import { fileError, readBytes } from './snapshot-bytes.ts';
import { bytesText, countText, limits } from './snapshot-limits.ts';

/** One line without its end. Where `fault` is set it is not text that can be parsed, and `text` is for a reader only. */
export type TextLine = { line: number; text: string; fault: { expected: string; got: string } | null };

const newline = 0x0a;
const byteOrderMark = '\uFEFF';
const keptOfLongLine = 1024;

/**
 * The lines of a file that are not blank, in batches, so that a line costs no turn of the event loop. Throws a
 * SnapshotError when there are more than `atMost`, blank ones included.
 */
export async function* readLines(path: string, atMost: number): AsyncGenerator<TextLine[]> {
  const splitter = new LineSplitter();
  const requireFewer = () => {
    if (splitter.lines <= atMost) return;
    throw fileError(path, `at most ${countText(atMost)} lines`, 'more');
  };
  for await (const chunk of readBytes(path)) {
    yield splitter.push(chunk);
    requireFewer();
  }
  yield splitter.end();
  requireFewer();
}

/** Cuts chunks into lines; holds no more than the unfinished line, and of one that is too long only its beginning. */
class LineSplitter {
  #line = 0;
  #held: Buffer[] = [];
  #length = 0;

  /** Lines that were taken, blank ones included. */
  get lines(): number {
    return this.#line;
  }

  push(chunk: Buffer): TextLine[] {
    const lines: TextLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#take(lines);
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    return lines;
  }

  end(): TextLine[] {
    const lines: TextLine[] = [];
    if (this.#length > 0) this.#take(lines);
    return lines;
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const fitted = this.#length <= limits.lineBytes;
    this.#length += bytes.length;
    if (!fitted) return;
    this.#held.push(bytes);
    if (this.#length > limits.lineBytes) this.#held = [Buffer.concat(this.#held, keptOfLongLine)];
  }

  #take(lines: TextLine[]): void {
    if (this.#length === 0) {
      this.#line += 1;
      return;
    }
    const [only] = this.#held;
    const bytes = only !== undefined && this.#held.length === 1 ? only : Buffer.concat(this.#held);
    this.#line += 1;
    const line = textLine(this.#line, bytes, this.#length);
    this.#held = [];
    this.#length = 0;
    if (line.fault !== null || !/^[ \t]*$/.test(line.text)) lines.push(line);
  }
}

function textLine(line: number, bytes: Buffer, length: number): TextLine {
  const decoded = bytes.toString('utf8');
  if (length > limits.lineBytes) {
    return {
      line,
      text: `${decoded}…`,
      fault: { expected: `a line of at most ${bytesText(limits.lineBytes)}`, got: `${length} bytes` },
    };
  }
  const unmarked = line === 1 && decoded.startsWith(byteOrderMark) ? decoded.slice(1) : decoded;
  const text = unmarked.endsWith('\r') ? unmarked.slice(0, -1) : unmarked;
  return { line, text, fault: isUtf8(bytes) ? null : { expected: 'valid UTF-8', got: aroundInvalidBytes(text) } };
}

/** Decoding puts U+FFFD where bytes are no UTF-8. */
export function aroundInvalidBytes(decoded: string): string {
  const place = decoded.indexOf('\uFFFD');
  return cut(decoded.slice(Math.max(0, place - 20), place + 20));
}
