import { prefix } from '../contract/paths.ts';
import { Failure } from '../failure.ts';

/** The public root of a site, without a slash at its end: `/v1` and what follows it may be given or not. */
export function siteRoot(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.search || parsed.hash) {
    throw new Failure(`expected the http or https URL of a site like https://example.org, got ${url}`);
  }
  const root = parsed.href.replace(/\/+$/, '');
  return root.endsWith(prefix) ? root.slice(0, -prefix.length) : root;
}
