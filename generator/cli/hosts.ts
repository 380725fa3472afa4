import { isIPv4, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type HostKind, hostKinds, writeHostFiles } from '../copies/hosts/host-files.ts';
import { defaultPlacement } from '../copies/hosts/plain-site.ts';
import { refuseCredentials } from '../http/urls.ts';
import { type Output, withExample } from '../terminal/output.ts';

export type HostsOptions = {
  out?: string;
  host?: HostKind;
  root?: string;
  listen?: string;
  serverName?: string;
  shim?: string;
};

export function defineHosts(command: Command, output: Output): void {
  command
    .argument('<site>', 'folder of the site, or of a complete mirror')
    .option('--out <folder>', 'folder for the files (default: hosts in the site folder)')
    .addOption(new Option('--host <kind>', 'write files for this kind of host only').choices(hostKinds))
    .option('--root <path>', 'path of the site folder on the serving machine (default: its path here)', parseRoot)
    .option('--listen <address>', 'port, or IP address and port (default: 8080)', parseListen)
    .option('--server-name <name>', 'name of the host; Caddy then serves it with TLS', parseName)
    .option(
      '--shim <url>',
      'URL of a running serve; nginx and Caddy pass on to it the requests that need computing',
      parseShim,
    )
    .option('--json', 'print the summary as one JSON object', false)
    .action((directory: string, options: HostsOptions) => {
      const { facts, lines } = hostsFor(directory, options);
      output.result(facts, lines);
    });
  withExample(command, 'shelfpress hosts dist --listen 127.0.0.1:8080');
}

export function hostsFor(directory: string, { out, host, root, listen, serverName, shim }: HostsOptions) {
  const given = Object.entries({ out, root, listen, serverName, shim }).filter(([, value]) => value !== undefined);
  const placement = { ...defaultPlacement(directory), ...Object.fromEntries(given) };
  const { pointer, files } = writeHostFiles(placement, host === undefined ? hostKinds : [host]);
  const { revision, sequence } = pointer;
  return {
    facts: { revision, sequence, out: placement.out, files },
    lines: [
      ...files.map((file) => join(placement.out, file)),
      `for publication ${sequence}, revision ${revision}; reload the hosts that read these files`,
    ],
  };
}

function parseRoot(text: string): string {
  if (!text.startsWith('/')) throw new InvalidArgumentError('expected an absolute path');
  return text.replace(/(?<=.)\/+$/, '');
}

function parseListen(text: string): string {
  const [, address, digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const isAddress = address === undefined || isIPv4(address) || isIPv6(/^\[(.+)\]$/.exec(address)?.[1] ?? '');
  if (!isAddress || !(port >= 1 && port <= 65_535))
    throw new InvalidArgumentError('expected a port, or an IP address and a port');
  return text;
}

function parseName(text: string): string {
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text))
    throw new InvalidArgumentError('expected a host name');
  return text;
}

/** nginx and Caddy use only the host and port of the URL, so nothing may follow them. */
function parseShim(text: string): string {
  refuseCredentials(text);
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.protocol === 'http:' && url.pathname === '/' && !url.search;
  if (!isPlain) throw new InvalidArgumentError('expected an http URL without a path, like http://127.0.0.1:8787');
  return url.origin;
}
