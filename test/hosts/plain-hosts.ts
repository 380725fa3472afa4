import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HostKind as FileKind, writeHostFiles } from '../../generator/hosts/host-files.ts';
import { defaultPlacement } from '../../generator/hosts/plain-site.ts';
import { temporaryFolder } from '../build/fixture-series.ts';
import { HttpClient, type Reply } from '../support/http-client.ts';
import { program } from '../support/installed-programs.ts';
import { writeNginxMain } from '../support/nginx-main.ts';
import { freePort } from '../support/ports.ts';
import { RunningProgram } from '../support/program.ts';
import type { Host, HostKind } from './host.ts';
import { service } from './shim-hosts.ts';

export const nginx: HostKind = {
  name: 'nginx',
  programs: ['nginx'],
  start: ({ dist }) => PlainServer.nginx(dist),
};

export const caddy: HostKind = {
  name: 'Caddy',
  programs: ['caddy'],
  start: ({ dist }) => PlainServer.caddy(dist),
};

/** A web server for files, with the service behind it for computed answers. */
export function withService(kind: HostKind, start: (dist: string, shim: string) => Promise<Host>): HostKind {
  return {
    name: `${kind.name} and serve.ts`,
    programs: kind.programs,
    start: async (site) => {
      const behind = await service.start(site);
      try {
        const front = await start(site.dist, behind.url);
        return {
          url: front.url,
          get: (target, headers, method) => front.get(target, headers, method),
          [Symbol.asyncDispose]: async () => {
            await front[Symbol.asyncDispose]();
            await behind[Symbol.asyncDispose]();
          },
        };
      } catch (error) {
        await behind[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

/** A web server over a site, with the configuration that `hosts` writes for it. */
export class PlainServer implements Host {
  readonly url: string;
  /** The request log of nginx. */
  readonly log: string;
  readonly #dist: string;
  readonly #kind: FileKind;
  readonly #program: RunningProgram;
  readonly #reload: () => void;
  readonly #client: HttpClient;
  readonly #remove: () => void;

  private constructor(
    dist: string,
    kind: FileKind,
    running: RunningProgram,
    { log, reload, remove }: { log: string; reload: () => void; remove: () => void },
  ) {
    this.log = log;
    this.#dist = dist;
    this.#kind = kind;
    this.#program = running;
    this.#reload = reload;
    this.#remove = remove;
    this.url = `http://127.0.0.1:${running.port}`;
    this.#client = new HttpClient(new URL(this.url));
  }

  /** Starts nginx with the settings of Debian's nginx where they matter. */
  static async nginx(dist: string, shim: string | null = null): Promise<PlainServer> {
    const { path: folder, remove } = temporaryFolder();
    const port = await freePort();
    const files = writeFiles(dist, 'nginx', port, shim);
    const configuration = writeNginxMain(folder, 2, [
      'tcp_nopush on;',
      'gzip on;',
      `include ${files}/shelfpress.conf;`,
    ]);
    const running = await RunningProgram.start(program('nginx'), ['-c', configuration, '-p', folder], port);
    return new PlainServer(dist, 'nginx', running, {
      log: join(folder, 'access.log'),
      reload: () => running.signal('SIGHUP'),
      remove,
    });
  }

  static async caddy(dist: string, shim: string | null = null): Promise<PlainServer> {
    const { path: folder, remove } = temporaryFolder();
    const port = await freePort();
    const files = writeFiles(dist, 'caddy', port, shim);
    const configuration = join(folder, 'Caddyfile');
    const admin = `unix/${folder}/admin.sock`;
    writeFileSync(configuration, `{\n\tadmin ${admin}\n\tauto_https off\n}\nimport ${files}/Caddyfile\n`);
    const args = ['--config', configuration, '--adapter', 'caddyfile'];
    const running = await RunningProgram.start(program('caddy'), ['run', ...args], port);
    const reload = () => execFileSync(program('caddy'), ['reload', ...args, '--address', admin], { stdio: 'ignore' });
    return new PlainServer(dist, 'caddy', running, { log: join(folder, 'log'), reload, remove });
  }

  get(target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
    return this.#client.get(target, headers, method);
  }

  /** Does what an operator does after a build. */
  update(): void {
    writeFiles(this.#dist, this.#kind, this.#program.port, null);
    this.#reload();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client[Symbol.dispose]();
    await this.#program[Symbol.asyncDispose]();
    this.#remove();
  }
}

/** Writes the configuration of a host, and returns its folder. */
function writeFiles(dist: string, kind: FileKind, port: number, shim: string | null): string {
  const placement = { ...defaultPlacement(dist), listen: `127.0.0.1:${port}`, shim };
  writeHostFiles(placement, [kind]);
  return join(placement.out, kind);
}
