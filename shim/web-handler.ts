import type { Answer, FileAnswer, ReadRequest } from './answer.ts';
import type { Handler } from './handler.ts';
import type { Fields } from './http/conditional.ts';
import { ByteCache } from './site/byte-cache.ts';
import type { CurrentPublication } from './site/current-publication.ts';

/** What of a `Request` counts. `client` is what the rate limit counts by. */
export type WebRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Fields;
  readonly client: string;
};

/** What the answer is, beside the `Response`, for whoever logs it. */
export type WebExchange = { readonly request: ReadRequest; readonly answer: Answer; readonly response: Response };

/**
 * The service as a function of the Web's own types, for hosts that hand over a `Request`: their runtime has read the URL
 * already, and resolved the dot segments in it. Never rejects.
 */
export function webHandler(handler: Handler, bodies: WebBodies): (request: WebRequest) => Promise<WebExchange> {
  return async ({ method, url, headers, client }) => {
    const { pathname, search } = new URL(url);
    const request: ReadRequest = { id: crypto.randomUUID(), method, target: pathname + search, headers, client };
    let answer = await handler.answer(request);
    let body: Awaited<ReturnType<WebBodies['body']>> | null = null;
    while (answer.kind === 'file' && method !== 'HEAD') {
      try {
        body = await bodies.body(answer);
        break;
      } catch (error) {
        answer = await handler.answerAfter(request, answer, error);
      }
    }
    // Workers would compress what says that it is compressed already; everybody else passes the last member over.
    const head = { status: answer.status, headers: answer.headers, encodeBody: 'manual' };
    const response = new Response(method === 'HEAD' ? null : (body ?? bodyOf(answer)), head);
    return { request, answer, response };
  };
}

function bodyOf(answer: Answer): string | Uint8Array<ArrayBuffer> | null {
  if (answer.kind === 'problem') return answer.body;
  return answer.kind === 'json' ? (answer.body as Uint8Array<ArrayBuffer>) : null;
}

/** Above this an object is streamed where the host can, instead of being held in memory for each request. */
const bufferedSize = 2 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** Bodies of files for hosts that answer with a `Response`. */
export class WebBodies {
  readonly #publication: CurrentPublication;
  readonly #kept: ByteCache<Bytes>;

  /** Objects that were compared with their hash are kept, so many bytes of them. */
  constructor(publication: CurrentPublication, keptBytes: number) {
    this.#publication = publication;
    this.#kept = new ByteCache(keptBytes);
  }

  /** Rejects with an UnreadableError, before anything of the answer is sent. */
  async body({ object, range }: FileAnswer): Promise<Bytes | ReadableStream<Uint8Array>> {
    const stream = object.size > bufferedSize ? await this.#publication.stream(object, range) : null;
    if (stream) return stream;
    const bytes = this.#kept.get(object.sha256) ?? ((await this.#publication.bytes(object)) as Bytes);
    this.#kept.set(object.sha256, bytes, bytes.length);
    return range ? bytes.subarray(range.start, range.end + 1) : bytes;
  }
}
