import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ProblemAnswer } from '../../../shim/answer.ts';
import { problemResponse } from '../../../shim/problem-response.ts';
import { allowedMethods, commonHeaders } from '../../contract/headers.ts';
import type { Addresser } from '../../contract/paths.ts';

type ClientError = Error & { code?: string; rawPacket?: Uint8Array };

/** What a connection was refused with, for the log; the request id is that of a problem. */
export type Refusal = { readonly status: number; readonly id: string | null };

/** Statuses of what is not a request that could be answered, by Node's error code; anything else is a 400. */
const statuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** So long a client may take to read why it was refused. */
const lingerMs = 1000;

/**
 * Ends a connection whose bytes Node could not read as a request. A target that is too long even for Node's limit is
 * still a problem of ours; what is no request at all gets a bare status. Null when nothing could be said.
 */
export function refuseMalformed(address: Addresser, error: ClientError, socket: Duplex): Refusal | null {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return null;
  }
  const unknown = error.code === 'HPE_INVALID_METHOD' ? requestLine(error.rawPacket) : null;
  if (unknown) return refuseMethod(address, unknown.method, unknown.target, socket);
  const line = error.code === 'HPE_HEADER_OVERFLOW' ? longRequestLine(error.rawPacket) : null;
  if (line) {
    const details = { code: 'URI_TOO_LONG', target: line.target, requestId: crypto.randomUUID() } as const;
    const problem = problemResponse(address, { ...details, resource: 'none' });
    endWith(socket, line.method, problem);
    return { status: problem.status, id: details.requestId };
  }
  const status = statuses[error.code ?? ''] ?? 400;
  endWith(socket, 'GET', { status, headers: { ...commonHeaders, 'Content-Length': '0' }, body: '' });
  return { status, id: null };
}

/** CONNECT is a method like any other that this service does not answer; Node hands over the connection itself. */
export function refuseTunnel(address: Addresser, request: IncomingMessage, socket: Duplex): Refusal {
  // Nobody else listens any more to what happens to the connection.
  socket.on('error', () => socket.destroy());
  return refuseMethod(address, 'CONNECT', request.url ?? '', socket);
}

function refuseMethod(address: Addresser, method: string, target: string, socket: Duplex): Refusal {
  const details = { code: 'METHOD_NOT_ALLOWED', target, requestId: crypto.randomUUID() } as const;
  const headers = { Allow: allowedMethods };
  const problem = problemResponse(address, { ...details, resource: 'none', headers });
  endWith(socket, method, problem);
  return { status: problem.status, id: details.requestId };
}

/** The first line of a request whose method Node does not know. RFC 9110 5.6.2 says what a method may be. */
function requestLine(packet: Uint8Array | undefined): { method: string; target: string } | null {
  const match = /^([!#$%&'*+\-.^_`|~\w]+) ([!-~]{1,8192}) HTTP\/1\.[01]\r?\n/.exec(
    Buffer.from(packet ?? []).toString('latin1'),
  );
  return match && { method: match[1] as string, target: match[2] as string };
}

/** The start of a request whose first line takes up the whole of the header limit. */
function longRequestLine(packet: Uint8Array | undefined): { method: string; target: string } | null {
  const match = /^([A-Z]+) ([^ \r\n]{8193,})/.exec(Buffer.from(packet ?? []).toString('latin1'));
  return match && { method: match[1] as string, target: match[2] as string };
}

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
