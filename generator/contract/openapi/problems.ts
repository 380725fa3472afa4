import { addressTable, isDownload } from '../addresses.ts';
import { problemMediaType } from '../headers.ts';
import { type PathKind, prefix, templates } from '../paths.ts';
import { type Problem, type ProblemCode, problemKinds } from '../problem.ts';
import type { Json } from './components.ts';
import { headerReferences } from './components.ts';

type ProblemResponse = {
  readonly status: number;
  readonly codes: readonly ProblemCode[];
  readonly description: string;
};

/** The problems of an operation that share a status, by the name of their component (contract.md 6). */
const responses = {
  InvalidParameter: {
    status: 400,
    codes: ['INVALID_PARAMETER'],
    description: 'A parameter is unknown, repeated, empty or malformed, or does not fit another one.',
  },
  InvalidListQuery: {
    status: 400,
    codes: ['INVALID_PARAMETER', 'CURSOR_INVALID', 'CURSOR_EXPIRED', 'CURSOR_QUERY_MISMATCH'],
    description: 'A parameter is faulty, or the cursor is not ours, expired, or of another list or query.',
  },
  ResourceNotFound: {
    status: 404,
    codes: ['RESOURCE_NOT_FOUND'],
    description: 'Nothing is published at this address, or the store of store_id is unknown.',
  },
  ProductNotFound: {
    status: 404,
    codes: ['PRODUCT_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
    description: 'No product has this id, or nothing is published at this address of it.',
  },
  SkuNotFound: {
    status: 404,
    codes: ['SKU_NOT_FOUND', 'SKU_AMBIGUOUS', 'RESOURCE_NOT_FOUND'],
    description: 'No product has or had this SKU, or several had it.',
  },
  SelectionNotFound: {
    status: 404,
    codes: ['PRODUCT_NOT_FOUND', 'SKU_NOT_FOUND', 'SKU_AMBIGUOUS', 'RESOURCE_NOT_FOUND'],
    description: 'A product, SKU or store of the query is unknown, or several products had the SKU.',
  },
  PreconditionFailed: {
    status: 412,
    codes: ['PRECONDITION_FAILED'],
    description: 'If-Match or If-Unmodified-Since does not hold.',
  },
  UriTooLong: {
    status: 414,
    codes: ['URI_TOO_LONG'],
    description: 'The request target is longer than 8192 characters.',
  },
  RangeNotSatisfiable: {
    status: 416,
    codes: ['RANGE_NOT_SATISFIABLE'],
    description: 'The range begins past the end of the file.',
  },
  RateLimited: {
    status: 429,
    codes: ['RATE_LIMITED'],
    description: 'Too many comparisons, searches and selections from this address.',
  },
  Internal: { status: 500, codes: ['INTERNAL'], description: 'The service failed; details are withheld.' },
  NoPublication: {
    status: 503,
    codes: ['NO_PUBLICATION'],
    description: 'No safe published revision is currently readable.',
  },
} as const satisfies Record<string, ProblemResponse>;

type ResponseName = keyof typeof responses;

/** The components that operations refer to, each with an example of every code. */
export function problemResponses(baseUrl: string): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([name, { status, codes, description }]) => {
      const waits = status === 429 || status === 503;
      const headers = {
        ...headerReferences.problem,
        ...(waits ? headerReferences.wait : {}),
        ...(status === 429 ? headerReferences.quota : {}),
        ...(status === 416 ? headerReferences.part : {}),
      };
      const schema = {
        allOf: [{ $ref: '#/components/schemas/Problem' }],
        properties: { status: { const: status }, code: { enum: codes } },
      };
      const examples = Object.fromEntries(codes.map((code) => [code, { value: example(baseUrl, code, status) }]));
      return [name, { description, headers, content: { [problemMediaType]: { schema, examples } } }];
    }),
  );
}

/** The problems that a GET of an address can return, as references by status. */
export function problemReferences(kind: PathKind): Json {
  return Object.fromEntries(
    namesOf(kind).map((name) => [responses[name].status, { $ref: `#/components/responses/${name}` }]),
  );
}

function namesOf(kind: PathKind): ResponseName[] {
  const parameters = Object.keys(addressTable[kind].query ?? {});
  const notFound = notFoundOf(templates[kind], parameters);
  return [
    parameters.includes('cursor') ? 'InvalidListQuery' : 'InvalidParameter',
    ...(notFound ? [notFound] : []),
    'PreconditionFailed',
    'UriTooLong',
    ...(isDownload(kind) ? (['RangeNotSatisfiable'] as const) : []),
    ...(parameters.length > 0 ? (['RateLimited'] as const) : []),
    'Internal',
    'NoPublication',
  ];
}

/** An address without a path parameter always exists, but what its query names may not exist. */
function notFoundOf(template: string, parameters: readonly string[]): ResponseName | null {
  if (parameters.includes('sku') || parameters.includes('skus')) return 'SelectionNotFound';
  if (template.includes('{product_id}')) return 'ProductNotFound';
  if (template.includes('{sku}')) return 'SkuNotFound';
  return template.includes('{') ? 'ResourceNotFound' : null;
}

function example(baseUrl: string, code: ProblemCode, status: number): Problem {
  const { title, detail } = problemKinds[code];
  const isParameter = code === 'INVALID_PARAMETER';
  return {
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    detail,
    instance: isParameter ? `${prefix}/brands?limit=0` : `${prefix}/brands`,
    code,
    request_id: '00000000-0000-4000-8000-000000000000',
    ...(isParameter ? { invalid_params: [{ name: 'limit', reason: 'expected an integer from 1 to 100, got 0' }] } : {}),
  };
}
