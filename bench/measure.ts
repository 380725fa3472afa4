import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What one run of a program took. `peakBytes`: of its largest process, null where that cannot be told. */
export type Run = { readonly seconds: number; readonly peakBytes: number | null; readonly output: string };

/** The folder of the project. */
export const project = fileURLToPath(new URL('..', import.meta.url));

const timeProgram = '/usr/bin/time';
const hasTime = works(timeProgram, '-f', '%M', 'true');
const pollMilliseconds = 20;
const running = new Set<ChildProcess>();

/** Runs a program to its end. Rejects with what it said when it fails. */
export function run(command: readonly string[], peakFile: string): Promise<Run> {
  const [program = '', ...args] = hasTime ? [timeProgram, '-f', '%M', '-o', peakFile, ...command] : command;
  const started = performance.now();
  const child = spawn(program, args, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running.add(child);
  const texts = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    texts.output += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    texts.errors += chunk;
  });
  const polled = hasTime ? null : pollPeak(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const seconds = (performance.now() - started) / 1000;
      running.delete(child);
      const peakBytes = polled ? polled.stop() : Number(readFileSync(peakFile, 'utf8').trim().split('\n').pop()) * 1024;
      if (code === 0) resolve({ seconds, peakBytes, output: texts.output });
      else reject(new Error(`${command.join(' ')} ended with ${signal ?? `code ${code}`}: ${texts.errors.trim()}`));
    });
  });
}

/** A TypeScript program of the project, run by this Node. */
export function script(file: URL, ...args: readonly string[]): string[] {
  return [process.execPath, '--import', 'tsx', fileURLToPath(file), ...args];
}

/** Whether a program is there and does this. */
export function works(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** Ends what still runs, with everything it started. */
export function endRunning(): void {
  for (const { pid } of running) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}

/** Looks at the high-water mark that Linux keeps of a process, until it is gone. */
function pollPeak({ pid }: ChildProcess): { stop: () => number | null } {
  let peak: number | null = null;
  const timer = setInterval(() => {
    try {
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      if (kilobytes !== undefined) peak = Number(kilobytes) * 1024;
    } catch {
      // No such file: it has ended, or the system has no such folder.
    }
  }, pollMilliseconds);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}
