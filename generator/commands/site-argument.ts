import { InvalidArgumentError } from 'commander';
import { Failure } from '../failure.ts';
import { siteRoot } from '../remote/site-url.ts';

/** The URL of a site as an argument: one that is none is wrong usage. Gives the public root. */
export function parseSiteUrl(text: string): string {
  try {
    return siteRoot(text);
  } catch (error) {
    if (error instanceof Failure) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/** The URL of a site, or else a folder as it stands. */
export function parseSiteOrFolder(text: string): string {
  return isSiteUrl(text) ? parseSiteUrl(text) : text;
}

export function isSiteUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
