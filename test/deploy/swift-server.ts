import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { launcher, type SwiftPorts, writeConfiguration } from './swift-configuration.ts';

const programs = [
  '/usr/bin/swift-proxy-server',
  '/usr/bin/swift-account-server',
  '/usr/bin/swift-container-server',
  '/usr/bin/swift-object-server',
  '/usr/bin/memcached',
  '/usr/bin/setpriv',
];

/** What is missing to start OpenStack Swift here; null when nothing is. */
export const missingOfSwift: string | null = programs.find((program) => !existsSync(program)) ?? null;

/**
 * A whole OpenStack Swift on loopback ports, one replica of everything in a temporary folder, which speaks S3 by its s3api
 * middleware. It ends with this process, however that ends.
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
    const folder = mkdtempSync(join(folderWithAttributes(), 'shelfpress-swift-'));
    const [proxy = 0, account = 0, container = 0, object = 0, cache = 0] = await freePorts(5);
    const ports: SwiftPorts = { proxy, account, container, object, cache };
    const server = new SwiftServer(folder, proxy);
    try {
      writeConfiguration(folder, ports);
      const user = userInfo().username;
      server.#run('memcached', ['-l', '127.0.0.1', '-p', String(cache), '-u', user]);
      server.#run('python3', ['-c', launcher, folder, ...[account, container, object].map(String)]);
      for (const [name, port] of Object.entries(ports)) {
        if (!(await isListening(port))) throw new Error(`expected the ${name} to listen, got nothing`);
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
    // What a program writes that is being killed may still come.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  #run(program: string, args: readonly string[]): void {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: this.#folder };
    const own = ['--pdeathsig', 'KILL', `/usr/bin/${program}`, ...args];
    this.#children.push(spawn('/usr/bin/setpriv', own, { stdio: 'ignore', env }));
  }
}

/** Swift keeps what it knows of an object in extended attributes, which memory has on newer kernels only. */
function folderWithAttributes(): string {
  const tried = ['/dev/shm', tmpdir(), process.cwd()].filter((folder) => existsSync(folder));
  const probe = 'import os, sys; os.setxattr(sys.argv[1], "user.swift.metadata", b"x" * 1024)';
  const found = tried.find((folder) => {
    const inner = mkdtempSync(join(folder, 'shelfpress-xattr-'));
    const { status } = spawnSync('/usr/bin/python3', ['-c', probe, inner], { stdio: 'ignore' });
    rmSync(inner, { recursive: true });
    return status === 0;
  });
  if (!found) throw new Error(`expected a folder with extended attributes, got none in ${tried.join(', ')}`);
  return found;
}

/** Ports that nothing listened at a moment ago, all different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Loading Swift takes seconds, and many on a machine that is busy. */
async function isListening(port: number): Promise<boolean> {
  const deadline = performance.now() + 90_000;
  while (performance.now() < deadline) {
    if (await accepts(port)) return true;
    await wait(25);
  }
  return false;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
