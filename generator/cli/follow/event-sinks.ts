import {
  closeSync,
  constants,
  createWriteStream,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { syncFolder } from '../../files/durable-files.ts';
import { explainFile, Failure } from '../../files/failure.ts';
import { beginning, explainWrite, isBeginning, type Position, positionInLine, WriteFailure } from './position.ts';

/** A place for events. `write` resolves when the reader, or the disk, has the events. */
export interface EventSink {
  /** The position up to which events were written before, as far as the sink can tell. */
  readonly reached: Position;
  write(lines: string): Promise<void>;
  close(): void;
}

/** A pipe or terminal does not tell what was written before. A null `file` is standard output, which stays open. */
export function streamSink(file: string | null): EventSink {
  const isStandard = file === null || isStandardOutput(file);
  const stream = isStandard ? process.stdout : openStream(file);
  return {
    reached: beginning,
    write: (lines) =>
      new Promise((resolve, reject) => {
        const fail = ({ message }: Error) =>
          reject(new WriteFailure('follow_position', `${isStandard ? 'standard output' : file}: ${message}`));
        stream.once('error', fail);
        stream.write(lines, (error) => {
          if (error) return;
          stream.removeListener('error', fail);
          resolve();
        });
      }),
    close: () => {
      if (stream !== process.stdout) stream.destroy();
    },
  };
}

/** Opening a FIFO without a reader would block forever and ignore signals, so it is a Failure. */
function openStream(file: string): Writable {
  if (!statSync(file).isFIFO()) {
    const fd = explainFile(file, 'a stream that can be written', () => openSync(file, 'w'));
    return createWriteStream('', { fd });
  }
  const flags = constants.O_WRONLY | constants.O_NONBLOCK;
  const fd = explainFile(file, 'a FIFO with a reader', () => openSync(file, flags));
  return new Socket({ fd, readable: false, writable: true });
}

function isStandardOutput(file: string): boolean {
  const [named, standard] = [statSync(file), fstatSync(1)];
  return named.dev === standard.dev && named.ino === standard.ino && named.rdev === standard.rdev;
}

const lineFeed = 0x0a;
const firstLook = 64 * 1024;

/** A line is one event from a page, so it is never longer than the longest page. */
const longestLine = 16 * 1024 * 1024;

/**
 * A file that grows. Its last line tells what was written, so a run that is killed between writing events and saving
 * the position repeats no event. The file does not change before the first write, which also removes a line that a kill
 * cut short. Throws a Failure if this module did not write the end of the file.
 */
export function fileSink(file: string): EventSink {
  const { size: before, unfinished, line } = explainFile(file, 'a file to append to', () => readEnd(file));
  const reached = line === null ? beginning : (positionInLine(line) ?? refuse(file, line));
  if (unfinished === null || !isBeginning(unfinished.toString('latin1'))) refuse(file, unfinished?.toString());
  const wholeLines = before - unfinished.length;
  let size = before;
  let descriptor: number | null = null;

  /** A lock keeps other runs away. The size shows whether another program has written to the file. */
  function open(): number {
    const isFirst = descriptor === null;
    descriptor ??= openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o666);
    const { size: found } = fstatSync(descriptor);
    if (found !== size) {
      throw new WriteFailure(
        'follow_position',
        `${file}: expected ${size} bytes, as this run left it, got ${found}: another program is writing to it`,
      );
    }
    if (isFirst && size > wholeLines) {
      ftruncateSync(descriptor, wholeLines);
      size = wholeLines;
    }
    return descriptor;
  }

  return {
    reached,
    async write(lines) {
      const bytes = Buffer.from(lines);
      explainWrite(file, () => {
        const opened = open();
        writeFileSync(opened, bytes);
        fsyncSync(opened);
        if (size === 0) syncFolder(dirname(file));
      });
      size += bytes.length;
    },
    close: () => {
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}

/**
 * `line` is the last whole line, or null if there is none. `unfinished` has the bytes after it, or is null if they are
 * longer than any line. A missing file counts as empty.
 */
type End = { readonly size: number; readonly line: string | null; readonly unfinished: Buffer | null };

function readEnd(file: string): End {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { size: 0, line: null, unfinished: Buffer.alloc(0) };
  }
  try {
    const { size } = fstatSync(descriptor);
    for (let length = firstLook; ; length *= 4) {
      const tail = readTail(descriptor, size, length);
      const end = tail.lastIndexOf(lineFeed);
      const before = end <= 0 ? -1 : tail.lastIndexOf(lineFeed, end - 1);
      const isAll = tail.length === size;
      if (end >= 0 && (before >= 0 || isAll)) {
        return { size, line: tail.subarray(before + 1, end).toString(), unfinished: tail.subarray(end + 1) };
      }
      if (isAll) return { size, line: null, unfinished: tail };
      if (length > 2 * longestLine) return { size, line: null, unfinished: null };
    }
  } finally {
    closeSync(descriptor);
  }
}

function readTail(descriptor: number, size: number, length: number): Buffer {
  const tail = Buffer.alloc(Math.min(length, size));
  const start = size - tail.length;
  for (let done = 0; done < tail.length; ) {
    const count = readSync(descriptor, tail, done, tail.length - done, start + done);
    if (count === 0) return tail.subarray(0, done);
    done += count;
  }
  return tail;
}

function refuse(file: string, got = 'a line without an end'): never {
  throw new Failure(
    'follow_position',
    `${file}: expected events written by follow, got ${JSON.stringify(got.slice(0, 80))}`,
  );
}

/**
 * Resolves all links, so that two runs recognize the same file. The file need not exist yet. Throws a Failure if it is
 * not a regular file. `purpose` is for the message.
 */
export function regularFile(file: string, purpose: string): string {
  const stats = readStats(file, purpose);
  if (stats && !stats.isFile())
    throw new Failure('follow_position', `${file}: expected ${purpose}, got ${describeKind(stats)}`);
  return explainFile(file, purpose, () => realName(file));
}

/** A FIFO, a terminal or `/dev/stdout` passes on what is written to it and keeps nothing. */
export function isStream(file: string): boolean {
  const stats = readStats(file, 'a file to append to');
  return stats !== null && !stats.isFile() && !stats.isDirectory();
}

function realName(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink) return realName(resolve(realpathSync(dirname(file)), readlinkSync(file)));
  return join(realpathSync(dirname(file)), basename(file));
}

function readStats(file: string, purpose: string): Stats | null {
  return explainFile(file, purpose, () => statSync(file, { throwIfNoEntry: false }) ?? null);
}

function describeKind(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a FIFO';
  return 'a device or a socket';
}
