import { type Profile, usualProfile } from './profile.ts';

type ProblemKind = { status: number; title: string; detail: string; remedy: string };

/** Every problem of the service (contract.md 6). */
export const problemKinds = {
  INVALID_PARAMETER: {
    status: 400,
    title: 'Invalid parameter',
    detail: 'One or more query parameters are unknown, repeated, empty, malformed or do not fit together.',
    remedy: 'Correct every parameter named in invalid_params and send the request again.',
  },
  CURSOR_INVALID: {
    status: 400,
    title: 'Invalid cursor',
    detail: 'The cursor was not handed out by this service, is damaged, or is too long.',
    remedy: 'Start again from the first page of the list.',
  },
  CURSOR_EXPIRED: {
    status: 400,
    title: 'Expired cursor',
    detail: 'The cursor is past its cursor_expires_at, or its publication is no longer kept.',
    remedy: 'Start again from the first page of the list.',
  },
  CURSOR_QUERY_MISMATCH: {
    status: 400,
    title: 'Cursor of another query',
    detail: 'The cursor belongs to another list or was handed out for other parameters.',
    remedy: 'Follow links.next as it is, with the parameters of the first request.',
  },
  PRODUCT_NOT_FOUND: {
    status: 404,
    title: 'Product not found',
    detail: 'No published product has this id.',
    remedy: 'Find products under /products or with /search.',
  },
  SKU_NOT_FOUND: {
    status: 404,
    title: 'SKU not found',
    detail: 'No published product has, or unambiguously had, this SKU.',
    remedy: 'Check the six digits, leading zeros included, or find the product with /search.',
  },
  SKU_AMBIGUOUS: {
    status: 404,
    title: 'Ambiguous former SKU',
    detail: 'Several products had this SKU before, so it names none of them.',
    remedy: 'Use a current SKU or a product id.',
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    title: 'Resource not found',
    detail: 'Nothing is published at this address.',
    remedy: 'Start from the service index at /v1 and follow its links.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    detail: 'The service is read-only: it answers GET, HEAD and OPTIONS.',
    remedy: 'Send a GET request.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    title: 'Precondition failed',
    detail: 'If-Match or If-Unmodified-Since asks for another representation than the current one.',
    remedy: 'Ask again without the condition, or with the entity tag of the current answer.',
  },
  URI_TOO_LONG: {
    status: 414,
    title: 'URI too long',
    detail: 'The request target is longer than 8192 characters.',
    remedy: 'Ask for less in one request.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: 'Range not satisfiable',
    detail: 'The range begins past the end of the file, whose size is in Content-Range.',
    remedy: 'Ask for bytes that the file has, or for the whole of it.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Rate limit exceeded',
    detail: 'Too many comparisons, searches and selections came from this address.',
    remedy: 'Wait for the seconds in Retry-After; precomputed documents are not limited.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    detail: 'The service failed unexpectedly. Details are withheld and logged under the request id.',
    remedy: 'Try again later and report the request_id if it happens again.',
  },
  NO_PUBLICATION: {
    status: 503,
    title: 'No publication',
    detail: 'No safe published revision is currently readable.',
    remedy: 'Try again after the seconds in Retry-After.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problemKinds;

export function remedyFor(code: ProblemCode, profile: Profile): string {
  const { remedy } = problemKinds[code];
  return code === 'SKU_NOT_FOUND' && profile.sku.pattern !== usualProfile.sku.pattern
    ? 'Check the SKU, or find the product with /search.'
    : remedy;
}

/** Limits on how much of a request a problem repeats, so that no answer is many times longer than its request. */
export const problemLimits = {
  /** The most offending parameters that are named. If there are more, `detail` gives their number. */
  parameters: 32,
  /** The most bytes of their names and reasons together, as encoded in the body. */
  parametersBytes: 6 * 1024,
  nameCharacters: 64,
  instanceCharacters: 8192,
} as const;

/** The body of every error, `application/problem+json`. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: ProblemCode;
  readonly request_id: string;
  readonly invalid_params?: readonly { readonly name: string; readonly reason: string }[] | undefined;
};
