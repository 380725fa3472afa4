import {
  apiCatalogMediaType,
  atomMediaType,
  avroMediaType,
  commonHeaders,
  csvMediaType,
  htmlMediaType,
  jsonMediaType,
  ndjsonMediaType,
  parquetMediaType,
  problemMediaType,
  scriptMediaType,
  styleMediaType,
  textMediaType,
  xmlMediaType,
} from '../../contract/headers.ts';
import { isOutsideContract } from '../../contract/paths.ts';
import { problemKinds } from '../../contract/problem.ts';
import { problem } from '../../contract/schemas/problem.ts';
import { parseJson } from '../../contract/text.ts';
import type { Reply } from '../support/http-client.ts';

export type Asked = {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** How an answer breaks the rules for all requests, contract.md 5 and 6. */
export function violations(asked: Asked, reply: Reply): string[] {
  const found = Object.entries(commonHeaders).flatMap(([name, value]) => expectField(reply, name, value));
  if (reply.status >= 400) return [...found, ...problemViolations(asked, reply)];
  if (reply.status === 204) return found;
  if (!uuid.test(String(reply.headers['x-publication-revision'])))
    found.push('X-Publication-Revision: expected a UUID');
  // An answer to a date may lack its own (contract.md 5).
  const isDated = Object.keys(asked.headers ?? {}).some((name) => name.toLowerCase() === 'if-modified-since');
  for (const name of ['etag', 'cache-control', ...(isDated ? [] : ['last-modified'])]) {
    if (reply.headers[name] === undefined) found.push(`${name}: expected with every success and 304`);
  }
  const length = reply.headers['content-length'];
  if (reply.status === 304) {
    if (reply.body.length > 0) found.push('expected no body with a 304');
    for (const name of ['content-type', 'content-encoding', 'content-range']) {
      if (reply.headers[name] !== undefined) found.push(`${name}: expected none with a 304`);
    }
  } else if (!expectedMediaTypes(asked.target).includes(String(reply.headers['content-type']))) {
    found.push(`Content-Type: expected ${expectedMediaTypes(asked.target)}, got ${reply.headers['content-type']}`);
  } else if (asked.method === 'GET' && length !== String(reply.body.length)) {
    found.push(`Content-Length: expected ${reply.body.length}, got ${length}`);
  }
  if (asked.method === 'HEAD' && reply.body.length > 0) found.push('expected no body with HEAD');
  return found;
}

/** Everything below `/v1` is for programs, contract.md 11. */
function expectedMediaTypes(target: string): readonly string[] {
  return isOutsideContract(target.replace(/\?.*$/, ''))
    ? [htmlMediaType, scriptMediaType, styleMediaType, apiCatalogMediaType, xmlMediaType]
    : [avroMediaType, jsonMediaType, ndjsonMediaType, parquetMediaType, csvMediaType, textMediaType, atomMediaType];
}

function problemViolations({ method, target }: Asked, reply: Reply): string[] {
  const found = [
    ...expectField(reply, 'Content-Type', problemMediaType),
    ...expectField(reply, 'Cache-Control', 'no-store'),
    ...['etag', 'last-modified', 'x-publication-revision']
      .filter((name) => reply.headers[name] !== undefined)
      .map((name) => `${name}: expected none with a problem`),
  ];
  if (!uuid.test(String(reply.headers['x-request-id']))) found.push('X-Request-ID: expected a UUID');
  const mustWait = reply.status === 429 || reply.status === 503;
  if (mustWait !== /^[1-9]\d*$/.test(reply.headers['retry-after'] ?? '')) {
    found.push(`Retry-After: expected seconds with 429 and 503 alone, got ${reply.headers['retry-after']}`);
  }
  return method === 'HEAD' ? found : [...found, ...bodyViolations(target, reply)];
}

/** Problems that either a parameter or a path can cause. */
const blamed: ReadonlySet<string> = new Set([
  'PRODUCT_NOT_FOUND',
  'SKU_NOT_FOUND',
  'SKU_AMBIGUOUS',
  'RESOURCE_NOT_FOUND',
]);

function bodyViolations(target: string, { status, headers, body }: Reply): string[] {
  const parsed = problem.safeParse(parseJson(body.toString()));
  if (!parsed.success) return [`expected a problem, got ${body.toString().slice(0, 200)}: ${parsed.error.message}`];
  const { code, type, instance, request_id } = parsed.data;
  const path = target.split('?')[0] ?? '';
  const rules: [boolean, string][] = [
    [parsed.data.status === status, `status: expected ${status}, got ${parsed.data.status}`],
    [problemKinds[code].status === status, `code: ${code} is none of a ${status}`],
    [type === `/v1/problems/${code}`, `type: expected the address of ${code}, got ${type}`],
    [request_id === headers['x-request-id'], `request_id: expected that of X-Request-ID, got ${request_id}`],
    [
      isInstance(instance, status === 414 ? path : target, path),
      `instance: expected what was asked for, got ${instance.slice(0, 200)}`,
    ],
    [/^[!-~]*$/.test(instance), 'instance: expected a URI reference, which is ASCII without blanks'],
    [
      (parsed.data.invalid_params !== undefined) === (code === 'INVALID_PARAMETER') || blamed.has(code),
      'invalid_params: expected with INVALID_PARAMETER, and where a parameter names what is not found',
    ],
    [(parsed.data.invalid_params?.length ?? 1) > 0, 'invalid_params: expected at least one'],
  ];
  return rules.flatMap(([holds, message]) => (holds ? [] : [message]));
}

function expectField({ headers }: Reply, name: string, value: string): string[] {
  const actual = headers[name.toLowerCase()];
  return actual === value ? [] : [`${name}: expected ${value}, got ${actual}`];
}

/** Undoes escapes, because a target may be escaped where a URI requires it without meaning anything else. */
function unescaped(target: string): string {
  return target.replace(/%([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * Whether the instance is the requested path and query, or, if the escaped target is too long, the path or its
 * beginning.
 */
function isInstance(instance: string, target: string, path: string): boolean {
  if (instance.length > longestInstance) return false;
  if (escapedLength(target) <= longestInstance) return unescaped(instance) === unescaped(target);
  if (escapedLength(path) <= longestInstance) return unescaped(instance) === unescaped(path);
  return instance.length > longestInstance - 3 && unescaped(path).startsWith(unescaped(instance));
}

const longestInstance = 8192;

function escapedLength(target: string): number {
  return target.replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/g, '%xx').length;
}
