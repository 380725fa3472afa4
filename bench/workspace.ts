import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installed } from '../test/support/installed-programs.ts';

/** What a program took, and what it printed. */
export type Taken = {
  readonly seconds: number;
  /** Processor time of all its threads and processes. It hardly depends on what else the machine does. */
  readonly cpuSeconds: number;
  /** Peak memory of its largest process. */
  readonly peakBytes: number;
  readonly output: string;
};

const memoryFolder = '/dev/shm';
/** Room for two sites of full size with their databases and snapshots, and for the programs that make them. */
const neededBytes = 8 * 2 ** 30;

/** A folder for all files of a benchmark. It is removed when the process ends, even by a signal that can be handled. */
export class Workspace {
  readonly folder: string;
  readonly #running = new Set<ChildProcess>();
  #number = 0;

  constructor(parent = roomiestFolder()) {
    this.folder = mkdtempSync(join(parent, 'shelfpress-bench-'));
    process.on('exit', () => this.#clear());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
  }

  /** A path that does not exist yet. */
  path(name: string): string {
    this.#number += 1;
    return join(this.folder, `${String(this.#number).padStart(3, '0')}-${name}`);
  }

  newFolder(name: string): string {
    const folder = this.path(name);
    mkdirSync(folder);
    return folder;
  }

  remove(...paths: readonly string[]): void {
    for (const path of paths) rmSync(path, { recursive: true, force: true });
  }

  /** Runs a program to its end in a folder. Rejects with what it printed if it fails. */
  run(command: readonly string[], cwd = this.folder): Promise<Taken> {
    const time = installed('time');
    if (time === undefined) throw new Error('expected GNU time, which measures memory and processor time, got none');
    const report = this.path('time');
    const started = performance.now();
    const args = ['-f', '%M %U %S', '-o', report, ...command];
    const child = spawn(time, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    this.#running.add(child);
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk;
    });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        this.#running.delete(child);
        const seconds = (performance.now() - started) / 1000;
        if (code !== 0)
          return reject(new Error(`${command.join(' ')} ended with ${signal ?? code}: ${errors}${output}`));
        const numbers = readFileSync(report, 'utf8').trim().split(' ').map(Number);
        const [kilobytes = 0, user = 0, system = 0] = numbers;
        resolve({ seconds, cpuSeconds: user + system, peakBytes: kilobytes * 1024, output });
      });
    });
  }

  #clear(): void {
    for (const { pid } of this.#running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    // A program that was just killed can still finish the file that it was writing, so this retries.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** The folder in memory if it has room, because disks get slower with every deletion; otherwise the temporary one. */
function roomiestFolder(): string {
  if (!existsSync(memoryFolder) || process.availableMemory() < neededBytes) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryFolder);
  return bavail * bsize < neededBytes ? tmpdir() : memoryFolder;
}
