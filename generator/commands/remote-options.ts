import { InvalidArgumentError, Option } from 'commander';

/** `--allow-redirects-to`, of every command that asks a site over HTTP. Hosts are gathered in `allowRedirectsTo`. */
export function redirectOption(): Option {
  return new Option(
    '--allow-redirects-to <host>',
    'host, or host:port, that redirects may lead to; repeatable',
  ).argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), parseHost(text)]);
}

/** Whole bytes, or with K, M, G or T so many times 1,024 of them. */
export function parseByteCount(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,15})([KMGT]?)$/.exec(text) ?? [];
  const bytes = Number(digits) * 1024 ** ' KMGT'.indexOf(unit || ' ');
  if (digits === '' || bytes < 1 || !Number.isSafeInteger(bytes)) {
    throw new InvalidArgumentError(`expected a number of bytes such as 500000000 or 500M, got ${text}`);
  }
  return bytes;
}

/** A host as the URLs that lead there have it: in lower case, the usual port left out. */
function parseHost(text: string): string {
  const url = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : null;
  if (url === null || url.host === '' || url.href !== `https://${url.host}/`) {
    throw new InvalidArgumentError(`expected a host such as example.org or example.org:8443, got ${text}`);
  }
  return url.host;
}
