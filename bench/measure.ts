import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a program took. */
export type Taken = {
  readonly seconds: number;
  /** Of all its threads and processes; unlike `seconds` it hardly depends on what else the machine does. */
  readonly cpuSeconds: number | null;
  /** Of its largest process. Null, as above, where nothing tells. */
  readonly peakBytes: number | null;
};

export type Run = Taken & { readonly output: string };

/** The folder of the project. */
export const project = fileURLToPath(new URL('..', import.meta.url));

const timeProgram = '/usr/bin/time';
/** Peak in kilobytes, then the seconds in the program and in the system. */
const timeFormat = '%M %U %S';
const hasTime = works(timeProgram, '-f', timeFormat, 'true');
const pollMilliseconds = 20;
const running = new Set<ChildProcess>();

/** Runs a program to its end. Rejects with what it said when it fails. `report`: a file it may use. */
export function run(command: readonly string[], report: string): Promise<Run> {
  const [program = '', ...args] = hasTime ? [timeProgram, '-f', timeFormat, '-o', report, ...command] : command;
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
      const taken = polled ? polled.stop() : readReport(report);
      if (code === 0) resolve({ seconds, ...taken, output: texts.output });
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

function readReport(file: string): Omit<Taken, 'seconds'> {
  const last = readFileSync(file, 'utf8').trim().split('\n').pop() ?? '';
  const [kilobytes = Number.NaN, user = Number.NaN, system = Number.NaN] = last.split(' ').map(Number);
  return { cpuSeconds: user + system, peakBytes: kilobytes * 1024 };
}

/** Looks at the high-water mark that Linux keeps of a process, until it is gone. */
function pollPeak({ pid }: ChildProcess): { stop: () => Omit<Taken, 'seconds'> } {
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
      return { cpuSeconds: null, peakBytes: peak };
    },
  };
}
