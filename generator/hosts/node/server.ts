import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Answer, ReadRequest } from '../../../shim/answer.ts';
import { CurrentPublication } from '../../../shim/current-publication.ts';
import { Handler } from '../../../shim/handler.ts';
import { addresser } from '../../contract/paths.ts';
import { ObjectBodies, type ObjectBody } from './object-bodies.ts';
import { refuseMalformed, refuseTunnel } from './refusals.ts';
import { sendFile } from './send-file.ts';
import { SiteFolder } from './site-folder.ts';

const pointerCheckMs = 250;

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
} as const;

/** A connection on which nothing moves for so long is closed. */
const idleTimeoutMs = 120_000;

export type SiteServerOptions = {
  readonly dist: string;
  readonly baseUrl: string | null;
  readonly log: (message: string) => void;
};

/** An HTTP server over a built site. It is not listening yet. */
export function createSiteServer({ dist, baseUrl, log }: SiteServerOptions): Server {
  const address = addresser(baseUrl);
  const site = new SiteFolder(dist);
  const publication = new CurrentPublication({ reader: site, log, checkEveryMs: pointerCheckMs });
  const handler = new Handler({ publication, address, log });
  const bodies = new ObjectBodies(site);

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const question = questionOf(request);
    const answer = await handler.answer(question);
    if (answer.kind !== 'file') return sendWhole(request, response, answer);
    let body: ObjectBody;
    try {
      body = await bodies.open(answer.route);
    } catch (error) {
      return sendWhole(request, response, handler.failure(question, error));
    }
    if (request.method !== 'HEAD') return sendFile(response, answer, body, log);
    sendWhole(request, response, answer);
    if ('file' in body) await body.file.close();
  };

  const server = createServer(limits, (request, response) => {
    respond(request, response).catch((error) => {
      // The status is out already; all that is left is not to let a broken body look whole.
      log(`an answer broke off: ${error instanceof Error ? error.stack : error}`);
      response.destroy();
    });
  });
  server.setTimeout(idleTimeoutMs);
  server.on('clientError', (error, socket) => refuseMalformed(address, error, socket));
  server.on('connect', (request, socket) => refuseTunnel(address, request, socket));
  return server;
}

function questionOf({ method = '', url = '', headers }: IncomingMessage): ReadRequest {
  return { method, target: url, headers: { get: (name) => (headers[name] as string | undefined) ?? null } };
}

/** An answer whose body, if it has one, is a problem's. */
function sendWhole(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.kind === 'problem' && request.method !== 'HEAD' ? answer.body : undefined);
}
