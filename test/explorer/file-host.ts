import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { unpack } from '../client/served-sites.ts';
import { program } from '../support/installed-programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** A site as an unpacked bundle, under a server that knows only files: `python3 -m http.server`. */
export class FileHost implements AsyncDisposable {
  readonly origin: string;
  readonly #server: ChildProcess;
  readonly #folder: string;

  private constructor(origin: string, server: ChildProcess, folder: string) {
    this.origin = origin;
    this.#server = server;
    this.#folder = folder;
  }

  static async start(dist: string): Promise<FileHost> {
    const folder = temporaryFolder();
    unpack(dist, folder);
    const server = spawn(program('python3'), ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    while (!/port \d+/.test(said)) said += String((await once(server.stdout, 'data'))[0]);
    return new FileHost(`http://127.0.0.1:${/port (\d+)/.exec(said)?.[1]}`, server, folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.kill();
    await once(this.#server, 'exit');
    removeFolder(this.#folder);
  }
}
