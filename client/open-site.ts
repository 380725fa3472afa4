import { hasCredentials, withoutCredentials } from '../contract/credentials.ts';
import { prefix } from '../contract/site-layout.ts';
import { Addresses, pathOf } from './addresses.ts';
import { parseObject } from './answer-body.ts';
import { computedFor } from './computed.ts';
import type { MetadataDocument } from './documents.ts';
import { ConnectionError, ProblemError, UnexpectedContentError } from './errors.ts';
import type { SiteMemory } from './proof/site-memory.ts';
import { Requests, type RequestsOptions } from './requests.ts';
import { type AskOptions, pageUrl } from './runtime.ts';
import { Site } from './site.ts';
import { publicationInMetadata, SiteReader } from './site-reader.ts';

export type { Brand } from '../contract/schemas/brand.ts';
export type { AbsentIndex, BrowseIndex } from '../contract/schemas/browse.ts';
export type { ChangeEvent } from '../contract/schemas/change.ts';
export type { FamilyDocument, FamilyRow } from '../contract/schemas/family.ts';
export type { Activity, ExportManifestDocument, TableFile } from '../contract/schemas/metadata.ts';
export type { ProductRow, ProductSeries } from '../contract/schemas/product.ts';
export type { SearchHit, SearchResult } from '../contract/schemas/search.ts';
export type { Comparison, StoreSummary } from '../contract/schemas/store.ts';
export type * from './documents.ts';
export {
  ConnectionError,
  ProblemError,
  ProofError,
  PublicationChangedError,
  UnexpectedContentError,
} from './errors.ts';
export type { SiteMemory } from './proof/site-memory.ts';
export type { Page, RowList } from './row-list.ts';
export type { ComparisonQuestion, SearchQuestion, Site } from './site.ts';
export type { Publication, Receipt } from './site-reader.ts';

/**
 * The options of {@link openSite}.
 *
 * @example
 * ```ts
 * import { type OpenOptions, openSite } from 'shelfpress/client';
 *
 * const options: OpenOptions = { pinned: true, attempts: 2, timeoutMs: 10_000 };
 * const site = await openSite('http://127.0.0.1:8080', options);
 * ```
 */
export type OpenOptions = RequestsOptions &
  AskOptions & {
    /** Whether every answer must belong to the publication that the site has when it is opened. Default: false. */
    readonly pinned?: boolean;
    /**
     * Whether the host computes searches, comparisons and selections. By default, the client finds out with the first
     * of them.
     */
    readonly computes?: boolean | null;
    /** Whether every byte is compared with the hashes that the site's pointer leads to. Default: only with a key. */
    readonly proof?: boolean;
    /** The public key in PEM, as written by `keygen`, whose owner must have signed the pointer. */
    readonly key?: string | null;
    /** With a key: remembers the newest trusted pointer, so that an older or conflicting one is refused later. */
    readonly memory?: SiteMemory | null;
  };

/**
 * Opens the site at a URL, which may end with `/v1`. Finds out whether the host serves addresses, or only files under
 * their names. Rejects with a {@link ConnectionError} if there is no site.
 *
 * @example
 * ```ts
 * import { openSite } from 'shelfpress/client';
 *
 * const site = await openSite('http://127.0.0.1:8080');
 * console.log(site.publication.sequence, site.publication.published_at);
 * ```
 */
export async function openSite(url: string | { readonly href: string }, options: OpenOptions = {}): Promise<Site> {
  const { pinned = false, computes = null, key = null, memory = null, proof = key !== null, signal, ...rest } = options;
  const root = siteRoot(typeof url === 'string' ? url : url.href);
  const requests = new Requests(rest);
  const { addresses, answer, publication, metadata } = await findMetadata(root, requests, { signal });
  if (proof || key !== null) {
    const { withoutEval } = await import('./without-eval.ts');
    const { proveSite } = await withoutEval(() => import('./proof/proven-reader.ts'));
    const reader = await proveSite({ addresses, requests, isPinned: pinned, key, memory }, { signal });
    return new Site(reader, computedFor(reader, false), metadata);
  }
  const says = { hasRevision: answer.revision !== null, hasPolicy: answer.hasPolicy };
  const reader = new SiteReader({ addresses, requests, publication, isPinned: pinned, says });
  return new Site(reader, computedFor(reader, computes), metadata);
}

/**
 * An absolute URL without a query or a trailing slash. Refuses a user name or a password, unless the URL has the origin
 * of the page itself, where the browser sends them.
 */
function siteRoot(url: string): string {
  const { origin, pathname, href } = new URL(url, pageUrl);
  if (hasCredentials(href) && (pageUrl === undefined || new URL(pageUrl).origin !== origin)) {
    const expected = 'expected a URL without a user name and a password; send them in a header, with your own fetch';
    throw new ConnectionError(withoutCredentials(href), expected);
  }
  const path = pathname.replace(/\/+$/, '');
  return origin + (path.endsWith(prefix) ? path.slice(0, -prefix.length) : path);
}

async function findMetadata(root: string, requests: Requests, options: AskOptions) {
  const reasons: string[] = [];
  for (const areFiles of [false, true]) {
    const addresses = new Addresses(root, areFiles);
    const url = addresses.urlOf(pathOf('metadata'));
    try {
      const answer = await requests.get(url, options);
      const metadata = parseObject(url, answer.bytes) as MetadataDocument;
      return { addresses, answer, publication: publicationInMetadata(url, metadata), metadata };
    } catch (error) {
      if (!isElsewhere(error)) throw error;
      reasons.push(error.message);
    }
  }
  throw new ConnectionError(root, `expected a Shelfpress site: ${reasons.join('; ')}`);
}

/** Whether the document may be there under another name. A host that is busy or unreachable does not tell. */
function isElsewhere(error: unknown): error is Error {
  if (error instanceof ProblemError) return error.status < 500 && error.status !== 429;
  return error instanceof UnexpectedContentError;
}
