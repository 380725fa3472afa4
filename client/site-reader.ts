import type { ProblemCode } from '../generator/contract/problem.ts';
import { pointerFile } from '../generator/contract/site-layout.ts';
import { type Addresses, pathOf } from './addresses.ts';
import { ProblemError, PublicationChangedError, UnexpectedContentError } from './errors.ts';
import type { Requests, TextAnswer, TextOptions } from './requests.ts';
import type { AskOptions } from './runtime.ts';

/** One publication. `sequence`: its number, from 1. `published_at`: a UTC date-time. */
export type Publication = { readonly revision: string; readonly sequence: number; readonly published_at: string };

type ReaderOptions = {
  readonly addresses: Addresses;
  readonly requests: Requests;
  /** The publication that was opened. */
  readonly publication: Publication;
  /** Whether every answer must be of it. */
  readonly isPinned: boolean;
  /** Whether answers tell their publication, and how long they are fresh. */
  readonly tells: Pick<TextAnswer, 'hasPolicy'> & { readonly hasRevision: boolean };
};

/** `isUnchanging`: the address never gets other bytes, so any copy of it will do. */
export type ReadOptions = AskOptions & { readonly isUnchanging?: boolean };

/** Reads documents of a site, of the pinned publication where one is. */
export class SiteReader {
  readonly addresses: Addresses;
  readonly publication: Publication;
  readonly isPinned: boolean;
  readonly requests: Requests;
  readonly #tells: ReaderOptions['tells'];

  constructor({ addresses, requests, publication, isPinned, tells }: ReaderOptions) {
    this.addresses = addresses;
    this.requests = requests;
    this.publication = publication;
    this.isPinned = isPinned;
    this.#tells = tells;
  }

  /** The document at a path or link, of the publication that is pinned. */
  async read(link: string, { signal, isUnchanging = false }: ReadOptions = {}): Promise<unknown> {
    const { hasRevision, hasPolicy } = this.#tells;
    const mustBeFresh = !isUnchanging && (!hasPolicy || (this.isPinned && !hasRevision));
    let answer = await this.text(link, { signal, isFresh: mustBeFresh });
    if (this.isPinned && !isUnchanging) {
      const { revision } = this.publication;
      // A cache on the way may have kept the answer of another publication.
      if (answer.revision !== null && answer.revision !== revision) {
        answer = await this.text(link, { signal, isFresh: true });
      }
      const got = answer.revision ?? (await this.newest({ signal })).revision;
      if (got !== revision) throw new PublicationChangedError(this.addresses.urlOf(link), revision, got);
    }
    return parseJson(this.addresses.urlOf(link), answer.text);
  }

  /** The text of a document, of whichever publication it is. */
  async text(link: string, options: TextOptions): Promise<TextAnswer> {
    try {
      return await this.requests.text(this.addresses.urlOf(link), options);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== null || error.status !== 404) throw error;
      throw new ProblemError(error.url, error.status, await this.#missingCode(link, options), null);
    }
  }

  /** The publication that the site has now. */
  async newest({ signal }: AskOptions): Promise<Publication> {
    return newestPublication(this.requests, this.addresses, { signal, isFresh: true });
  }

  /** What a host without problem bodies would say of an address that it does not have. */
  async #missingCode(link: string, { signal }: AskOptions): Promise<ProblemCode> {
    if (/\/products\/[0-9a-f-]{36}(?:$|[/.?])/.test(link)) return 'PRODUCT_NOT_FOUND';
    const [, sku] = /\/by-sku\/([0-9]{6})(?:$|[.?])/.exec(link) ?? [];
    if (sku === undefined) return 'RESOURCE_NOT_FOUND';
    const { ambiguous } = (await this.read(pathOf('former_skus'), { signal })) as { ambiguous: readonly string[] };
    return ambiguous.includes(sku) ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND';
  }
}

/** The publication that the pointer names; where no pointer is served, as in a bare checkout, that of the metadata. */
export async function newestPublication(
  requests: Requests,
  addresses: Addresses,
  options: TextOptions,
): Promise<Publication> {
  const url = `${addresses.root}/${pointerFile}`;
  try {
    return publicationIn(url, parseJson(url, (await requests.text(url, options)).text));
  } catch (error) {
    const isMissing = error instanceof ProblemError && error.status < 500;
    if (!isMissing) throw error;
  }
  const metadataUrl = addresses.urlOf(pathOf('metadata'));
  const { text } = await requests.text(metadataUrl, options);
  return publicationOf(metadataUrl, parseJson(metadataUrl, text));
}

/** The publication that `/metadata` names. Throws an {@link UnexpectedContentError} for another document. */
export function publicationOf(url: string, metadata: unknown): Publication {
  const { data } = (metadata ?? {}) as { data?: { publication?: unknown } };
  return publicationIn(url, data?.publication);
}

function publicationIn(url: string, value: unknown): Publication {
  const { revision, sequence, published_at } = (value ?? {}) as Publication;
  if (typeof revision !== 'string')
    throw new UnexpectedContentError(url, 'expected a document that names a publication');
  return { revision, sequence, published_at };
}

export function parseJson(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedContentError(url, `expected JSON, got ${text.length} characters that are none`, { cause });
  }
}
