import { type Command, InvalidArgumentError, Option } from 'commander';
import { limitHeapGrowth } from '../../shim/node/server-process.ts';
import { Failure } from '../files/failure.ts';
import { readSiteHeaders, type SiteHeaders } from '../http/site-headers.ts';
import { refuseCredentials, siteRoot } from '../http/urls.ts';
import type { Output } from '../terminal/output.ts';
import { table, usualFile } from './settings.ts';

/**
 * Adds an option that the command line or the settings must give. It is reported as missing only when everything else
 * about the command line is right. `example` is a value that a person could type.
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

export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

export function collectOneOf<Word extends string>(words: readonly Word[]) {
  return (text: string, before: readonly Word[] | undefined): Word[] => {
    const word = words.find((one) => one === text);
    if (word === undefined) throw new InvalidArgumentError(`expected one of ${words.join(', ')}, got ${text}`);
    return [...(before ?? []), word];
  };
}

/**
 * Returns what `parse` returns. A Failure means wrong usage, and commander repeats the text beside its message. A
 * Failure that is itself about wrong usage passes through without the text.
 */
export function parsedArgument<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Failure && error.code !== 'wrong_usage') throw new InvalidArgumentError(error.message);
    throw error;
  }
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}, got '${text}'`);
  };
}

/** Returns the public root of a site. Other text is wrong usage. */
export function parseSiteUrl(text: string): string {
  return parsedArgument(() => siteRoot(text));
}

/** Returns the public root of a site, or other text unchanged, which is then a folder. */
export function parseSiteOrFolder(text: string): string {
  if (isSiteUrl(text)) return parseSiteUrl(text);
  refuseCredentials(text);
  return text;
}

export function isSiteUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** An option for every command that reads a site over HTTP. Collects hosts in `allowRedirectsTo`. */
export function redirectOption(): Option {
  return new Option(
    '--allow-redirects-to <host>',
    'host, or host:port, to which redirects may lead; repeatable',
  ).argParser((text: string, before: readonly string[] | undefined) => collect(parseHost(text), before));
}

const headersVariable = 'SHELFPRESS_HEADERS_FILE';

/** The option names a file, because all users of a machine can see a secret on a command line. */
export function headersOption(): Option {
  // An empty variable counts as unset.
  if (process.env[headersVariable] === '') delete process.env[headersVariable];
  return new Option('--headers <file>', 'file of request headers for the site, such as a login; one per line').env(
    headersVariable,
  );
}

/** Reads the headers for the site at `root`. Null without the option. */
export function headersFor(root: string, file: string | undefined): SiteHeaders | null {
  return file === undefined ? null : readSiteHeaders(file, root);
}

/** A host in the form that it has in URLs: lower case, without the default port. */
function parseHost(text: string): string {
  const url = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : null;
  if (url === null || url.host === '' || url.href !== `https://${url.host}/`) {
    throw new InvalidArgumentError(`expected a host such as example.org or example.org:8443, got ${text}`);
  }
  return url.host;
}

const [hour, day] = [3_600_000, 86_400_000];

/** A verification with a proof checks everything this often, in milliseconds. */
export const usualFullEvery = 7 * day;

export function fullEveryOption(): Option {
  return new Option('--full-every <period>', 'with --proof: how often to check everything, such as 7d or 12h')
    .argParser(parsePeriod)
    .default(usualFullEvery, '7d');
}

/** `7d` or `12h` in milliseconds. */
export function parsePeriod(text: string): number {
  const [, count, unit] = /^(\d{1,4})([dh])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('expected a number of days or hours such as 7d or 12h');
  return Number(count) * (unit === 'd' ? day : hour);
}

/**
 * Limits the heap of commands that hold every route of a site in memory. Without the limit, most of their peak memory
 * is garbage.
 */
export function limitHeapOfRoutes(): void {
  limitHeapGrowth(33);
}

/** Says that a site has copies of files, because its disk has no links. `lacking`: the missing kinds of links. */
export function noticeCopies(folder: string, lacking: readonly string[], output: Pick<Output, 'notice'>): void {
  if (lacking.length === 0) return;
  const plain = lacking.includes('symbolic links')
    ? '; the file site names the current checkout, which plain web servers cannot follow'
    : '';
  output.notice(`the disk of ${folder} has no ${lacking.join(' and no ')}, so files are copied${plain}`);
}
