import { InvalidArgumentError, Option } from 'commander';

/** `--allow-redirects-to`, for every command that reads a site over HTTP. Collects hosts in `allowRedirectsTo`. */
export function redirectOption(): Option {
  return new Option(
    '--allow-redirects-to <host>',
    'host, or host:port, that redirects may lead to; repeatable',
  ).argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), parseHost(text)]);
}

/** Parses a whole number of bytes; with K, M, G or T, of KiB, MiB, GiB or TiB. */
export function parseByteCount(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,15})([KMGT]?)$/.exec(text) ?? [];
  const bytes = Number(digits) * 1024 ** ' KMGT'.indexOf(unit || ' ');
  if (digits === '' || bytes < 1 || !Number.isSafeInteger(bytes)) {
    throw new InvalidArgumentError(`expected a number of bytes such as 500000000 or 500M, got ${text}`);
  }
  return bytes;
}

/** Parses a host into the form that URLs have: lower case, without the default port. */
function parseHost(text: string): string {
  const url = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : null;
  if (url === null || url.host === '' || url.href !== `https://${url.host}/`) {
    throw new InvalidArgumentError(`expected a host such as example.org or example.org:8443, got ${text}`);
  }
  return url.host;
}
