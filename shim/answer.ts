import type { PathKind, SiteFileAddress } from '../generator/contract/paths.ts';
import type { TaggedObject } from './host.ts';
import type { ByteRange, Fields } from './http/conditional.ts';
import type { PublicationView } from './site/publication-view.ts';

/**
 * A request as a host hands it in. `target` is the request line's own text: a parsed URL would already have resolved
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
  /** Whether the client has closed the connection, so that an answer is useless. Absent where the host cannot tell. */
  readonly isAbandoned?: boolean;
};

/** The kind of resource that the address names; `none` for any other address. */
export type ResourceName = PathKind | SiteFileAddress['kind'] | 'none';

type Head<Kind extends string, Status extends number> = {
  readonly kind: Kind;
  readonly status: Status;
  /** Every header of the answer, its name in the usual case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: ResourceName;
};

export type ProblemAnswer = Head<'problem', number> & { readonly body: string };

/** A body that was computed. */
export type JsonAnswer = Head<'json', 200> & { readonly body: Uint8Array };

/** The host sends the bytes of the object, or the given range of them. */
export type FileAnswer = Head<'file', 200 | 206> & {
  readonly object: TaggedObject;
  readonly range: ByteRange | null;
  /** The view whose route named the object, in case it is damaged; null for an object requested by its hash. */
  readonly view: PublicationView | null;
};

/** A condition that does not hold, or a range that lies beyond the end of the file. */
export type Refusal =
  | { readonly kind: 'precondition_failed' }
  | { readonly kind: 'unsatisfiable'; readonly size: number };

/** An answer, decided before any byte of a body is read. A host sends no body in answer to a HEAD. */
export type Answer = ProblemAnswer | JsonAnswer | FileAnswer | Head<'not_modified', 304> | Head<'no_content', 204>;
