import type { IncomingMessage, ServerResponse } from 'node:http';
import serveHandler from 'serve-handler';
import type { ObjectReference } from '../../generator/contract/formats/site.ts';
import type { FileAnswer } from '../answer.ts';
import type { ByteRange } from '../http/conditional.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';
import type { ObjectBody } from './object-bodies.ts';
import type { VerifiedFile } from './verified-file.ts';

const config = { cleanUrls: false, directoryListing: false, etag: false } as const;
const unranged = { url: '/object', headers: {} };

/**
 * Streams a 200 or 206 body with serve-handler. It gets a request of our own and not the client's, because conditions,
 * methods and ranges are decided already. The head is ours too, and serve-handler's own is ignored. Takes over the open
 * file. Rejects with an UnreadableError, before anything is sent, when the first bytes are damaged.
 */
export async function sendFile(exchange: Exchange, answer: FileAnswer, body: ObjectBody, log: Log): Promise<void> {
  const { range, object } = answer;
  const { response } = exchange;
  const request = range ? { url: '/object', headers: { range: `bytes=${range.start}-${range.end}` } } : unranged;
  const head = { statusCode: 200, writeHead: () => response.writeHead(answer.status, answer.headers) };
  const file = { size: object.size, mtime: new Date(0), isDirectory: () => false, isSymbolicLink: () => false };
  let streaming = false;
  const methods = {
    lstat: async () => file,
    createReadStream: () => {
      streaming = true;
      return 'bytes' in body ? bytesStream(exchange, body.bytes, range) : fileStream(exchange, body.file, answer, log);
    },
  };
  try {
    if ('file' in body) await body.file.readAhead(extentOf(range, object).start);
    await serveHandler(
      request as IncomingMessage,
      head as unknown as ServerResponse,
      config,
      methods as unknown as Parameters<typeof serveHandler>[3],
    );
  } finally {
    if (!streaming && 'file' in body) await body.file.close();
  }
}

/** A stand-in for a stream: serve-handler only calls its `pipe`, and bytes in memory go out in one write. */
function bytesStream(exchange: Exchange, bytes: Uint8Array, range: ByteRange | null) {
  const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
  return {
    pipe: () => {
      exchange.bytes = part.length;
      exchange.response.end(part);
    },
  };
}

/** A stream of the file. It closes the file at the end, when a read fails, and when the client goes away. */
function fileStream(exchange: Exchange, file: VerifiedFile, { range, object }: FileAnswer, log: Log) {
  const { response, request } = exchange;
  const { start, end } = extentOf(range, object);
  const stream = file.stream(start, end);
  const abandon = () => void stream.destroy();
  response.once('close', abandon);
  // The connection must close: the client would take the next answer on it for the missing bytes of this one.
  stream.once('error', (error) => {
    log.error({ id: exchange.id, object: object.sha256 }, `a download broke off: ${String(error)}`);
    response.destroy();
  });
  if (response.destroyed || request.socket.destroyed) abandon();
  exchange.stream = stream;
  return { pipe: () => stream.pipe(response) };
}

function extentOf(range: ByteRange | null, { size }: ObjectReference): ByteRange {
  return range ?? { start: 0, end: size - 1 };
}
