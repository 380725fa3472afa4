import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { allowedMethods, commonHeaders } from '../../contract/headers.ts';
import type { Addresser } from '../../contract/paths.ts';
import type { ProblemAnswer } from '../host.ts';
import { type ProblemDetails, problemResponse, splitTarget } from '../problems.ts';
import { parseQueryString } from '../query-string.ts';

type ClientError = Error & { code?: string; rawPacket?: Uint8Array };

/** How a connection was refused, for the log. `id`: the problem's request id; null if no problem was sent. */
export type Refusal = { readonly status: number; readonly id: string | null };

/** Statuses for bytes that are not a valid request, by Node's error code. All other codes get a 400. */
const statuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Milliseconds that a client has for reading why it was refused. */
const lingerMs = 1000;

/**
 * Ends a connection whose bytes Node could not parse as a request. Answers with a problem if the method is unknown, the
 * target exceeds even Node's limit, or the query has bytes without percent-encoding. Answers anything else with a bare
 * status.
 */
export function refuseMalformed(address: Addresser, error: ClientError, socket: Duplex): Refusal {
  const { form, reason } = readableLines[error.code ?? ''] ?? {};
  const match = form?.exec(Buffer.from(error.rawPacket ?? []).toString('latin1'));
  if (reason && match) {
    const [, method = '', target = ''] = match;
    return refuseWith(address, { method, target }, reason(target), socket);
  }
  const status = statuses[error.code ?? ''] ?? 400;
  endWith(socket, 'GET', { status, headers: { ...commonHeaders, 'Content-Length': '0' }, body: '' });
  return { status, id: null };
}

/** Refuses CONNECT like any other unsupported method. Node hands over the bare connection. */
export function refuseTunnel(address: Addresser, request: IncomingMessage): Refusal {
  const { socket } = request;
  // Node no longer handles errors of a connection that it has handed over.
  socket.on('error', () => socket.destroy());
  return refuseWith(address, { method: 'CONNECT', target: request.url ?? '' }, methodNotAllowed, socket);
}

type RequestLine = { readonly method: string; readonly target: string };

type Reason = Pick<ProblemDetails, 'code' | 'headers' | 'invalidParameters'>;

const methodNotAllowed: Reason = { code: 'METHOD_NOT_ALLOWED', headers: { Allow: allowedMethods } };

function refuseWith(address: Addresser, { method, target }: RequestLine, reason: Reason, socket: Duplex): Refusal {
  const requestId = crypto.randomUUID();
  const problem = problemResponse(address, { ...reason, target, requestId, resource: 'none' });
  endWith(socket, method, problem);
  return { status: problem.status, id: requestId };
}

/** The problem for a query with bytes that a URI must percent-encode. It names the parameters that have them. */
function bareBytes(target: string): Reason {
  const [, query] = splitTarget(target);
  const pairs = query.split('&').filter((pair) => bareByte.test(pair));
  const names = new Set(pairs.flatMap((pair) => parseQueryString(pair).map(({ name }) => name)));
  const reason = 'expected UTF-8 in percent-encoding, got bytes without it';
  return { code: 'INVALID_PARAMETER', invalidParameters: [...names].map((name) => ({ name, reason })) };
}

const bareByte = /[\x80-\xff]/;

/** By Node's error code, the first lines of refused requests that a problem can answer. */
const readableLines: Readonly<Record<string, { readonly form: RegExp; readonly reason: (target: string) => Reason }>> =
  {
    // A method that Node does not know. RFC 9110 5.6.2 says what a method may be.
    HPE_INVALID_METHOD: {
      form: /^([!#$%&'*+\-.^_`|~\w]+) ([!-~]{1,8192}) HTTP\/1\.[01]\r?\n/,
      reason: () => methodNotAllowed,
    },
    // The first line uses up the whole header limit.
    HPE_HEADER_OVERFLOW: { form: /^([A-Z]+) ([^ \r\n]{8193,})/, reason: () => ({ code: 'URI_TOO_LONG' }) },
    // A line that is valid except for non-ASCII bytes in its query, as `curl` sends them.
    HPE_INVALID_URL: {
      form: /^([A-Z]+) (?=[^ ]{1,8192} )(\/[!->@-~]*\?[!-~]*[\x80-\xff][!-~\x80-\xff]*) HTTP\/1\.[01]\r?\n/,
      reason: bareBytes,
    },
  };

function endWith(
  socket: Duplex,
  method: string,
  { status, headers, body }: Pick<ProblemAnswer, 'status' | 'headers' | 'body'>,
): void {
  const fields = Object.entries({ ...headers, Date: new Date().toUTCString(), Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields].join('\r\n');
  socket.end(`${head}\r\n\r\n${method === 'HEAD' ? '' : body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
