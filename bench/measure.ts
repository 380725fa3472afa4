import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installed } from '../test/support/installed-programs.ts';

/** The time and memory that a program took. */
export type Taken = {
  readonly seconds: number;
  /**
   * Processor time of all its threads and processes, or null if unknown. Unlike `seconds`, it hardly depends on what
   * else the machine is doing.
   */
  readonly cpuSeconds: number | null;
  /** Peak memory of its largest process, or null if unknown. */
  readonly peakBytes: number | null;
};

export type Run = Taken & { readonly output: string };

/** The folder of the project. */
export const project = fileURLToPath(new URL('..', import.meta.url));

const timeProgram = installed('time');
/** Peak in kilobytes, then the seconds in the program and in the system. */
const timeFormat = '%M %U %S';
const timed = timeProgram && works(timeProgram, '-f', timeFormat, 'true') ? timeProgram : null;
const pollMilliseconds = 20;
const running = new Set<ChildProcess>();

/**
 * Runs a program to its end. Rejects with its error output if it fails. `report` is a temporary file that it may write.
 */
export function run(command: readonly string[], report: string): Promise<Run> {
  const [program = '', ...args] = timed ? [timed, '-f', timeFormat, '-o', report, ...command] : command;
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
  const polled = timed ? null : pollPeak(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const seconds = (performance.now() - started) / 1000;
      running.delete(child);
      const taken = polled ? polled.stop() : readReport(report);
      if (code === 0) resolve({ seconds, ...taken, output: texts.output });
      else reject(new Error(`${command.join(' ')} ended with ${signal ?? `code ${code}`}: ${texts.errors.trim()}`));
    });
  });
}

/** The command that runs a TypeScript program of the project with this Node. */
export function script(file: URL, ...args: readonly string[]): string[] {
  return [process.execPath, fileURLToPath(file), ...args];
}

/** Whether a program is installed and succeeds with these arguments. */
export function works(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** Kills the programs that are still running, with everything they started. */
export function endRunning(): void {
  for (const { pid } of running) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

function readReport(file: string): Omit<Taken, 'seconds'> {
  const last = readFileSync(file, 'utf8').trim().split('\n').pop() ?? '';
  const [kilobytes = Number.NaN, user = Number.NaN, system = Number.NaN] = last.split(' ').map(Number);
  return { cpuSeconds: user + system, peakBytes: kilobytes * 1024 };
}

/** Polls the peak memory that Linux records for a process, until the process is gone. */
function pollPeak({ pid }: ChildProcess): { stop: () => Omit<Taken, 'seconds'> } {
  let peak: number | null = null;
  const timer = setInterval(() => {
    try {
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      if (kilobytes !== undefined) peak = Number(kilobytes) * 1024;
    } catch {
      // The file does not exist: the process has ended, or the system has no /proc.
    }
  }, pollMilliseconds);
  return {
    stop: () => {
      clearInterval(timer);
      return { cpuSeconds: null, peakBytes: peak };
    },
  };
}
