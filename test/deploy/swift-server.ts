import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { program } from '../support/installed-programs.ts';
import { freePorts, isListening } from '../support/ports.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { launcher, type SwiftPorts, writeConfiguration } from './swift-configuration.ts';

/** Loading Swift takes seconds, and far longer on a busy machine. */
const patienceMs = 90_000;

const python = 'Python with swift';

/** The program that starts OpenStack Swift. */
export const swiftPrograms = [python, 'memcached', 'setpriv'];

/**
 * A whole OpenStack Swift on loopback ports, with one replica of everything in a temporary folder. It speaks S3 through
 * its s3api middleware. It ends when this process ends, however that happens.
 */
export class SwiftServer implements AsyncDisposable {
  readonly endpoint: string;
  readonly #folder: string;
  readonly #children: ChildProcess[] = [];

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.endpoint = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<SwiftServer> {
    const folder = temporaryFolder();
    const [proxy = 0, account = 0, container = 0, object = 0, cache = 0] = await freePorts(5);
    const ports: SwiftPorts = { proxy, account, container, object, cache };
    const server = new SwiftServer(folder, proxy);
    try {
      writeConfiguration(folder, ports);
      const user = userInfo().username;
      server.#run('memcached', ['-l', '127.0.0.1', '-p', String(cache), '-u', user]);
      server.#run(python, ['-c', launcher, folder, ...[account, container, object].map(String)]);
      for (const [name, port] of Object.entries(ports)) {
        if (!(await isListening(port, patienceMs))) throw new Error(`expected the ${name} to listen, got nothing`);
      }
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    // A program that is being killed may still write files.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  #run(name: string, args: readonly string[]): void {
    const env = { PATH: process.env.PATH, HOME: this.#folder };
    const own = ['--pdeathsig', 'KILL', program(name), ...args];
    this.#children.push(spawn(program('setpriv'), own, { stdio: 'ignore', env }));
  }
}
