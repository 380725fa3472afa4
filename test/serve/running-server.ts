import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { HttpClient, type Reply } from '../support/http-client.ts';
import { programFile } from '../support/programs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The output of serve.ts, and its exit code. */
export type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A line of the log: the fields that every line has, and those of its event. */
export type LogLine = { readonly level: string; readonly time: string; readonly msg?: string } & Record<
  string,
  unknown
>;

/** Variables that serve.ts reads, and that may be set where the tests run. */
const variables = [
  'SITE',
  'HOST',
  'PORT',
  'RATE_LIMIT_PER_MINUTE',
  'TRUST_PROXY',
  'MAX_CONNECTIONS',
  'METRICS_PORT',
  'METRICS_HOST',
  'LOG_LEVEL',
  'CURSOR_SECRET_PREVIOUS',
];

const defaults = {
  ...Object.fromEntries(variables.map((name) => [name, ''])),
  CURSOR_SECRET: 'a secret of the tests',
  LOG_REQUESTS: 'true',
};

export function runServe(args: readonly string[], environment: Record<string, string> = {}, cwd = root) {
  const child = spawn(process.execPath, [programFile('serve.ts'), ...args], {
    cwd,
    env: { ...process.env, ...defaults, ...environment },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  const ended = once(child, 'close').then(([code]): Outcome => ({ code, ...output }));
  return { child, output, ended };
}

/** A real serve.ts process on its own port, which ends with the test. */
export class RunningServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #client: HttpClient;
  readonly output: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Outcome>;
  readonly host: string;
  readonly port: number;

  /** Scheme, host and port. */
  readonly origin: string;

  private constructor({ child, output, ended }: ReturnType<typeof runServe>, url: URL) {
    this.origin = url.origin;
    this.#child = child;
    this.output = output;
    this.ended = ended;
    this.#client = new HttpClient(url);
    this.host = this.#client.host;
    this.port = this.#client.port;
  }

  static async start(
    args: readonly string[],
    environment: Record<string, string> = {},
    cwd = root,
  ): Promise<RunningServer> {
    const running = runServe(['--port', '0', '--wait', ...args], environment, cwd);
    const { child, output, ended } = running;
    const died = ended.then(({ stderr }) => Promise.reject(new Error(`serve.ts did not start: ${stderr}`)));
    died.catch(() => {});
    while (!output.stdout.includes('\n')) await Promise.race([once(child.stdout, 'data'), died]);
    const address = /http:\/\/\S+/.exec(output.stdout)?.[0];
    return new RunningServer(running, new URL(address ?? ''));
  }

  /** The complete lines of the log so far. */
  get log(): LogLine[] {
    const lines = this.output.stderr.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  /** Lines that an operator should look at. */
  get complaints(): LogLine[] {
    return this.log.filter(({ level }) => level !== 'info');
  }

  /** Waits for the first line with these fields. */
  async logged(fields: Readonly<Record<string, unknown>>): Promise<LogLine> {
    const matches = (line: LogLine) => Object.entries(fields).every(([name, value]) => line[name] === value);
    await eventually(() => this.log.some(matches));
    const found = this.log.find(matches);
    if (!found) throw new Error(`no line has ${JSON.stringify(fields)} in:\n${this.output.stderr}`);
    return found;
  }

  get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
    return this.#client.get(path, headers, method);
  }

  /** Sends bytes, and resolves with everything received until the server closes the connection. */
  async raw(bytes: string): Promise<string> {
    const socket = connect(this.port, this.host);
    let reply = '';
    socket.setEncoding('latin1').on('data', (text) => {
      reply += text;
    });
    socket.on('error', () => {});
    socket.write(bytes, 'latin1');
    // A connection that is reset emits `close` as well.
    await new Promise((resolve) => socket.once('close', resolve));
    return reply;
  }

  openFiles(): number {
    return readdirSync(`/proc/${this.#child.pid}/fd`).length;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client[Symbol.dispose]();
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

/** Waits until a condition holds, for as long as a slow machine may take. Resolves with whether it holds. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
}
