import type { PathKind, SiteFileAddress } from '../generator/contract/paths.ts';
import type { ByteRange, Fields } from './http/conditional.ts';
import type { TaggedObject } from './site/object-reader.ts';
import type { PublicationView } from './site/publication-view.ts';

/** What a host hands in. `target` as it stands in the request line: a parsed URL would already have resolved `..`. */
export type ReadRequest = {
  /** A UUID that the host made: in its logs, and in the problem that answers. */
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Fields;
  /** What the rate limit counts by: the client's address. */
  readonly client: string;
  /** Whether the client has gone away, so that nobody waits for the answer; left out where the host cannot tell. */
  readonly isAbandoned?: boolean;
};

/** What was asked for, as far as its address says. */
export type ResourceName = PathKind | SiteFileAddress['kind'] | 'none';

type Head<Kind extends string, Status extends number> = {
  readonly kind: Kind;
  readonly status: Status;
  /** Every header the answer carries, with the names' usual case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: ResourceName;
};

export type ProblemAnswer = Head<'problem', number> & { readonly body: string };

/** A body that was computed. */
export type JsonAnswer = Head<'json', 200> & { readonly body: Uint8Array };

/** The host sends the bytes of the object, or that range of them. */
export type FileAnswer = Head<'file', 200 | 206> & {
  readonly object: TaggedObject;
  readonly range: ByteRange | null;
  /** Where the object was found, should it turn out to be damaged; null for one that was asked for by its hash. */
  readonly view: PublicationView | null;
};

/** What is decided before any byte of a body is read. A host sends no body at all to a HEAD. */
export type Answer = ProblemAnswer | JsonAnswer | FileAnswer | Head<'not_modified', 304> | Head<'no_content', 204>;
