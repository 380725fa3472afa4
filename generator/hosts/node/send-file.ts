import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import serveHandler from 'serve-handler';
import type { FileAnswer } from '../../../shim/answer.ts';
import type { ByteRange } from '../../../shim/http/byte-range.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';
import type { ObjectBody } from './object-bodies.ts';

const config = { cleanUrls: false, directoryListing: false, etag: false } as const;
const unranged = { url: '/object', headers: {} };

/**
 * Streams a 200 or 206 body with serve-handler, which sees nothing of the client's request: conditions, methods and
 * ranges are decided already, and a request of our own leaves it one thing to do. The head is ours too; what it would
 * say itself is not asked for. Takes over the open file.
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

/** All that is ever asked of the stream is to be piped, and bytes in memory go out in one write. */
function bytesStream(exchange: Exchange, bytes: Uint8Array, range: ByteRange | null) {
  const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
  return {
    pipe: () => {
      exchange.bytes = part.length;
      exchange.response.end(part);
    },
  };
}

/** Closes its file at the end, on a failed read, and when the client goes away before either. */
function fileStream(exchange: Exchange, file: FileHandle, { range, object }: FileAnswer, log: Log) {
  const { response, request } = exchange;
  const { start, end } = range ?? { start: 0, end: object.size - 1 };
  const stream = file.createReadStream({ start, end, autoClose: true });
  const abandon = () => void stream.destroy();
  response.once('close', abandon);
  // Too few bytes and an orderly end would make the next answer on the connection a part of this one.
  const breakOff = (reason: string) => {
    log.error({ id: exchange.id, object: object.sha256 }, `a download broke off: ${reason}`);
    response.destroy();
  };
  stream.once('error', (error) => breakOff(String(error)));
  stream.once('end', () => {
    if (stream.bytesRead <= end - start) breakOff(`expected ${end - start + 1} bytes, got ${stream.bytesRead}`);
  });
  if (response.destroyed || request.socket.destroyed) abandon();
  exchange.stream = stream;
  return { pipe: () => stream.pipe(response) };
}
