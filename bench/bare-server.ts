import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer of a bare server to every request, taken from the server that it is compared with. */
export type BareAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64. */
  readonly body: string;
};

// This server is `node:http` and nothing else: an upper bound for any server that is built on it.
const { status, headers, body } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as BareAnswer;
const bytes = Buffer.from(body, 'base64');
const server = createServer((_request, response) => response.writeHead(status, headers).end(bytes));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
