import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeHostFiles } from '../generator/copies/hosts/host-files.ts';
import { defaultPlacement } from '../generator/copies/hosts/plain-site.ts';
import { program } from '../test/support/installed-programs.ts';
import { writeNginxMain } from '../test/support/nginx-main.ts';
import { freePort, isListening } from '../test/support/ports.ts';
import type { BareAnswer } from './bare-server.ts';
import type { Program } from './program.ts';

/** /proc counts processor time in ticks. A second has this many of them on every Linux that Node runs on. */
const ticksPerSecond = 100;

export type Server = {
  readonly name: string;
  readonly url: string;
  /** Processor time of the server and of its workers since the start. */
  readonly cpuSeconds: () => number;
  readonly stop: () => Promise<void>;
};

/** Starts `serve` as an operator does, with its log in a file, but without a rate limit. */
export async function startService(name: string, program: Program, dist: string, folder: string): Promise<Server> {
  const command = program.shelfpress('serve', dist, '--port', '0', '--rate-limit', '0');
  return started(name, command, openSync(join(folder, 'log'), 'w'));
}

export async function startBare(answer: BareAnswer, folder: string): Promise<Server> {
  const file = join(folder, 'answer.json');
  writeFileSync(file, JSON.stringify(answer));
  const script = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
  return started('bare `node:http`', [process.execPath, script, file], 'inherit');
}

/** Starts nginx with the configuration of `hosts` and one worker. Like `serve`, it logs no requests. */
export async function startNginx(dist: string, folder: string): Promise<Server> {
  const port = await freePort();
  const placement = { ...defaultPlacement(dist), out: join(folder, 'hosts'), listen: `127.0.0.1:${port}` };
  writeHostFiles(placement, ['nginx']);
  const file = writeNginxMain(folder, 1, [
    'access_log off;',
    'open_file_cache max=10000;',
    'keepalive_requests 100000000;',
    `include ${placement.out}/nginx/shelfpress.conf;`,
  ]);
  const child = spawn(program('nginx'), ['-c', file, '-p', folder], { stdio: 'ignore' });
  if (!(await isListening(port, 5_000))) throw new Error(`nothing listens at port ${port}`);
  return running('nginx', `http://127.0.0.1:${port}`, child);
}

/** Starts one of our servers, and waits for it to print its address. */
async function started(name: string, command: readonly string[], log: number | 'inherit'): Promise<Server> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', log] });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
      if (address) resolve(address[0]);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command.join(' ')} ended with code ${code}`)));
  });
  return running(name, url, child);
}

function running(name: string, url: string, child: ChildProcess): Server {
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  const { pid } = child;
  return {
    name,
    url,
    cpuSeconds: () => {
      const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
      return [String(pid), ...workers].reduce((sum, id) => sum + cpuSecondsOf(id), 0);
    },
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.once('exit', () => {
          process.off('exit', kill);
          resolve();
        });
        child.kill('SIGTERM');
      }),
  };
}

function cpuSecondsOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
