import type { ProblemCode } from '../contract/problem.ts';
import { isCode, type Profile, usualProfile } from '../contract/profile.ts';
import { pointerFile } from '../contract/site-layout.ts';
import type { PublicationFiles } from '../shim/site/publication-files.ts';
import { type Addresses, pathOf } from './addresses.ts';
import { type Chunks, isJson, parseObject } from './answer-body.ts';
import { ProblemError, PublicationChangedError, UnexpectedContentError } from './errors.ts';
import type { GetOptions, Requests, WholeAnswer } from './requests.ts';
import type { AskOptions } from './runtime.ts';

/** One publication. `sequence`: its number, from 1. `published_at`: a UTC date-time. */
export type Publication = { readonly revision: string; readonly sequence: number; readonly published_at: string };

/** The hash and the size in bytes of the file at an address, and the publication that the pointer names. */
export type Receipt = Publication & { readonly path: string; readonly sha256: string; readonly size: number };

type ReaderOptions = {
  readonly addresses: Addresses;
  readonly requests: Requests;
  /** The publication that was opened. */
  readonly publication: Publication;
  /** Whether every answer must come from that publication. */
  readonly isPinned: boolean;
  /** Whether answers name their publication, and how long they are fresh. */
  readonly says: { readonly hasRevision: boolean; readonly hasPolicy: boolean };
};

/** `isUnchanging`: the address never gets other bytes. */
export type ReadOptions = AskOptions & { readonly isUnchanging?: boolean };

/** Reads documents of a site, or of its pinned publication. */
export class SiteReader {
  readonly addresses: Addresses;
  readonly requests: Requests;
  readonly publication: Publication;
  readonly isPinned: boolean;
  readonly #says: ReaderOptions['says'];

  constructor({ addresses, requests, publication, isPinned, says }: ReaderOptions) {
    this.addresses = addresses;
    this.requests = requests;
    this.publication = publication;
    this.isPinned = isPinned;
    this.#says = says;
  }

  /** Reads the document at a link, from the pinned publication if there is one. */
  async read(link: string, { signal, isUnchanging = false }: ReadOptions = {}): Promise<Record<string, unknown>> {
    const url = this.addresses.urlOf(link);
    if (isUnchanging) return parseObject(url, (await this.#get(link, { signal, isSound: isJson })).bytes);
    if (!this.isPinned)
      return parseObject(url, (await this.#get(link, { signal, isFresh: !this.#says.hasPolicy })).bytes);
    const { bytes, isCertain } = await this.readFrom(this.publication.revision, link, { signal });
    if (!isCertain) await this.requireNewest(this.publication.revision, link, { signal });
    return parseObject(url, bytes);
  }

  /**
   * The bytes at a path or link, from a publication. `isCertain`: whether they are known to be from that publication;
   * if not, {@link requireNewest} checks it afterwards. Rejects with a {@link PublicationChangedError}.
   */
  async readFrom(revision: string, link: string, { signal, isUnchanging = false }: ReadOptions) {
    const { hasPolicy, hasRevision } = this.#says;
    const isFresh = !isUnchanging && !(hasPolicy && hasRevision);
    let answer = await this.#get(link, { signal, isFresh, isSound: isUnchanging ? isJson : undefined });
    if (isUnchanging || answer.revision === null) return { bytes: answer.bytes, isCertain: isUnchanging };
    // A cache may have kept the answer of another publication.
    if (answer.revision !== revision && !isFresh) answer = await this.#get(link, { signal, isFresh: true });
    const got = answer.revision ?? revision;
    if (got !== revision) throw new PublicationChangedError(this.addresses.urlOf(link), revision, got);
    return { bytes: answer.bytes, isCertain: answer.revision !== null };
  }

  stream(link: string, options: AskOptions): Promise<Chunks | null> {
    return this.requests.begin(this.addresses.urlOf(link), options);
  }

  /** Answers a question from proven files; null for a reader that proves nothing. */
  proven<Answer>(
    _options: AskOptions,
    _question: (files: PublicationFiles) => Promise<Answer>,
  ): Promise<Answer> | null {
    return null;
  }

  /** Compares the file at a link with its hash; null for a reader that proves nothing. */
  receipt(_link: string, _options: AskOptions): Promise<Receipt> | null {
    return null;
  }

  /** Rejects with a {@link PublicationChangedError} unless the publication is the current one. */
  async requireNewest(revision: string, link: string, options: AskOptions): Promise<void> {
    const newest = await this.newest(options);
    if (newest.revision === revision) return;
    throw new PublicationChangedError(this.addresses.urlOf(link), revision, newest.revision);
  }

  /** The newest publication, according to the pointer, or to the metadata if no pointer is served. */
  async newest({ signal }: AskOptions): Promise<Publication> {
    const url = `${this.addresses.root}/${pointerFile}`;
    try {
      return publicationIn(url, parseObject(url, (await this.requests.get(url, { signal, isFresh: true })).bytes));
    } catch (error) {
      // Some hosts answer with an HTML page when a file is missing.
      if (!isMissing(error) && !(error instanceof UnexpectedContentError)) throw error;
    }
    const metadata = this.addresses.urlOf(pathOf('metadata'));
    const { bytes } = await this.requests.get(metadata, { signal, isFresh: true });
    return publicationInMetadata(metadata, parseObject(metadata, bytes));
  }

  async #get(link: string, options: GetOptions): Promise<WholeAnswer> {
    try {
      return await this.requests.get(this.addresses.urlOf(link), options);
    } catch (error) {
      if (!isMissing(error) || error.code !== null) throw error;
      throw new ProblemError(error.url, error.status, await this.#missingCode(link, options), null);
    }
  }

  async #isSku(text: string, options: AskOptions): Promise<boolean> {
    const metadata = (await this.read(pathOf('metadata'), options)) as {
      data?: { service?: { profile?: Profile } };
    };
    return isCode('sku', metadata.data?.service?.profile ?? usualProfile, text);
  }

  /** The problem code for a missing document, for hosts without problem bodies. */
  async #missingCode(link: string, { signal }: AskOptions): Promise<ProblemCode> {
    if (/\/products\/[0-9a-f-]{36}(?:$|[/.?])/.test(link)) return 'PRODUCT_NOT_FOUND';
    const [, sku] = /\/by-sku\/([0-9A-Z-]+)(?:$|[.?])/.exec(link) ?? [];
    if (sku === undefined || !(await this.#isSku(sku, { signal }))) return 'RESOURCE_NOT_FOUND';
    const { ambiguous } = (await this.read(pathOf('former_skus'), { signal })) as { ambiguous?: unknown };
    return Array.isArray(ambiguous) && ambiguous.includes(sku) ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND';
  }
}

/** Whether an error means that a file is missing. Some buckets then answer 403. */
export function isMissing(error: unknown): error is ProblemError {
  return error instanceof ProblemError && (error.status === 404 || (error.status === 403 && error.problem === null));
}

/** The publication that a metadata document names. Throws an {@link UnexpectedContentError} for any other document. */
export function publicationInMetadata(url: string, metadata: { readonly data?: unknown }): Publication {
  return publicationIn(url, (metadata.data as { publication?: unknown } | undefined)?.publication);
}

function publicationIn(url: string, value: unknown): Publication {
  const { revision, sequence, published_at } = (value ?? {}) as Publication;
  if (typeof revision !== 'string')
    throw new UnexpectedContentError(url, 'expected a document that names a publication');
  return { revision, sequence, published_at };
}
