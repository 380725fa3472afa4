import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accepts } from './ports.ts';

/** Another project's server on a port of this machine. It ends with the test. */
export class RunningProgram implements AsyncDisposable {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #kill: () => void;
  #output = '';

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    this.#ended = once(child, 'exit');
    this.#kill = () => child.kill('SIGKILL');
    process.once('exit', this.#kill);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        this.#output += text;
      });
    }
  }

  /** Rejects with the program's output if it ends before it listens, or does not listen in time. */
  static async start(program: string, args: readonly string[], port: number): Promise<RunningProgram> {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const running = new RunningProgram(child, port);
    for (let attempt = 0; attempt < 400; attempt += 1) {
      if (await accepts(port)) return running;
      if (child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await running[Symbol.asyncDispose]();
    throw new Error(`${program} ${args.join(' ')} does not listen at port ${port}: ${running.#output}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#kill);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(this.#kill, 5_000);
    await this.#ended;
    clearTimeout(timer);
  }
}
