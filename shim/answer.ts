import type { Route } from '../generator/contract/site.ts';
import type { ByteRange } from './byte-range.ts';
import type { Fields } from './conditional.ts';

/** What a host hands in. `target` as it stands in the request line: a parsed URL would already have resolved `..`. */
export type ReadRequest = { readonly method: string; readonly target: string; readonly headers: Fields };

type Head<Kind extends string, Status extends number> = {
  readonly kind: Kind;
  readonly status: Status;
  /** Every header the answer carries, with the names' usual case. */
  readonly headers: Readonly<Record<string, string>>;
};

export type ProblemAnswer = Head<'problem', number> & { readonly body: string };

/** The host sends the bytes of the route's object, or that range of them. */
export type FileAnswer = Head<'file', 200 | 206> & { readonly route: Route; readonly range: ByteRange | null };

/** What is decided before any byte of a body is read. A host sends no body at all to a HEAD. */
export type Answer = ProblemAnswer | FileAnswer | Head<'not_modified', 304> | Head<'no_content', 204>;
