import { spawn } from 'node:child_process';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { program } from '../support/installed-programs.ts';
import { programFile } from '../support/programs.ts';

/**
 * A system call that succeeded: its arguments as strace prints them, strings as bytes. `files`: the paths of
 * descriptors.
 */
export type SystemCall = {
  readonly name: string;
  readonly words: readonly string[];
  readonly strings: readonly Buffer[];
  readonly files: readonly string[];
  readonly result: number;
  /** The path of the descriptor that it returns. */
  readonly opened: string | null;
};

/** The calls that change files or folders, or flush changes to the disk. */
const traced = [
  ...['open', 'openat', 'creat', 'write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'truncate', 'ftruncate'],
  ...[
    'fallocate',
    'fsync',
    'fdatasync',
    'sync',
    'syncfs',
    'rename',
    'renameat',
    'renameat2',
    'link',
    'linkat',
    'symlink',
  ],
  ...[
    'symlinkat',
    'unlink',
    'unlinkat',
    'rmdir',
    'mkdir',
    'mkdirat',
    'copy_file_range',
    'sendfile',
    'utimensat',
    'chdir',
  ],
];

/**
 * Runs the command line under strace, in a process of its own, and returns all calls in the order in which they ended.
 */
export async function tracedCommand(args: readonly string[], cwd: string): Promise<SystemCall[]> {
  const log = join(cwd, '..', 'strace.log');
  const options = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', '100000000', '-e', `trace=${traced.join(',')}`];
  const quiet = ['-e', 'signal=none', '-e', 'status=successful,unfinished', '-o', log];
  const command = [process.execPath, programFile('generator/cli/cli.ts'), ...args];
  const child = spawn(program('strace'), [...options, ...quiet, ...command], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${printed}`);
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(log, 'latin1') })) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (text.endsWith('<unfinished ...>')) {
      unfinished.set(thread, text.slice(0, -'<unfinished ...>'.length).trimEnd());
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text);
    const call = parseCall(resumed ? (unfinished.get(thread) ?? '') + text.slice(resumed[0].length) : text);
    if (call) calls.push(call);
  }
  rmSync(log);
  return calls;
}

function parseCall(line: string): SystemCall | null {
  const [, name, text, result = '', opened] = /^(\w+)\((.*)\)\s+= (\d+)(?:<(.*)>)?(?: \(.*\))?$/.exec(line) ?? [];
  if (name === undefined || text === undefined) return null;
  const strings = [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) =>
    Buffer.from(hex.replaceAll('\\x', ''), 'hex'),
  );
  const rest = text.replaceAll(/"(?:\\x[0-9a-f]{2})*"/g, '""');
  const files = [...rest.matchAll(/(?<=\b(?:AT_FDCWD|\d+)<)[^>]*(?=>)/g)].map(([path]) => unescaped(path));
  const words = rest.split(', ');
  return {
    name,
    words,
    strings,
    files,
    result: Number(result),
    opened: opened === undefined ? null : unescaped(opened),
  };
}

/** Paths of descriptors are in hexadecimal digits too. */
function unescaped(path: string): string {
  return Buffer.from(
    path.replaceAll(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
}
