import type { Answer, FileAnswer, ReadRequest } from './answer.ts';
import type { Handler } from './handler.ts';
import type { Fields } from './http/conditional.ts';
import { ByteCache } from './site/byte-cache.ts';
import type { CurrentPublication } from './site/current-publication.ts';

/** The parts of a `Request` that the service uses. The rate limit counts by `client`. */
export type WebRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Fields;
  readonly client: string;
};

/** The `Response` with the request and the answer it was made from, which the log needs. */
export type WebExchange = { readonly request: ReadRequest; readonly answer: Answer; readonly response: Response };

/**
 * The service as a function of the Web's own types, for hosts that hand over a `Request`. Their runtime has already
 * parsed the URL and resolved its dot segments. Never rejects.
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
    // Without `encodeBody` Workers would compress a body that is already compressed. Other runtimes ignore the member.
    const head = { status: answer.status, headers: answer.headers, encodeBody: 'manual' };
    const response = new Response(method === 'HEAD' ? null : (body ?? bodyOf(answer)), head);
    return { request, answer, response };
  };
}

function bodyOf(answer: Answer): string | Uint8Array<ArrayBuffer> | null {
  if (answer.kind === 'problem') return answer.body;
  return answer.kind === 'json' ? (answer.body as Uint8Array<ArrayBuffer>) : null;
}

/** Above this size an object is streamed where the host can, so that requests do not hold it in memory. */
const bufferedSize = 2 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** Bodies of files for hosts that answer with a `Response`. */
export class WebBodies {
  readonly #publication: CurrentPublication;
  readonly #kept: ByteCache<Bytes>;

  /** `keptBytes`: how many bytes of verified objects are kept in memory. */
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
