import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Answers a request instead of the folder, or returns false to let it pass. */
type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A plain web server over a folder, with its own weak ETags. It counts requests and can be made to misbehave. */
export class StaticHost implements AsyncDisposable {
  folder: string;
  intercept: Intercept = () => false;
  readonly requests: string[] = [];
  delayMs = 0;
  readonly #server = createServer((request, response) => {
    if (this.delayMs === 0) this.#answer(request, response);
    else setTimeout(() => this.#answer(request, response), this.delayMs);
  });

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async start(folder: string): Promise<StaticHost> {
    const host = new StaticHost(folder);
    await host.#listen();
    return host;
  }

  /** A host for all tests of a file. After each of them it is reset. */
  static use(folder: string): StaticHost {
    const host = new StaticHost(folder);
    beforeAll(() => host.#listen());
    afterEach(() => {
      Object.assign(host, { folder, intercept: () => false, delayMs: 0 });
      host.taken();
    });
    afterAll(() => host[Symbol.asyncDispose]());
    return host;
  }

  #listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests since the last call. */
  taken(): string[] {
    return this.requests.splice(0);
  }

  /** Whether there is a file for an address. */
  has(path: string): boolean {
    return statSync(join(this.folder, path), { throwIfNoEntry: false })?.isFile() ?? false;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request.url ?? '');
    if (this.intercept(request, response)) return;
    // An interceptor can have changed the address.
    const file = join(this.folder, request.url ?? '');
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const etag = `W/"${stats.mtimeMs}-${stats.size}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { ETag: etag }).end();
    else response.writeHead(200, { ETag: etag }).end(readFileSync(file));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
