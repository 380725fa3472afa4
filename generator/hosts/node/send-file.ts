import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import serveHandler from 'serve-handler';
import type { FileAnswer } from '../../../shim/answer.ts';
import type { ByteRange } from '../../../shim/byte-range.ts';
import type { ObjectBody } from './object-bodies.ts';

type Log = (message: string) => void;

/** serve-handler computes these itself; what our answer does not carry is taken out. */
const notOurs: Readonly<Record<string, string | null>> = { 'Content-Disposition': null, 'Accept-Ranges': null };

/**
 * Streams a 200 or 206 body with serve-handler, which sees nothing of the client's request: conditions, methods and
 * ranges are decided already, and a request of our own leaves it one thing to do. Takes over the open file.
 */
export async function sendFile(
  response: ServerResponse,
  answer: FileAnswer,
  body: ObjectBody,
  log: Log,
): Promise<void> {
  const { headers, range, route } = answer;
  const request = { url: '/object', headers: range ? { range: `bytes=${range.start}-${range.end}` } : {} };
  const headerList = Object.entries({ ...notOurs, ...headers }).map(([key, value]) => ({
    key,
    value: value as string,
  }));
  const config = {
    cleanUrls: false,
    directoryListing: false,
    etag: false,
    headers: [{ source: '/object', headers: headerList }],
  };
  const file = { size: route.size, mtime: new Date(0), isDirectory: () => false, isSymbolicLink: () => false };
  let streaming = false;
  const methods = {
    lstat: async () => file,
    createReadStream: () => {
      streaming = true;
      return 'bytes' in body
        ? bytesStream(body.bytes, range)
        : fileStream(body.file, range ?? { start: 0, end: route.size - 1 }, response, log);
    },
  };
  try {
    await serveHandler(
      request as IncomingMessage,
      response,
      config,
      methods as unknown as Parameters<typeof serveHandler>[3],
    );
  } finally {
    if (!streaming && 'file' in body) await body.file.close();
  }
}

/** All that is ever asked of the stream is to be piped, and bytes in memory go out in one write. */
function bytesStream(bytes: Uint8Array, range: ByteRange | null) {
  return {
    pipe: (response: ServerResponse) => response.end(range ? bytes.subarray(range.start, range.end + 1) : bytes),
  };
}

/** Closes its file at the end, on a failed read, and when the client goes away before either. */
function fileStream(file: FileHandle, { start, end }: ByteRange, response: ServerResponse, log: Log) {
  const stream = file.createReadStream({ start, end, autoClose: true });
  const { socket } = response.req;
  const abandon = () => void stream.destroy();
  // A response that waits behind another one on its connection hears nothing of the connection's end.
  response.once('close', abandon);
  socket.once('close', abandon);
  stream.once('close', () => {
    response.off('close', abandon);
    socket.off('close', abandon);
  });
  // Too few bytes and an orderly end would make the next answer on the connection a part of this one.
  const breakOff = (reason: string) => {
    log(`a download broke off: ${reason}`);
    response.destroy();
  };
  stream.once('error', (error) => breakOff(String(error)));
  stream.once('end', () => {
    if (stream.bytesRead <= end - start) breakOff(`expected ${end - start + 1} bytes, got ${stream.bytesRead}`);
  });
  if (response.destroyed || socket.destroyed) abandon();
  return stream;
}
