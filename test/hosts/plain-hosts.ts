import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HostKind as FileKind, writeHostFiles } from '../../generator/copies/hosts/host-files.ts';
import { defaultPlacement } from '../../generator/copies/hosts/plain-site.ts';
import { program } from '../support/installed-programs.ts';
import { writeNginxMain } from '../support/nginx-main.ts';
import { freePort } from '../support/ports.ts';
import { RunningProgram } from '../support/program.ts';
import { temporaryFolder } from '../units/fixture-series.ts';
import type { Host, HostKind } from './host.ts';
import { clientHost, service } from './shim-hosts.ts';

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
      const front = await start(site.dist, behind.url);
      const stop = async () => {
        await front[Symbol.asyncDispose]();
        await behind[Symbol.asyncDispose]();
      };
      return { ...front, [Symbol.asyncDispose]: stop };
    },
  };
}

/**
 * A web server over a site, with the configuration that `hosts` writes for it. `log`: the request log of nginx.
 * `update` does what an operator does after a build.
 */
export type PlainServer = Host & { readonly log: string; readonly update: () => void };

export const PlainServer = {
  /** Starts nginx with Debian's settings where they matter. */
  nginx: (dist: string, shim: string | null = null) =>
    begin('nginx', dist, shim, (folder, files) => {
      const lines = ['tcp_nopush on;', 'gzip on;', `include ${files}/shelfpress.conf;`];
      const configuration = writeNginxMain(folder, 2, lines);
      return { args: ['-c', configuration, '-p', folder], reload: (running) => running.signal('SIGHUP') };
    }),
  caddy: (dist: string, shim: string | null = null) =>
    begin('caddy', dist, shim, (folder, files) => {
      const [configuration, admin] = [join(folder, 'Caddyfile'), `unix/${folder}/admin.sock`];
      writeFileSync(configuration, `{\n\tadmin ${admin}\n\tauto_https off\n}\nimport ${files}/Caddyfile\n`);
      const args = ['--config', configuration, '--adapter', 'caddyfile'];
      const reload = ['reload', ...args, '--address', admin];
      return {
        args: ['run', ...args],
        reload: () => void execFileSync(program('caddy'), reload, { stdio: 'ignore' }),
      };
    }),
};

type SetUp = (folder: string, files: string) => { args: string[]; reload: (running: RunningProgram) => void };

async function begin(kind: 'nginx' | 'caddy', dist: string, shim: string | null, setUp: SetUp): Promise<PlainServer> {
  const { path: folder, remove } = temporaryFolder();
  const port = await freePort();
  const { args, reload } = setUp(folder, writeFiles(dist, kind, port, shim));
  const running = await RunningProgram.start(program(kind), args, port);
  const host = clientHost(new URL(`http://127.0.0.1:${port}`), async () => {
    await running[Symbol.asyncDispose]();
    remove();
  });
  const update = () => {
    writeFiles(dist, kind, port, null);
    reload(running);
  };
  return { ...host, log: join(folder, 'access.log'), update };
}

/** Writes the configuration of a host, and returns its folder. */
function writeFiles(dist: string, kind: FileKind, port: number, shim: string | null): string {
  const placement = { ...defaultPlacement(dist), listen: `127.0.0.1:${port}`, shim };
  writeHostFiles(placement, [kind]);
  return join(placement.out, kind);
}
