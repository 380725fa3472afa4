import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { Failure } from '../failure.ts';

/** Up to where the log was read: the number of the last event, and its id, null before the first one. */
export type Position = { readonly event: number; readonly id: string | null };

export const beginning: Position = { event: 0, id: null };

/** Where a position is kept between runs. Throws a Failure when the file holds something else. */
export function readPosition(file: string): Position {
  const text = readIfThere(file);
  if (text === null) return beginning;
  const value = parsed(text) as Partial<Position> | null;
  const { event, id } = value ?? {};
  if (Number.isSafeInteger(event) && (event as number) > 0 && typeof id === 'string')
    return { event: event as number, id };
  throw new Failure(
    `${file}: expected a position like {"event":1,"id":"..."}, got ${JSON.stringify(text.slice(0, 80))}`,
  );
}

/** Replaces the file in one step: a kill leaves the position before. */
export function savePosition(file: string, { event, id }: Position): void {
  const next = `${file}.next`;
  const descriptor = openSync(next, 'w');
  try {
    writeSync(descriptor, `${JSON.stringify({ event, id })}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, file);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new Failure(`${file}: expected a file that can be read, got ${code}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
