import type { FixtureSite } from '../http/fixture-site.ts';
import type { Reply } from '../support/http-client.ts';

/** A host of a site, running on this machine. */
export interface Host extends AsyncDisposable {
  /** URL of the site's public root, without a trailing slash. */
  readonly url: string;
  /** Requests a target below the root. */
  get(target: string, headers?: Record<string, string>, method?: string): Promise<Reply>;
}

/** A way to host a site, as the table in docs/hosting.md calls it. */
export type HostKind = {
  readonly name: string;
  /** The programs that it needs. */
  readonly programs: readonly string[];
  readonly start: (site: Pick<FixtureSite, 'dist'>) => Promise<Host>;
};

/** The page that documents the hosts. The tests keep its statements true. */
export const page = new URL('../../docs/hosting.md', import.meta.url);
