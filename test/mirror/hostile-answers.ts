import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** The right bytes, and those that the address had in the publication before. */
type Known = { readonly sound: Buffer; readonly earlier: Buffer };

/** An answer that a host must not give, and how it gives it. */
export type HostileAnswer = {
  readonly name: string;
  readonly answer: (response: ServerResponse, known: Known) => void;
};

/** Sends bytes without the server's rules for HTTP. Afterwards the connection ends, breaks, or stays silent. */
function raw(response: ServerResponse, bytes: string | Buffer, then: 'end' | 'break' | 'silence' = 'end'): void {
  const { socket } = response;
  if (socket === null) return;
  if (then === 'end') socket.end(bytes);
  else socket.write(bytes, () => then === 'break' && socket.destroy());
}

/** Sends a piece again every few milliseconds, or as fast as it is taken, until the other side has enough. */
function forever(response: ServerResponse, piece: string | Buffer, everyMs = 0): void {
  const { socket } = response;
  const more = () => {
    if (socket === null || socket.destroyed) return;
    if (everyMs > 0) {
      socket.write(piece);
      setTimeout(more, everyMs).unref();
    } else if (socket.write(piece)) setImmediate(more);
    else socket.once('drain', more);
  };
  more();
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const json = { 'Content-Type': 'application/json' };
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

const status = (code: number, headers: Record<string, string> = {}, body = '<html>no</html>'): HostileAnswer => ({
  name: `status ${code}${Object.keys(headers).map((name) => `, ${name}`)}`,
  answer: (response) => response.writeHead(code, headers).end(body),
});
const redirect = (name: string, Location: string, code = 302): HostileAnswer => ({
  name: `a redirect ${name}`,
  answer: (response) => response.writeHead(code, { Location }).end(),
});
const bytes = (name: string, change: (sound: Buffer) => string | Buffer): HostileAnswer => ({
  name,
  answer: (response, { sound }) => response.writeHead(200, json).end(change(sound)),
});
const begun = (name: string, start: string, then: 'end' | 'break' | 'silence'): HostileAnswer => ({
  name,
  answer: (response, { sound }) => raw(response, start.replace('SIZE', String(sound.length)), then),
});
const endless = (name: string, start: string, piece: string | Buffer, everyMs = 0): HostileAnswer => ({
  name,
  answer: (response) => {
    raw(response, start, 'silence');
    forever(response, piece, everyMs);
  },
});

/** Every way in which an answer can be wrong, late, endless, cut, of another publication, or a redirect. */
export const hostileAnswers: readonly HostileAnswer[] = [
  // Wrong.
  ...[204, 205, 206, 304, 400, 401, 403, 407, 410, 418, 421, 451, 500, 501, 505, 511].map((code) => status(code)),
  status(429, { 'Retry-After': '999999999' }),
  status(503, { 'Retry-After': 'yesterday' }),
  status(206, { 'Content-Range': 'bytes 0-14/15' }),
  status(200, { 'Content-Type': 'text/html' }, '<html>please log in</html>'),
  { ...status(404, { 'Content-Type': 'application/problem+json' }, '{"code":'), name: 'a problem that breaks off' },
  status(404, { 'Content-Type': 'application/problem+json' }, `{"code":"${'x'.repeat(100_000)}"}`),
  bytes('nothing', () => ''),
  bytes('a page of HTML', () => '<!doctype html><title>Router</title>'),
  bytes('another type of JSON', () => '[1,2,3]'),
  bytes('null', () => 'null'),
  bytes('another document', () => '{"data":{"publication":null},"meta":{},"links":{}}'),
  bytes('JSON with more behind it', (sound) => `${sound}}`),
  bytes('two documents', (sound) => `${sound}${sound}`),
  bytes('JSON in UTF-16', (sound) => Buffer.from(`\ufeff${sound}`, 'utf16le')),
  bytes('bytes that are not UTF-8', (sound) => Buffer.concat([sound.subarray(0, 20), Buffer.from([0xff, 0xfe])])),
  bytes('JSON that is nested deep', () => '['.repeat(200_000) + ']'.repeat(200_000)),
  bytes('a number without end', () => `{"data":${'9'.repeat(1_000_000)},"meta":{},"links":{}}`),
  bytes('gzip that no header names', (sound) => gzipSync(sound)),
  {
    name: 'text that is said to be gzip',
    answer: (response, { sound }) => response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(sound),
  },
  {
    name: 'a coding that nobody knows',
    answer: (response, { sound }) => response.writeHead(200, { ...json, 'Content-Encoding': 'zip' }).end(sound),
  },
  {
    name: 'gzip that breaks off',
    answer: (response, { sound }) =>
      response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(half(gzipSync(sound))),
  },
  {
    name: 'brotli that breaks off',
    answer: (response, { sound }) =>
      response.writeHead(200, { ...json, 'Content-Encoding': 'br' }).end(half(brotliCompressSync(sound))),
  },
  begun('another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'end'),
  begun('an answer of HTTP/0.9', '<html>hello</html>', 'end'),
  begun('a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'end'),
  begun('a status that is no number', 'HTTP/1.1 abc OK\r\n\r\n', 'end'),
  begun(
    'a switch of protocols',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'end',
  ),
  begun('two different lengths', `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 'end'),
  begun('a length that is no number', `${ok}Content-Length: -5\r\n\r\n{}`, 'end'),
  begun('a chunk whose size is no number', `${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 'end'),
  begun('a header of 200 kB', `${ok}X-Long: ${'x'.repeat(200_000)}\r\n\r\n{}`, 'end'),
  begun('ten thousand headers', `${ok}${'X-A: b\r\n'.repeat(10_000)}\r\n{}`, 'end'),
  // Late.
  begun('silence', '', 'silence'),
  begun('silence after the status', 'HTTP/1.1 200 OK\r\n', 'silence'),
  begun('silence after the headers', `${ok}Content-Length: SIZE\r\n\r\n`, 'silence'),
  begun('silence within the body', `${ok}Content-Length: SIZE\r\n\r\n{"data":`, 'silence'),
  endless('a byte at times', `${ok}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n', 20),
  // Endless.
  endless('a body of spaces', `${ok}Transfer-Encoding: chunked\r\n\r\n`, `10000\r\n${' '.repeat(65_536)}\r\n`),
  endless('headers', ok, 'X-A: b\r\n'),
  endless('interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', 1),
  {
    name: 'an endless body that is small when packed',
    answer: (response) => {
      response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')));
    },
  },
  // Cut.
  begun('a connection that breaks', '', 'break'),
  begun('one that ends before the status', '', 'end'),
  begun('one that breaks within the headers', `${ok}Conte`, 'break'),
  begun('a shorter body than its length', `${ok}Content-Length: SIZE\r\n\r\n{"data":[]`, 'end'),
  begun('a body that ends within a chunk', `${ok}Transfer-Encoding: chunked\r\n\r\nff\r\n{"data":[]`, 'break'),
  begun('a body without its last chunk', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`, 'end'),
  bytes('half of the document', (sound) => half(sound)),
  {
    name: 'a longer body than its length',
    answer: (response, { sound }) => raw(response, `${ok}Content-Length: ${sound.length}\r\n\r\n${sound}{"data":[]}`),
  },
  // Of another publication.
  {
    name: 'the document of the publication before',
    answer: (response, { earlier }) => response.writeHead(200, json).end(earlier),
  },
  {
    name: 'that document, by the name of this publication',
    answer: (response, { earlier }) =>
      response
        .writeHead(200, { ...json, 'X-Publication-Revision': 'fffffffe-0000-5000-8000-000000000000' })
        .end(earlier),
  },
  // A redirect.
  redirect('in a circle', ''),
  redirect('to another host', 'http://192.0.2.1/v1'),
  redirect('to a file', 'file:///etc/hosts'),
  redirect('to no URL', 'http://['),
  redirect('to a URL with a password', 'http://user:word@127.0.0.1:9/'),
  redirect('to data', 'data:application/json,{}'),
  redirect('to a device of the network', 'http://169.254.1.1/', 307),
  { name: 'a redirect to nowhere', answer: (response) => response.writeHead(302).end() },
];
