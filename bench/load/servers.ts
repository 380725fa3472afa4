import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeHostFiles } from '../../generator/copies/hosts/host-files.ts';
import { defaultPlacement } from '../../generator/copies/hosts/plain-site.ts';
import { program } from '../../test/support/installed-programs.ts';
import { writeNginxMain } from '../../test/support/nginx-main.ts';
import { freePort, isListening } from '../../test/support/ports.ts';
import { project, script } from '../measure.ts';
import type { Program } from '../program.ts';
import type { BareAnswer } from './bare-server.ts';

/** The unit of processor times in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** A running server under load. */
export type Running = {
  readonly url: string;
  readonly peakBytes: () => number | null;
  /** Processor time since the start. */
  readonly cpuSeconds: () => number;
  readonly stop: () => Promise<void>;
};

/** Starts `serve` as an operator does, with its log in a file, but without a rate limit. */
export async function startService(
  program: Program,
  dist: string,
  folder: string,
  ...options: readonly string[]
): Promise<Running> {
  mkdirSync(folder);
  const command = program.shelfpress('serve', dist, '--port', '0', '--rate-limit', '0', ...options);
  return started(command, openSync(join(folder, 'log'), 'w'));
}

export async function startBare(answer: BareAnswer, folder: string): Promise<Running> {
  mkdirSync(folder);
  const file = join(folder, 'answer.json');
  writeFileSync(file, JSON.stringify(answer));
  return started(script(new URL('./bare-server.ts', import.meta.url), file), 'inherit');
}

/** Starts nginx with the configuration of `hosts`, one worker and an access log, as the current user. */
export async function startNginx(dist: string, folder: string): Promise<Running> {
  mkdirSync(folder);
  const port = await freePort();
  const placement = { ...defaultPlacement(dist), out: join(folder, 'hosts'), listen: `127.0.0.1:${port}` };
  writeHostFiles(placement, ['nginx']);
  const file = writeNginxMain(folder, 1, [
    'open_file_cache max=10000;',
    'keepalive_requests 100000000;',
    `include ${placement.out}/nginx/shelfpress.conf;`,
  ]);
  const child = spawn(program('nginx'), ['-c', file, '-p', folder], { stdio: 'ignore' });
  if (!(await isListening(port, 5_000))) throw new Error(`nothing listens at port ${port}`);
  return running(`http://127.0.0.1:${port}`, child);
}

/** Starts one of our servers, and waits for it to print its address. */
async function started(command: readonly string[], log: number | 'inherit'): Promise<Running> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: project, stdio: ['ignore', 'pipe', log] });
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
  return running(url, child);
}

function running(url: string, child: ChildProcess): Running {
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  return {
    url,
    peakBytes: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
      return kilobytes === undefined ? null : Number(kilobytes) * 1024;
    },
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      const [user, system] = [Number(fields[11]), Number(fields[12])];
      return (user + system) / ticksPerSecond;
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
