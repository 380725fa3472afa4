import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string };

/**
 * A proxy that does what a CDN does in front of a private bucket: passes requests to the bucket's S3 interface, signed
 * with AWS Signature Version 4, and passes the answers back unchanged.
 */
export class SigningProxy implements AsyncDisposable {
  readonly #bucket: URL;
  readonly #credentials: Credentials;
  readonly #server = createServer((incoming, response) => this.#pass(incoming, response));

  private constructor(bucket: URL, credentials: Credentials) {
    this.#bucket = bucket;
    this.#credentials = credentials;
  }

  /** `bucket` is its path-style URL, without a trailing slash. */
  static async start(bucket: string, credentials: Credentials): Promise<SigningProxy> {
    const proxy = new SigningProxy(new URL(bucket), credentials);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { hostname, port, host, pathname } = this.#bucket;
    const [path = '', query = ''] = (incoming.url ?? '').split('?');
    const target = { method: incoming.method ?? 'GET', path: pathname + path, query, host };
    const headers = { ...incoming.headers, ...signed(target, this.#credentials) };
    const passed = request(
      { hostname, port, method: target.method, path: pathname + incoming.url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    incoming.pipe(passed);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

type Target = { readonly method: string; readonly path: string; readonly query: string; readonly host: string };

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, of a request whose body is not signed.
 */
function signed({ method, path, query, host }: Target, { accessKeyId, secretAccessKey }: Credentials) {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const fields = { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'x-amz-date': time };
  const names = Object.keys(fields).join(';');
  const lines = Object.entries(fields).map(([name, value]) => `${name}:${value}\n`);
  const parameters = query
    .split('&')
    .filter((one) => one !== '')
    .map((one) => (one.includes('=') ? one : `${one}=`))
    .sort()
    .join('&');
  const canonical = [method, path, parameters, lines.join(''), names, 'UNSIGNED-PAYLOAD'].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = scope
    .split('/')
    .reduce(
      (secret: string | Buffer, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${secretAccessKey}`,
    );
  const signature = createHmac('sha256', key).update(text).digest('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...fields, authorization };
}
