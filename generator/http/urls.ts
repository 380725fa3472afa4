import { hasCredentials, withoutCredentials } from '../../contract/credentials.ts';
import { prefix } from '../../contract/site-layout.ts';
import { Failure } from '../files/failure.ts';

/** Throws a Failure if a URL holds a user name or a password, and does not repeat them. `way`: what to do instead. */
export function refuseCredentials(text: string, way = ''): void {
  if (!hasCredentials(text)) return;
  const got = `expected a URL without a user name and a password, got one with them${way}`;
  throw new Failure('wrong_usage', `${withoutCredentials(text)}: ${got}`);
}

/**
 * The public root of a site, without a slash at its end: the URL before `/v1`, `/current.json` and `/objects`. `text`
 * may end in a slash or in `/v1`. Throws a Failure if it is not an http or https URL without a query and credentials.
 */
export function siteRoot(text: string): string {
  refuseCredentials(text, '; --headers FILE sends them in a header');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Failure('wrong_value', `${text}: expected the http or https URL of a site, without a query`);
  }
  const address = url.href.replace(/\/+$/, '');
  return (address.endsWith(prefix) ? address.slice(0, -prefix.length) : address).replace(/\/+$/, '');
}

const statuses: readonly number[] = [301, 302, 303, 307, 308];

export function isRedirect(status: number): boolean {
  return statuses.includes(status);
}

/**
 * The target of a redirect. It may stay within the origin that was asked, go from http to https of the same host name,
 * or go to an allowed host, `example.org` or `example.org:8443`; never from https to http. Throws a Failure for any
 * other, so that no host can send this machine to one that only this machine reaches.
 */
export function redirectTarget(asked: URL, from: URL, location: string | null, allowed: readonly string[]): URL {
  if (location === null || !URL.canParse(location, from.href)) {
    throw new Failure(
      'host_redirect',
      `${from.href}: expected a redirect to a URL, got ${location === null ? 'none' : 'something else'}`,
    );
  }
  const target = new URL(location, from);
  const shown = withoutCredentials(target.href).slice(0, 200);
  if (hasCredentials(target.href)) {
    throw new Failure('host_redirect', `${from.href}: expected a redirect without a password, got one to ${shown}`);
  }
  if (!/^https?:$/.test(target.protocol)) {
    throw new Failure('host_redirect', `${from.href}: expected a redirect to an http or https URL, got ${shown}`);
  }
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new Failure('host_redirect', `${from.href}: expected a redirect to https, got ${shown}`);
  }
  const isSame = target.origin === asked.origin;
  const isUpgrade = asked.protocol === 'http:' && target.protocol === 'https:' && target.hostname === asked.hostname;
  if (isSame || isUpgrade || allowed.includes(target.host)) return target;
  throw new Failure(
    'host_redirect',
    `${from.href}: expected a redirect within ${asked.origin}, got ${shown}; pass --allow-redirects-to ${target.host} to follow it`,
  );
}
