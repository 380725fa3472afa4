import { resolve } from 'node:path';
import { Failure, systemReason } from '../failure.ts';

/** What the system refused in the folder of a mirror, in a line; any other error as it is. */
export function explainRefusal(error: unknown, directory: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Failure(
      `${directory}: expected room for more, got ${systemReason(code)}; what has come is kept for the next run`,
    );
  }
  return new Failure(
    `${resolve(directory, path ?? '')}: expected what a mirror can read and write, got ${systemReason(code)}`,
  );
}
