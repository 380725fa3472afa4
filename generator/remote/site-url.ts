import { prefix } from '../contract/paths.ts';
import { Failure } from '../failure.ts';

/**
 * The public root of a site, without a slash at its end: the URL before `/v1`, `/current.json` and `/objects`. `text`
 * may end in a slash or in `/v1`. Throws a Failure when it is not an http or https URL without a query.
 */
export function siteRoot(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Failure(`${text}: expected the http or https URL of a site, without a query`);
  }
  const address = url.href.replace(/\/+$/, '');
  return (address.endsWith(prefix) ? address.slice(0, -prefix.length) : address).replace(/\/+$/, '');
}
