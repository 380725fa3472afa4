import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inject } from 'vitest';
import { codeKey, keptFolder } from './code-key.ts';
import { removeFolder, runFolder, temporaryFolder } from './temporary-folder.ts';

/*
 * Files and folders that many tests read and none changes, such as sites. The first test that needs one makes it,
 * whichever process it runs in, and tests in other processes wait for it. Later runs with the same code find it.
 */

/** How often a process looks whether another one has made what it waits for. */
const pauseMs = 20;

/** What this process made while the code was edited, by where it would be kept. */
const unkept = new Map<string, string>();

/**
 * Makes a file or a folder, unless a test with the same code has made it, and resolves with its path. `make` gets a
 * path where there is nothing.
 */
export async function madeOnce(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const kept = join(keptFolder, inject('codeKey'), name);
  for (;;) {
    const found = pathOf(kept);
    if (found !== null) return found;
    using lock = MakersLock.take(name);
    if (lock === null) await setTimeout(pauseMs);
    else if (pathOf(kept) === null) {
      const made = join(temporaryFolder(), 'made');
      await make(made);
      keep(made, kept);
    }
  }
}

/**
 * The same where nothing can be awaited. This process does nothing else meanwhile. `key`: a hash of what the result
 * depends on.
 */
export function madeOnceSync(name: string, make: (path: string) => void, key = inject('codeKey')): string {
  const kept = join(keptFolder, key, name);
  for (;;) {
    const found = pathOf(kept);
    if (found !== null) return found;
    using lock = MakersLock.take(name);
    if (lock === null) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    else if (pathOf(kept) === null) {
      const made = join(temporaryFolder(), 'made');
      make(made);
      keep(made, kept);
    }
  }
}

function pathOf(kept: string): string | null {
  return unkept.get(kept) ?? (existsSync(kept) ? kept : null);
}

/**
 * Keeps what was made, all of it or nothing. If the code was edited during the run, nobody knows which code has made
 * it, and only this process uses it.
 */
function keep(made: string, kept: string): void {
  if (codeKey() !== inject('codeKey')) {
    unkept.set(kept, made);
    return;
  }
  const aside = `${kept}.${process.pid}`;
  mkdirSync(dirname(kept), { recursive: true });
  // Unlike a copy made by Node, this one keeps hard links and times.
  execFileSync('cp', ['-a', made, aside]);
  removeFolder(dirname(made));
  // Another run can have made it, too.
  if (existsSync(kept)) removeFolder(aside);
  else renameSync(aside, kept);
}

/** The right to make something, of one process of a run. It is a link whose target is the number of the process. */
class MakersLock implements Disposable {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Null if another process has it. If that process died, the next attempt succeeds. */
  static take(name: string): MakersLock | null {
    const file = join(runFolder(), `${name}.lock`);
    try {
      symlinkSync(String(process.pid), file);
      return new MakersLock(file);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (!isRunning(holderOf(file))) rmSync(file, { force: true });
      return null;
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#file, { force: true });
  }
}

/** The number of the process that has a lock, or of this one if the lock has been given back. */
function holderOf(file: string): number {
  try {
    return Number(readlinkSync(file));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return process.pid;
  }
}

function isRunning(number: number): boolean {
  try {
    return process.kill(number, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
