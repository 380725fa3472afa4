import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../support/installed-programs.ts';
import { freePort } from '../support/ports.ts';
import { RunningProgram } from '../support/program.ts';
import { temporaryFolder } from '../units/fixture-series.ts';
import { type Host, type HostKind, page } from './host.ts';
import { nginx } from './plain-hosts.ts';
import { clientHost } from './shim-hosts.ts';

/** Varnish in front of nginx, set up as docs/hosting.md says, in place of a CDN's cache. */
export const varnish: HostKind = {
  name: 'Varnish before nginx',
  programs: ['varnishd', ...nginx.programs],
  start: async (site) => startVarnish(await nginx.start(site)),
};

/** `rules` is VCL that precedes the VCL on the page. Stopping the host also stops the origin. */
export async function startVarnish(origin: Host, rules = ''): Promise<Host> {
  const { path: folder, remove } = temporaryFolder();
  const { hostname, port } = new URL(origin.url);
  const configuration = join(folder, 'default.vcl');
  mkdirSync(join(folder, 'work'));
  writeFileSync(
    configuration,
    `vcl 4.1;
backend default { .host = "${hostname}"; .port = "${port}"; }
${rules}
${pageRules()}
`,
  );
  const at = await freePort();
  const args = ['-F', '-j', 'none', '-n', join(folder, 'work'), '-f', configuration, '-s', 'malloc,32m'];
  // Otherwise Varnish decompresses answers, even exports, for clients that do not ask for gzip.
  args.push('-p', 'http_gzip_support=off');
  const running = await RunningProgram.start(program('varnishd'), [...args, '-a', `127.0.0.1:${at}`], at);
  return clientHost(new URL(`http://127.0.0.1:${at}`), async () => {
    await running[Symbol.asyncDispose]();
    await origin[Symbol.asyncDispose]();
    remove();
  });
}

/** The VCL in docs/hosting.md. */
function pageRules(): string {
  const [, rules] = /^```vcl\n(.*?)^```$/ms.exec(readFileSync(page, 'utf8')) ?? [];
  if (rules === undefined) throw new Error('docs/hosting.md has no VCL');
  return rules;
}
