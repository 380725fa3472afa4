import { connect } from 'node:net';

const connections = 32;

/**
 * Requests paths in turn for some seconds, over 32 connections, each of which sends its next request as soon as it has
 * an answer. Resolves to the number of answers. Rejects at the first answer that is not 200 with a Content-Length.
 */
export async function load(url: string, paths: readonly string[], seconds: number): Promise<number> {
  const until = performance.now() + 1000 * seconds;
  let next = 0;
  const nextPath = (): string | undefined => {
    next += 1;
    return performance.now() < until ? paths[next % paths.length] : undefined;
  };
  const answers = await Promise.all(
    Array.from({ length: connections }, () => ask(Number(new URL(url).port), nextPath)),
  );
  return answers.reduce((sum, count) => sum + count, 0);
}

function ask(port: number, nextPath: () => string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let [answers, head] = [0, ''];
    /** Bytes of the body that are still to come; null before the answer's headers are complete. */
    let left: number | null = null;
    const request = () => {
      const path = nextPath();
      if (path === undefined) socket.end();
      else socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    };
    socket.on('connect', request);
    socket.on('data', (chunk) => {
      if (left === null) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n') + 4;
        if (end < 4) return;
        const [, length] = /^HTTP\/1\.1 200 .*\r\ncontent-length: (\d+)\r\n/is.exec(head.slice(0, end)) ?? [];
        if (length === undefined)
          return socket.destroy(new Error(`expected 200 and a length, got ${head.slice(0, end)}`));
        left = Number(length) - (head.length - end);
      } else left -= chunk.length;
      if (left > 0) return;
      [answers, head, left] = [answers + 1, '', null];
      request();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answers));
  });
}
