import { InvalidArgumentError, Option } from 'commander';
import { siteRoot } from '../remote/urls.ts';
import { collect, parsedArgument } from './command-line.ts';

/** Parses the URL of a site. Returns its public root. Any other text is wrong usage. */
export function parseSiteUrl(text: string): string {
  return parsedArgument(() => siteRoot(text));
}

/** Parses the URL of a site. Returns any other text unchanged, as a folder. */
export function parseSiteOrFolder(text: string): string {
  return isSiteUrl(text) ? parseSiteUrl(text) : text;
}

export function isSiteUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** `--allow-redirects-to`, for every command that reads a site over HTTP. Collects hosts in `allowRedirectsTo`. */
export function redirectOption(): Option {
  return new Option(
    '--allow-redirects-to <host>',
    'host, or host:port, that redirects may lead to; repeatable',
  ).argParser((text: string, before: readonly string[] | undefined) => collect(parseHost(text), before));
}

/** Parses a host into the form that URLs have: lower case, without the default port. */
function parseHost(text: string): string {
  const url = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : null;
  if (url === null || url.host === '' || url.href !== `https://${url.host}/`) {
    throw new InvalidArgumentError(`expected a host such as example.org or example.org:8443, got ${text}`);
  }
  return url.host;
}
