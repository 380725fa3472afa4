import { connect } from 'node:net';

const connections = 32;

/**
 * Requests paths in turn for some seconds, over 32 connections, each of which sends its next request as soon as it has
 * an answer. Resolves to the number of answers. `etag`: the client has a file with this tag, so every answer must be a
 * 304. Without one, rejects at the first answer that is not 200 with a Content-Length.
 */
export async function load(
  url: string,
  paths: readonly string[],
  seconds: number,
  etag: string | null = null,
): Promise<number> {
  const until = performance.now() + 1000 * seconds;
  let next = 0;
  const nextPath = (): string | undefined => {
    next += 1;
    return performance.now() < until ? paths[next % paths.length] : undefined;
  };
  const answers = await Promise.all(
    Array.from({ length: connections }, () => ask(Number(new URL(url).port), nextPath, etag)),
  );
  return answers.reduce((sum, count) => sum + count, 0);
}

function ask(port: number, nextPath: () => string | undefined, etag: string | null): Promise<number> {
  const fields = `Host: localhost\r\n${etag === null ? '' : `If-None-Match: ${etag}\r\n`}`;
  const expected = etag === null ? /^HTTP\/1\.1 200 .*\r\ncontent-length: (\d+)\r\n/is : /^HTTP\/1\.1 304 /;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let [answers, head] = [0, ''];
    /** Bytes of the body that are still to come; null before the answer's headers are complete. */
    let left: number | null = null;
    const request = () => {
      const path = nextPath();
      if (path === undefined) socket.end();
      else socket.write(`GET ${path} HTTP/1.1\r\n${fields}\r\n`);
    };
    socket.on('connect', request);
    socket.on('data', (chunk) => {
      if (left === null) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n') + 4;
        if (end < 4) return;
        const match = expected.exec(head.slice(0, end));
        if (match === null) return socket.destroy(new Error(`expected ${expected}, got ${head.slice(0, end)}`));
        left = Number(match[1] ?? 0) - (head.length - end);
      } else left -= chunk.length;
      if (left > 0) return;
      [answers, head, left] = [answers + 1, '', null];
      request();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answers));
  });
}
