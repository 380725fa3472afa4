import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export type Reply = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** Sends requests to a server on this machine, with targets and headers exactly as written. */
export class HttpClient implements Disposable {
  readonly host: string;
  readonly port: number;
  readonly #agent = new Agent({ keepAlive: true });

  constructor({ hostname, port }: URL) {
    this.host = hostname;
    this.port = Number(port);
  }

  get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const options = { host: this.host, port: this.port, path, method, headers, agent: this.#agent };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
        });
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // A server can close an idle connection just when it is used again. Then the request did not reach it.
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(this.get(path, headers, method));
        else reject(error);
      });
      sent.end();
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
