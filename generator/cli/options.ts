import { type Command, InvalidArgumentError, Option } from 'commander';
import { limitHeapGrowth } from '../../shim/node/server-process.ts';
import { Failure } from '../files/failure.ts';
import { readSiteHeaders, type SiteHeaders } from '../site/http/site-headers.ts';
import { refuseCredentials, siteRoot } from '../site/http/urls.ts';
import { table, usualFile } from './settings.ts';

/**
 * An option that must be given, on the command line or in the settings. It is looked for when everything else about the
 * command line is right. `example`: what a person could type.
 */
export function requireOption(command: Command, flags: string, description: string, example: string): void {
  const option = new Option(flags, description);
  command.addOption(option).hook('preAction', () => {
    if (command.getOptionValue(option.attributeName()) !== undefined) return;
    const { member } = table.find(({ gives }) => gives[command.name()] === option.long) ?? {};
    const way = member === undefined ? '' : `, or name "${member}" in ${usualFile}, which shelfpress init writes`;
    command.error(`error: ${option.long} is missing: add ${option.long} ${example}${way}`);
  });
}

/** Collects the values of an option that can be repeated. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** Collects the values of an option that can be repeated, each one of some words. */
export function collectOneOf<Word extends string>(words: readonly Word[]) {
  return (text: string, before: readonly Word[] | undefined): Word[] => {
    const word = words.find((one) => one === text);
    if (word === undefined) throw new InvalidArgumentError(`expected one of ${words.join(', ')}, got ${text}`);
    return [...(before ?? []), word];
  };
}

/**
 * Returns what `parse` returns. Text that it explains as a failure is wrong usage. commander repeats the text beside the message,
 * but not of a failure that says itself that it is wrong usage.
 */
export function parsedArgument<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Failure && error.code !== 'wrong_usage') throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/** Parses whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}, got '${text}'`);
  };
}

/** Parses the URL of a site. Returns its public root. Any other text is wrong usage. */
export function parseSiteUrl(text: string): string {
  return parsedArgument(() => siteRoot(text));
}

/** Parses the URL of a site. Returns any other text unchanged, as a folder. */
export function parseSiteOrFolder(text: string): string {
  if (isSiteUrl(text)) return parseSiteUrl(text);
  refuseCredentials(text);
  return text;
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

const headersVariable = 'SHELFPRESS_HEADERS_FILE';

/** `--headers`, for every command that reads a site over HTTP. A secret on the command line would be seen by all users. */
export function headersOption(): Option {
  // An empty variable counts as unset.
  if (process.env[headersVariable] === '') delete process.env[headersVariable];
  return new Option('--headers <file>', 'file of request headers for the site, such as a login; a line for each').env(
    headersVariable,
  );
}

/** The headers that the option names, for the site at `root`. Null without it. */
export function headersFor(root: string, file: string | undefined): SiteHeaders | null {
  return file === undefined ? null : readSiteHeaders(file, root);
}

/** Parses a host into the form that URLs have: lower case, without the default port. */
function parseHost(text: string): string {
  const url = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : null;
  if (url === null || url.host === '' || url.href !== `https://${url.host}/`) {
    throw new InvalidArgumentError(`expected a host such as example.org or example.org:8443, got ${text}`);
  }
  return url.host;
}

/** For commands that hold every route of a site: without a limit, most of their peak is garbage. */
export function limitHeapOfRoutes(): void {
  limitHeapGrowth(33);
}
