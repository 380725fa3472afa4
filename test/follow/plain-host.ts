import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A bare file server over a folder, without the contract's rules and headers. `other`: paths that are served from other
 * files.
 */
export class PlainHost implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(
    folder: string,
    { other = {}, delayMs = 0 }: { other?: Readonly<Record<string, string>>; delayMs?: number } = {},
  ): Promise<PlainHost> {
    const server = createServer(async (request, response) => {
      await sleep(delayMs);
      const path = request.url ?? '/';
      const file = other[path] ?? join(folder, path);
      const isFile = existsSync(file) && statSync(file).isFile();
      response.writeHead(isFile ? 200 : 404).end(isFile ? readFileSync(file) : '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PlainHost(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
