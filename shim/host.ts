import type { AddressKind } from '../contract/addresses.ts';
import type { SiteFileAddress } from '../contract/paths.ts';
import type { ObjectReference } from '../contract/schemas/site-files.ts';
import type { SiteSource } from '../contract/site/source.ts';
import type { ByteRange, Fields } from './http/request-fields.ts';
import type { PublicationView } from './site/publication-view.ts';

/*
 * What the service needs from its host, the requests that the host hands in, and the answers that it gets back.
 */

/** An object with the entity tag of its bytes: their MD5 in quotes, contract.md 5; null if only the hash is known. */
export type TaggedObject = ObjectReference & { readonly etag: string | null };

/** The source of a site that is served: its files, and what answers to requests for single objects need. */
export interface ServedSource extends SiteSource {
  /** The size in bytes of the object with this hash; null if there is none. */
  objectSize(sha256: string): Promise<number | null>;
  /**
   * Streams an object, or a part of it, without reading it into memory first. Streamed bytes cannot be compared with
   * their hash before the first of them is sent. So this is only for storage that knows the size and the MD5 of its
   * objects. Rejects with an `UnreadableError` if these differ.
   */
  streamObject?(object: TaggedObject, range: ByteRange | null): Promise<ReadableStream<Uint8Array>>;
}

/** Writes a message to the operator's log. Level `error` needs attention. Fields are for machines to search. */
export type ShimLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number>>,
) => void;

/**
 * A request as a host hands it in. `target` is the text of the request line: a parsed URL would already have resolved
 * `..`.
 */
export type ReadRequest = {
  /** A UUID that the host made. It appears in the host's logs and in problem answers. */
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Fields;
  /** The client's address. The rate limit counts by it. */
  readonly client: string;
  /** Whether the client has closed the connection, so that an answer is useless. Absent if the host cannot tell. */
  readonly isAbandoned?: boolean;
};

/** The kind of resource at the address; `none` for an unknown address. */
export type ResourceName = AddressKind | SiteFileAddress['kind'] | 'none';

type Head<Kind extends string, Status extends number> = {
  readonly kind: Kind;
  readonly status: Status;
  /** Every header of the answer, with names in their usual case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: ResourceName;
};

export type ProblemAnswer = Head<'problem', number> & { readonly body: string };

/** A body that was computed. */
export type JsonAnswer = Head<'json', 200> & { readonly body: Uint8Array };

/** The host sends the bytes of the object, or a range of them. */
export type FileAnswer = Head<'file', 200 | 206> & {
  readonly object: TaggedObject;
  readonly range: ByteRange | null;
  /** The view whose route named the object, needed if it is damaged; null for an object requested by its hash. */
  readonly view: PublicationView | null;
};

/** An answer, decided before any byte of its body is read. A host sends no body in answer to a HEAD. */
export type Answer = ProblemAnswer | JsonAnswer | FileAnswer | Head<'not_modified', 304> | Head<'no_content', 204>;

/** Content codings of computed answers. */
export type ComputedCoding = 'br' | 'gzip';

/** Compresses computed answers. The host provides it, because compression must not hold up other requests. */
export interface Compressor {
  /** The codings that it makes, the preferred one first. */
  readonly codings: readonly ComputedCoding[];
  compress(bytes: Uint8Array, coding: ComputedCoding): Promise<Uint8Array>;
}

/** The most characters of a request target that are logged. */
const loggedCharacters = 512;

export function loggedTarget(target: string): string {
  return target.slice(0, loggedCharacters);
}

/** The fields about a request in every host's log. `answer`: null if the client went away first. */
export function loggedFields(
  { id, method, target, client }: Pick<ReadRequest, 'id' | 'method' | 'target' | 'client'>,
  answer: { readonly status: number; readonly headers: Answer['headers']; readonly resource: string } | null,
) {
  const { resource = 'none', status = null } = answer ?? {};
  const revision = answer?.headers['X-Publication-Revision'] ?? null;
  return { id, method, target: loggedTarget(target), resource, status, revision, client };
}
