import type { FixtureSite } from '../http/fixture-site.ts';
import type { Reply } from '../support/http-client.ts';

/** A host of a site, running on this machine. */
export interface Host extends AsyncDisposable {
  /** Where the site's public root is, without a slash at its end. */
  readonly url: string;
  /** Asks for a target below the root. */
  get(target: string, headers?: Record<string, string>, method?: string): Promise<Reply>;
}

/** A way to host a site, as the table of docs/hosting.md calls it. */
export type HostKind = {
  readonly name: string;
  /** Whether what it takes is on this machine. */
  readonly isInstalled: boolean;
  readonly start: (site: Pick<FixtureSite, 'dist'>) => Promise<Host>;
};

/** What is said of hosts to people, and held by the tests. */
export const page = new URL('../../docs/hosting.md', import.meta.url);
